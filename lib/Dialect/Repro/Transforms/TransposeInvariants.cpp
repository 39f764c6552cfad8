// Lays out matrices that a loop multiplies by in each iteration so that rows of
// the result read rows of them.

#include "IterationBatch.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-transpose-invariants"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_TRANSPOSEINVARIANTSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Returns the dimension of an operand that the last dimension of the result
/// runs along, if it is another one than its last and all dimensions are plain
/// iterators.
std::optional<unsigned> findRowDim(ContractOp contract, unsigned operand) {
  AffineMap map = contract.getMap(operand), result = contract.getMap(2);
  if (result.getNumResults() == 0 || !map.isProjectedPermutation() ||
      !result.isProjectedPermutation())
    return std::nullopt;
  auto row = cast<AffineDimExpr>(result.getResults().back());
  if (contract.getDomain().getExtents()[row.getPosition()] == 1)
    return std::nullopt;
  for (auto [dim, expr] : llvm::enumerate(map.getResults().drop_back()))
    if (expr == row)
      return static_cast<unsigned>(dim);
  return std::nullopt;
}

/// Moves a dimension of an operand to the end, before the loop.
void transpose(LoopOp loop, ContractOp contract, unsigned operand,
               unsigned dim) {
  auto argument = cast<BlockArgument>(contract->getOperand(operand));
  Value invariant = loop.getInvariants()[argument.getArgNumber() - 1 -
                                         loop.getInits().size()];
  AffineMap map = contract.getMap(operand);
  SmallVector<int64_t> permutation;
  SmallVector<AffineExpr> exprs;
  auto take = [&](unsigned from) {
    permutation.push_back(from);
    exprs.push_back(map.getResult(from));
  };
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    if (i != dim)
      take(i);
  take(dim);
  OpBuilder builder(loop);
  LDBG() << "transposes operand " << operand << " of " << contract.getLoc();
  auto type = typeOf(invariant);
  SmallVector<int64_t> shape;
  for (int64_t from : permutation)
    shape.push_back(type.getDimSize(from));
  Value transposed = TransposeOp::create(
      builder, contract.getLoc(), type.clone(shape), invariant, permutation);
  contract->setOperand(operand, addInvariant(loop, transposed));
  SmallVector<Attribute> maps(contract.getMaps().getValue());
  maps[operand] = AffineMapAttr::get(
      AffineMap::get(map.getNumDims(), 0, exprs, builder.getContext()));
  contract.setMapsAttr(builder.getArrayAttr(maps));
}

/// Returns the number of vectors along the last dimension of the result.
int64_t countRows(ContractOp contract) {
  ArrayRef<int64_t> shape = contract.getType().getShape();
  return ShapedType::getNumElements(shape.drop_back());
}

void transposeIn(LoopOp loop, uint64_t trips, int64_t rows) {
  if (loop.getCondition() || loop.getTrips() < trips)
    return;
  IterationBatch values(loop);
  for (auto contract : loop.getBlock().getOps<ContractOp>())
    for (unsigned operand : {0u, 1u})
      if (isa<BlockArgument>(contract->getOperand(operand)) &&
          values.kindOf(contract->getOperand(operand)) ==
              IterationBatch::Kind::Common)
        if (auto dim = findRowDim(contract, operand);
            dim && countRows(contract) >= rows)
          transpose(loop, contract, operand, *dim);
}

struct TransposeInvariants final
    : impl::TransposeInvariantsPassBase<TransposeInvariants> {
  using TransposeInvariantsPassBase::TransposeInvariantsPassBase;

  void runOnOperation() override {
    SmallVector<LoopOp> loops;
    getOperation().walk([&](LoopOp loop) { loops.push_back(loop); });
    for (LoopOp loop : loops)
      transposeIn(loop, trips, rows);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
