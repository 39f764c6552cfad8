// Functions and bitcast.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

FailureOr<SmallVector<Tensor>> SinOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult SinOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                              MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t SinOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> CosOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult CosOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                              MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t CosOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> TanOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult TanOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                              MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t TanOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> AsinOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult AsinOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t AsinOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> AcosOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult AcosOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t AcosOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> AtanOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult AtanOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t AtanOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> SinhOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult SinhOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t SinhOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> CoshOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult CoshOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t CoshOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> AsinhOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult AsinhOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t AsinhOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> AcoshOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult AcoshOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t AcoshOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> AtanhOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult AtanhOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t AtanhOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> PowOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult PowOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                              MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t PowOp::getFlops() { return 0; }
FailureOr<SmallVector<Tensor>> BitcastOp::evaluate(ArrayRef<Tensor>) {
  return emitOpError("has no reference meaning"), failure();
}
LogicalResult BitcastOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  MutableArrayRef<Value>) {
  return emitOpError("has no derivative");
}
int64_t BitcastOp::getFlops() { return 0; }
