// Verifiers of the ops of a training step.

#include "gensyn/Dialect/Train/IR/Train.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

/// Appends the types of a microbatch's slices; fails after an error.
static LogicalResult appendParts(AccumulateOp op, SmallVector<Type> &types) {
  const int64_t parts = op.getMicrobatches();
  for (Type type : op.getSplit().getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getRank() == 0 || tensor.getDimSize(0) % parts)
      return op.emitOpError("cannot cut ") << type << " into " << parts;
    SmallVector<int64_t> shape(tensor.getShape());
    shape[0] /= parts;
    types.push_back(tensor.clone(shape));
  }
  return success();
}

LogicalResult AccumulateOp::verify() {
  Block &block = getBody().front();
  Builder builder(getContext());
  SmallVector<Type> wanted = {RankedTensorType::get({}, builder.getI64Type())};
  if (failed(appendParts(*this, wanted)))
    return failure();
  llvm::append_range(wanted, getCarried().getTypes());
  llvm::append_range(wanted, getShared().getTypes());
  if (block.getArgumentTypes() != TypeRange(wanted)) // accumulate_c1
    return emitOpError("gives its body other values than it has");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getOperandTypes() != getResultTypes() ||
      getNumResults() < getCarried().size())
    return emitOpError("yields other values than it returns");
  for (auto [type, carried] :
       llvm::zip(getResultTypes(), getCarried().getTypes()))
    if (type != carried)
      return emitOpError("carries ") << carried << " and yields " << type;
  for (Type type : llvm::drop_begin(getResultTypes(), getCarried().size()))
    if (!isa<FloatType>(cast<RankedTensorType>(type).getElementType()))
      return emitOpError("sums ") << type << ", expected a tensor of floats";
  return success(); // accumulate_c2
}
