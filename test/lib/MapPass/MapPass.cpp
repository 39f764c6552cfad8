// Maps kernels at random: parts, tiles, cores, operands that are read in place.
// Whatever the verifier of the task dialect lets pass must keep every bit.

#include "MapPass.h"

#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Numerics/SplitMix64.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::testing {
namespace {

/// Bounds on the time that one kernel takes.
constexpr int64_t kMostParts = 24, kMostTiles = 96;

class MapKernels final
    : public PassWrapper<MapKernels, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MapKernels)
  MapKernels() = default;
  MapKernels(const MapKernels &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-map-kernels"; }
  StringRef getDescription() const override { return "Map kernels at random"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<task::TaskDialect>();
  }

  void runOnOperation() override {
    random = SplitMix64(seed);
    auto described = mapping::loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    mayReadInPlace = canAddressAll(*described);
    getOperation().walk([&](KernelOp kernel) { map(kernel, *described); });
  }

private:
  uint64_t below(uint64_t bound) { return random() % bound; }

  /// Sizes of boxes over `whole`, of which there are not too many.
  SmallVector<int64_t> makeSizes(KernelOp kernel, ArrayRef<IndexRange> whole,
                                 int64_t most) {
    SmallVector<int64_t> sizes;
    for (auto [range, split] : llvm::zip_equal(whole, getSplits(kernel))) {
      const int64_t extent = std::max<int64_t>(range.size, 1);
      int64_t size = extent;
      if (split.kind == Split::Kind::Free && below(3) != 0)
        size = 1 + int64_t(below(uint64_t(extent)));
      const int64_t count = llvm::divideCeilSigned(extent, size);
      if (count > most)
        size = extent;
      else
        most /= count;
      sizes.push_back(size);
    }
    return sizes;
  }

  /// Whether cores can address all that kernels read, wherever it lies.
  bool canAddressAll(const machine::Description &description) {
    uint64_t bytes = 0;
    auto add = [&](ValueRange values) {
      for (Value value : values) {
        auto type = cast<RankedTensorType>(value.getType());
        bytes += uint64_t(type.getNumElements()) *
                 llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      }
    };
    add(getOperation().getArguments());
    getOperation().walk([&](Operation *op) {
      if (op->getParentOp() == getOperation())
        add(op->getResults());
    });
    // Half of a memory: buffers are aligned, and what is prepared is beside
    // what it is made from.
    for (uint32_t memory : description.sharedMemories()) {
      const machine::MemoryKind &kind = description.memories[memory];
      if (!kind.isAddressable)
        return false;
      if (2 * bytes <= uint64_t(kind.size.value - kind.reserved.value))
        return true;
    }
    return true;
  }

  void map(KernelOp kernel, const machine::Description &description) {
    Builder builder(kernel.getContext());
    const Tile whole = getWholePiece(kernel);
    kernel->setAttr(task::kPartsAttr, builder.getDenseI64ArrayAttr(makeSizes(
                                          kernel, whole, kMostParts)));
    const SmallVector<Tile> parts = task::getParts(kernel);
    kernel->setAttr(task::kTilesAttr, builder.getDenseI64ArrayAttr(makeSizes(
                                          kernel, parts.front(),
                                          kMostTiles / int64_t(parts.size()))));
    SmallVector<bool> inPlace;
    for (size_t i = 0; i < kernel.getInputs().size(); ++i)
      inPlace.push_back(below(8) == 0 && mayReadInPlace);
    inPlace.resize(inPlace.size() + kernel.getNumResults());
    kernel->setAttr(task::kInPlaceAttr, builder.getDenseBoolArrayAttr(inPlace));
    // Several parts of a core, and neighbouring parts on cores far apart.
    SmallVector<uint32_t> cores = mapping::findCores(kernel, description);
    for (size_t i = cores.size(); i > 1; --i)
      std::swap(cores[i - 1], cores[below(i)]);
    cores.resize(1 + below(std::min(cores.size(), parts.size())));
    kernel->setAttr(task::kCoresAttr,
                    builder.getDenseI32ArrayAttr(
                        SmallVector<int32_t>(cores.begin(), cores.end())));
  }

  SplitMix64 random{0};
  bool mayReadInPlace = true;
  Option<uint64_t> seed{*this, "seed", llvm::cl::desc("Of the mapping"),
                        llvm::cl::init(1)};
  Option<std::string> machine{*this, "machine",
                              llvm::cl::desc("Whose cores there are"),
                              llvm::cl::init("spinnaker2-chip")};
};

} // namespace

void registerMapPass() { PassRegistration<MapKernels>(); }

} // namespace gensyn::testing
