// Several instances of an op as one op: the instances become the first
// dimension, and the first iterator of maps.

#include "gensyn/Dialect/Repro/IR/Batched.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

#define INSTANCES(Op)                                                          \
  Value Op::buildInstances(OpBuilder &builder, int64_t count,                  \
                           ValueRange operands, ArrayRef<bool> isBatched)

/// The type of `count` values of `type`.
static RankedTensorType typeOfMany(int64_t count, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape = {count};
  llvm::append_range(shape, tensor.getShape());
  return tensor.clone(shape);
}

/// The map with one more iterator, the first; it is the first result where
/// `isBatched`.
static AffineMap withInstances(AffineMap map, bool isBatched) {
  map = map.shiftDims(1);
  return isBatched ? map.insertResult(getAffineDimExpr(0, map.getContext()), 0)
                   : map;
}

static SmallVector<int64_t> withFirst(int64_t first, ArrayRef<int64_t> rest) {
  SmallVector<int64_t> all = {first};
  llvm::append_range(all, rest);
  return all;
}

/// Dimension numbers after the instances became dimension 0.
static SmallVector<int64_t> shifted(ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [](int64_t dim) { return dim + 1; });
}

Value repro::repeatFor(OpBuilder &builder, Location location, int64_t count,
                       Value value) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < typeOf(value).getRank(); ++dim)
    dims.push_back(dim + 1);
  return createBroadcast(builder, location, value,
                         typeOfMany(count, value.getType()), dims);
}

Value repro::buildBatched(OpBuilder &builder, Operation *op, int64_t count,
                          ValueRange operands, ArrayRef<bool> isBatched) {
  if (auto batchable = dyn_cast<BatchableOpInterface>(op))
    return batchable.buildInstances(builder, count, operands, isBatched);
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
    return {};
  IRMapping mapping;
  for (auto [old, operand, batched] :
       llvm::zip_equal(op->getOperands(), operands, isBatched))
    mapping.map(old, batched
                         ? operand
                         : repeatFor(builder, op->getLoc(), count, operand));
  Operation *many = builder.clone(*op, mapping);
  Value result = many->getResult(0);
  result.setType(typeOfMany(count, result.getType()));
  return result;
}

INSTANCES(ContractOp) {
  MLIRContext *context = builder.getContext();
  auto domain =
      DomainAttr::get(context, withFirst(count, getDomain().getExtents()),
                      shifted(getDomain().getReduced()));
  ArrayAttr maps = builder.getAffineMapArrayAttr(
      {withInstances(getMap(0), isBatched[0]),
       withInstances(getMap(1), isBatched[1]), withInstances(getMap(2), true)});
  return ContractOp::create(builder, getLoc(), typeOfMany(count, getType()),
                            operands[0], operands[1], domain, maps,
                            getBoundsAttr(), getOrderAttr());
}

INSTANCES(GatherOp) {
  SmallVector<AffineMap> maps;
  for (unsigned number = 0; number < getMaps().size(); ++number)
    maps.push_back(withInstances(getMap(number), isBatched[number]));
  return GatherOp::create(builder, getLoc(), typeOfMany(count, getType()),
                          operands[0], operands.drop_front(),
                          builder.getAffineMapArrayAttr(maps), getBounds());
}

INSTANCES(ReshapeOp) {
  return createReshape(builder, getLoc(), operands[0],
                       typeOfMany(count, getType()).getShape());
}

INSTANCES(TransposeOp) {
  return TransposeOp::create(builder, getLoc(), typeOfMany(count, getType()),
                             operands[0],
                             withFirst(0, shifted(getPermutation())));
}

INSTANCES(BroadcastOp) {
  return BroadcastOp::create(builder, getLoc(), typeOfMany(count, getType()),
                             operands[0], withFirst(0, shifted(getDims())));
}

INSTANCES(SliceOp) {
  return SliceOp::create(builder, getLoc(), typeOfMany(count, getType()),
                         operands[0], withFirst(0, getStart()),
                         withFirst(count, getLimit()),
                         withFirst(1, getStride()));
}

INSTANCES(ConcatOp) {
  SmallVector<Value> parts;
  for (auto [part, batched] : llvm::zip_equal(operands, isBatched))
    parts.push_back(batched ? part : repeatFor(builder, getLoc(), count, part));
  return ConcatOp::create(builder, getLoc(), typeOfMany(count, getType()),
                          parts, getDim() + 1);
}
