// Replaces ops by pieces along random split dimensions, at random cuts: what
// SplitOpInterface says must keep every bit.

#include "SplitPass.h"

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/SplitMix64.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <set>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::testing {
namespace {

class SplitOps final : public PassWrapper<SplitOps, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitOps)
  SplitOps() = default;
  SplitOps(const SplitOps &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-split-ops"; }
  StringRef getDescription() const override {
    return "Compute ops in pieces, at random cuts";
  }

  void runOnOperation() override {
    random = SplitMix64(seed);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isSplittable(op) && !mayFault(op) && (!kernels || isa<KernelOp>(op)))
        ops.push_back(op);
    });
    // Pieces are ops, which may be cut again.
    for (unsigned round = 0; round < rounds; ++round) {
      SmallVector<Operation *> pieces;
      for (Operation *op : ops)
        split(op, pieces);
      ops = pieces;
    }
  }

private:
  /// Positions of faults are those of the whole (g7).
  static bool mayFault(Operation *op) {
    if (auto kernel = dyn_cast<KernelOp>(op))
      return !kernel.getFaultingOps().empty();
    auto fault = dyn_cast<FaultOpInterface>(op);
    return fault && fault.mayFault();
  }

  uint64_t below(uint64_t bound) { return random() % bound; }

  /// Ranges of whole blocks of the operand's elements, which may be anywhere.
  SmallVector<Value> buildRow(OpBuilder &builder, Operation *op,
                              int64_t block) {
    const Location location = op->getLoc();
    const int64_t count = typeOf(op->getOperand(0)).getNumElements();
    Value row = createReshape(builder, location, op->getOperand(0), {count});
    SmallVector<Value> results;
    for (int64_t begin = 0; begin < count;) {
      const int64_t size =
          std::min(int64_t(1 + below(3)) * block, count - begin);
      Value range =
          buildTile(builder, location, row, {IndexRange{begin, size}});
      results.push_back(buildRowBlocks(builder, op, range));
      begin += size;
    }
    Value all = results.size() == 1
                    ? results.front()
                    : ConcatOp::create(builder, location, results, uint64_t(0))
                          .getResult();
    return {joinRowBlocks(builder, op, all)};
  }

  void split(Operation *op, SmallVectorImpl<Operation *> &pieces) {
    if (const int64_t block = getRowBlock(op);
        block && typeOf(op->getOperand(0)).getNumElements() > 0 &&
        below(2) == 0) {
      OpBuilder builder(op);
      op->replaceAllUsesWith(buildRow(builder, op, block));
      op->erase();
      return;
    }
    SmallVector<Split> splits = getSplits(op);
    SmallVector<int64_t> extents = getSplitExtents(op);
    SmallVector<unsigned> dimensions;
    for (auto [dimension, split] : llvm::enumerate(splits))
      if (split.kind != Split::Kind::None && extents[dimension] > 0)
        dimensions.push_back(unsigned(dimension));
    if (dimensions.empty())
      return;
    // Reduced dimensions are fewer, and say more.
    const bool last = below(2) == 0;
    const unsigned dimension =
        last ? dimensions.back() : dimensions[below(dimensions.size())];
    const Split split = splits[dimension];
    std::set<int64_t> cuts;
    for (uint64_t i = 0, most = below(3); i <= most; ++i)
      cuts.insert(int64_t(below(uint64_t(extents[dimension]) + 1)));
    int64_t parts = 2;
    while (parts * 2 <= split.size && below(2) == 0)
      parts *= 2;

    OpBuilder builder(op);
    Operation *before = op->getPrevNode();
    SmallVector<Value> results = buildSplit(
        builder, op, dimension,
        getPieces(op, dimension, SmallVector<int64_t>(cuts.begin(), cuts.end()),
                  parts));
    Operation *first =
        before ? before->getNextNode() : &op->getBlock()->front();
    SmallVector<Operation *> built;
    for (Operation *one = first; one != op; one = one->getNextNode())
      built.push_back(one);
    if (results.empty()) {
      for (Operation *one : llvm::reverse(built))
        one->erase();
      return;
    }
    op->replaceAllUsesWith(results);
    op->erase();
    llvm::append_range(pieces, built);
  }

  SplitMix64 random{0};
  Option<uint64_t> seed{*this, "seed", llvm::cl::desc("Of the cuts"),
                        llvm::cl::init(1)};
  Option<unsigned> rounds{*this, "rounds",
                          llvm::cl::desc("How often pieces are cut again"),
                          llvm::cl::init(2)};
  Option<bool> kernels{*this, "kernels", llvm::cl::desc("Kernels alone"),
                       llvm::cl::init(false)};
};

} // namespace

void registerSplitPass() { PassRegistration<SplitOps>(); }

} // namespace gensyn::testing
