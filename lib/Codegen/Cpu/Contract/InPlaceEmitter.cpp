// See InPlaceEmitter.h.

#include "InPlaceEmitter.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

InPlaceEmitter::InPlaceEmitter(CpuBuilder &code, int64_t lanes)
    : KernelEmitter(code.b, code.loc), lanes(lanes) {}

Value InPlaceEmitter::splat(Value scalar) {
  if (lanes == 0)
    return scalar;
  return vector::BroadcastOp::create(
      builder, location, VectorType::get({lanes}, scalar.getType()), scalar);
}

Value InPlaceEmitter::element(Value tensor, ArrayRef<Value>) {
  if (Value known = lookup(tensor, {}))
    return known;
  Operation *op = tensor.getDefiningOp();
  if (isa_and_nonnull<repro::BroadcastOp, repro::ReshapeOp>(op))
    return element(op->getOperand(0), {});
  return KernelEmitter::element(tensor, {});
}

} // namespace gensyn::cpu
