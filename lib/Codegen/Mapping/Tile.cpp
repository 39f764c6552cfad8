// Cuts parts into tiles that fit into a core's memory.

#include "Cost.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKTILEPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

struct TileChoice {
  SmallVector<int64_t> sizes;
  /// Of operands, then results.
  SmallVector<bool> inPlace;
  bool isWhole = false; ///< one part is all of the kernel
};

/// Makes tiles smaller until they fit.
class TileSearch {
public:
  TileSearch(KernelOp kernel, const machine::Description &machine)
      : kernel(kernel), costs(kernel, machine), whole(getWholePiece(kernel)),
        part(task::getParts(kernel).front()) {
    for (auto [range, split] : llvm::zip_equal(part, getSplits(kernel)))
      canCut.push_back(split.kind == Split::Kind::Free);
    if (auto given = kernel->getAttrOfType<DenseI64ArrayAttr>(task::kTilesAttr))
      choice.sizes.assign(given.asArrayRef().begin(), given.asArrayRef().end());
    for (size_t i = choice.sizes.size(); i < part.size(); ++i)
      choice.sizes.push_back(std::max<int64_t>(part[i].size, 1));
    choice.inPlace.assign(kernel.getInputs().size() + kernel.getNumResults(),
                          false);
    if (auto given =
            kernel->getAttrOfType<DenseBoolArrayAttr>(task::kInPlaceAttr))
      llvm::copy(given.asArrayRef(), choice.inPlace.begin());
    isAddressable =
        llvm::any_of(machine.sharedMemories(), [&](uint32_t memory) {
          return machine.memories[memory].isAddressable;
        });
  }

  FailureOr<TileChoice> run() {
    const uint64_t memory = costs.getMemory();
    while (true) {
      const TileChoice before = choice;
      if (shrink(memory / 2))
        return choice;
      // Without the memory for two tiles, nothing is copied ahead.
      choice = before;
      if (shrink(memory))
        return choice;
      if (!isAddressable || !putInPlace())
        return kernel.emitOpError("'" + kernel.getSym() +
                                  "': the smallest piece needs ")
               << measure(choice.sizes).bytes
               << " bytes in the memory of a core, which has " << memory;
    }
  }

private:
  struct Size {
    uint64_t bytes = 0;  ///< in the core's memory
    uint64_t copied = 0; ///< for the whole part
  };

  Tile middle(ArrayRef<int64_t> sizes) const {
    Tile tile;
    for (auto [range, size] : llvm::zip_equal(whole, sizes)) {
      const int64_t begin = range.size / size / 2 * size;
      tile.push_back({begin, std::min(size, range.size - begin), 1});
    }
    return tile;
  }

  /// Bytes of the tiles of operands, then results.
  SmallVector<uint64_t> bytesOfArguments(ArrayRef<IndexRange> tile) {
    SmallVector<uint64_t> bytes;
    for (auto [input, own] :
         llvm::zip_equal(kernel.getInputs(), getOperandTiles(kernel, tile)))
      bytes.push_back(bytesOf(input, own));
    for (auto [result, own] :
         llvm::zip_equal(kernel.getResults(), getResultTiles(kernel, tile)))
      bytes.push_back(bytesOf(result, own));
    return bytes;
  }

  Size measure(ArrayRef<int64_t> sizes) {
    Size result;
    for (auto [bytes, isInPlace] :
         llvm::zip_equal(bytesOfArguments(middle(sizes)), choice.inPlace))
      if (!isInPlace)
        result.bytes += llvm::alignTo(bytes, 64);
    result.copied = result.bytes * uint64_t(task::countBoxes(part, sizes));
    return result;
  }

  /// Halves the tile until it takes at most `limit` bytes.
  bool shrink(uint64_t limit) {
    while (measure(choice.sizes).bytes > limit) {
      std::optional<size_t> best;
      uint64_t leastCopied = 0;
      for (size_t i = 0; i < choice.sizes.size(); ++i) {
        if (!canCut[i] || choice.sizes[i] == 1)
          continue;
        SmallVector<int64_t> smaller = choice.sizes;
        smaller[i] = llvm::divideCeilSigned(smaller[i], 2);
        const Size size = measure(smaller);
        if (size.bytes < measure(choice.sizes).bytes &&
            (!best || size.copied < leastCopied)) {
          best = i;
          leastCopied = size.copied;
        }
      }
      if (!best)
        return false;
      choice.sizes[*best] = llvm::divideCeilSigned(choice.sizes[*best], 2);
    }
    return true;
  }

  /// Leaves the largest operand or result where it lies. Who writes a result in
  /// place computes all of it.
  bool putInPlace() {
    std::optional<size_t> largest;
    uint64_t most = 0;
    for (auto [number, bytes] :
         llvm::enumerate(bytesOfArguments(middle(choice.sizes))))
      if (!choice.inPlace[number] && bytes > most) {
        largest = number;
        most = bytes;
      }
    if (!largest)
      return false;
    choice.inPlace[*largest] = true;
    if (*largest >= kernel.getInputs().size()) {
      choice.isWhole = true;
      part = whole;
      canCut.assign(part.size(), false);
    }
    for (auto [size, range] : llvm::zip_equal(choice.sizes, part))
      size = std::max<int64_t>(range.size, 1);
    return true;
  }

  KernelOp kernel;
  PieceCosts costs;
  const Tile whole;
  Tile part;
  SmallVector<bool> canCut;
  TileChoice choice;
  bool isAddressable = false;
};

class TaskTile final : public impl::TaskTilePassBase<TaskTile> {
public:
  using TaskTilePassBase::TaskTilePassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    Builder builder(&getContext());
    llvm::StringMap<TileChoice> known;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      auto [found, isNew] = known.try_emplace(codegen::printKernel(kernel));
      if (isNew) {
        FailureOr<TileChoice> made = TileSearch(kernel, *described).run();
        if (failed(made))
          return WalkResult::interrupt();
        found->second = *made;
      }
      if (found->second.isWhole)
        kernel->setAttr(task::kPartsAttr,
                        builder.getDenseI64ArrayAttr(found->second.sizes));
      kernel->setAttr(task::kTilesAttr,
                      builder.getDenseI64ArrayAttr(found->second.sizes));
      kernel->setAttr(task::kInPlaceAttr,
                      builder.getDenseBoolArrayAttr(found->second.inPlace));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace gensyn::mapping
