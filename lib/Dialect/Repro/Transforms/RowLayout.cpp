// See RowLayout.h.

#include "RowLayout.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace gensyn::repro {

std::optional<unsigned> findRowDim(ContractOp contract, unsigned operand) {
  AffineMap map = contract.getMap(operand), result = contract.getMap(2);
  if (map.getNumResults() == 0 || result.getNumResults() == 0 ||
      !map.isProjectedPermutation() || !result.isProjectedPermutation())
    return std::nullopt;
  auto row = cast<AffineDimExpr>(result.getResults().back());
  if (contract.getDomain().getExtents()[row.getPosition()] == 1)
    return std::nullopt;
  for (auto [dim, expr] : llvm::enumerate(map.getResults().drop_back()))
    if (expr == row)
      return static_cast<unsigned>(dim);
  return std::nullopt;
}

/// The dimensions of the old value in their new order.
static SmallVector<int64_t> permutationOf(unsigned rank, unsigned last) {
  SmallVector<int64_t> permutation;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (dim != last)
      permutation.push_back(dim);
  permutation.push_back(last);
  return permutation;
}

Value moveToEnd(OpBuilder &builder, Location location, Value value,
                unsigned dim) {
  const RankedTensorType type = typeOf(value);
  const SmallVector<int64_t> permutation =
      permutationOf(static_cast<unsigned>(type.getRank()), dim);
  SmallVector<int64_t> shape;
  for (int64_t from : permutation)
    shape.push_back(type.getDimSize(static_cast<unsigned>(from)));
  return TransposeOp::create(builder, location, type.clone(shape), value,
                             permutation);
}

void readMovedToEnd(ContractOp contract, unsigned operand, unsigned dim,
                    Value value) {
  const unsigned rank = contract.getMap(operand).getNumResults();
  contract.readUntransposed(operand,
                            invertPermutationVector(permutationOf(rank, dim)));
  contract->setOperand(operand, value);
}

} // namespace gensyn::repro
