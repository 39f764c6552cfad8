// See Permuted.h.

#include "gensyn/Dialect/Repro/IR/Permuted.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

using Numbers = std::optional<SmallVector<unsigned>>;

#define PERMUTED(Op)                                                           \
  Value Op::buildPermuted(OpBuilder &builder, ValueRange operands,             \
                          ArrayRef<int64_t> permutation)
#define OPERANDS(Op)                                                           \
  Numbers Op::findPermutedOperands(ArrayRef<int64_t> permutation)

static RankedTensorType permutedType(Value value,
                                     ArrayRef<int64_t> permutation) {
  return typeOf(value).clone(permuted(shapeOf(value), permutation));
}

static AffineMap permutedMap(AffineMap map, ArrayRef<int64_t> permutation) {
  return AffineMap::get(map.getNumDims(), 0,
                        permuted(map.getResults(), permutation),
                        map.getContext());
}

/// All operands, if they have the rank of the permutation.
static Numbers allOperands(Operation *op, ArrayRef<int64_t> permutation) {
  SmallVector<unsigned> numbers;
  for (OpOperand &operand : op->getOpOperands()) {
    if (shapeOf(operand.get()).size() != permutation.size())
      return std::nullopt;
    numbers.push_back(operand.getOperandNumber());
  }
  return numbers;
}

Numbers repro::findPermutedOperands(Operation *op,
                                    ArrayRef<int64_t> permutation) {
  if (op->getNumResults() != 1 ||
      shapeOf(op->getResult(0)).size() != permutation.size())
    return std::nullopt;
  if (auto fault = dyn_cast<FaultOpInterface>(op); fault && fault.mayFault())
    return std::nullopt;
  if (isSplatConstant(op))
    return SmallVector<unsigned>();
  if (auto permutable = dyn_cast<PermutableOpInterface>(op))
    return permutable.findPermutedOperands(permutation);
  if (!op->hasTrait<OpTrait::Elementwise>())
    return std::nullopt;
  return allOperands(op, permutation);
}

Value repro::buildPermuted(OpBuilder &builder, Operation *op,
                           ValueRange operands, ArrayRef<int64_t> permutation) {
  RankedTensorType type = permutedType(op->getResult(0), permutation);
  if (auto constant = dyn_cast<ConstantOp>(op))
    return ConstantOp::create(
        builder, op->getLoc(), type,
        cast<DenseElementsAttr>(constant.getValue()).reshape(type));
  if (auto permutable = dyn_cast<PermutableOpInterface>(op))
    return permutable.buildPermuted(builder, operands, permutation);
  IRMapping mapping;
  mapping.map(op->getOperands(), operands);
  Value result = builder.clone(*op, mapping)->getResult(0);
  result.setType(type);
  return result;
}

// Operands that have the outermost iterator of the result as their own: images
// of a batch, and not filters.
OPERANDS(ContractOp) {
  SmallVector<unsigned> numbers;
  for (unsigned number = 0; number < 2; ++number)
    if (shapeOf(getOperand(number)).size() == permutation.size() &&
        getMap(number).getResult(0) == getMap(2).getResult(0))
      numbers.push_back(number);
  return numbers;
}

PERMUTED(ContractOp) {
  const auto numbers = *findPermutedOperands(permutation);
  SmallVector<AffineMap> maps;
  for (unsigned number = 0; number < 3; ++number)
    maps.push_back(number == 2 || llvm::is_contained(numbers, number)
                       ? permutedMap(getMap(number), permutation)
                       : getMap(number));
  return ContractOp::create(
      builder, getLoc(), permutedType(getResult(), permutation), operands[0],
      operands[1], getDomain(), builder.getAffineMapArrayAttr(maps),
      getBoundsAttr(), getOrderAttr());
}

// Rows that are no windows may have to be adjacent (reduce_c2).
OPERANDS(ReduceOp) {
  return isRowForm() ? std::nullopt : allOperands(*this, permutation);
}

PERMUTED(ReduceOp) {
  return ReduceOp::create(
      builder, getLoc(), permutedType(getResult(), permutation), getKind(),
      operands[0], getDomain(),
      builder.getAffineMapArrayAttr({permutedMap(getMap(0), permutation),
                                     permutedMap(getMap(1), permutation)}),
      getOrderAttr());
}

/// The dimensions of the permuted result.
static SmallVector<int64_t> placesOf(ArrayRef<int64_t> dims,
                                     ArrayRef<int64_t> permutation) {
  return llvm::map_to_vector(dims, [&](int64_t dim) {
    return int64_t(llvm::find(permutation, dim) - permutation.begin());
  });
}

OPERANDS(BroadcastOp) {
  if (!llvm::is_sorted(placesOf(getDims(), permutation)))
    return std::nullopt;
  return SmallVector<unsigned>();
}

PERMUTED(BroadcastOp) {
  return BroadcastOp::create(builder, getLoc(),
                             permutedType(getResult(), permutation),
                             operands[0], placesOf(getDims(), permutation));
}

OPERANDS(ConcatOp) { return allOperands(*this, permutation); }

PERMUTED(ConcatOp) {
  return ConcatOp::create(builder, getLoc(),
                          permutedType(getResult(), permutation), operands,
                          placesOf(getDim(), permutation).front());
}

OPERANDS(SliceOp) { return allOperands(*this, permutation); }

PERMUTED(SliceOp) {
  return SliceOp::create(
      builder, getLoc(), permutedType(getResult(), permutation), operands[0],
      permuted(getStart(), permutation), permuted(getLimit(), permutation),
      permuted(getStride(), permutation));
}

OPERANDS(PadOp) { return SmallVector<unsigned>{0}; }

PERMUTED(PadOp) {
  return PadOp::create(
      builder, getLoc(), permutedType(getResult(), permutation), operands[0],
      operands[1], permuted(getLow(), permutation),
      permuted(getHigh(), permutation), permuted(getInterior(), permutation));
}
