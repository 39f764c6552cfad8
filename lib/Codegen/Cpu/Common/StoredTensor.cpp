// See StoredTensor.h.

#include "StoredTensor.h"

#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gensyn::cpu {

StoredTensor::StoredTensor(CpuBuilder &code, Type element, bool hasHalf)
    : code(code), element(element), stored(codegen::getScalarType(element)),
      hasHalf(hasHalf) {}

VectorType StoredTensor::vector() const {
  return VectorType::get({code.lanes}, stored);
}

Value StoredTensor::widen(Value value) const {
  if (!isConverted() || isRaw)
    return value;
  auto like = [&](Type of) {
    return isa<VectorType>(value.getType())
               ? Type(VectorType::get({code.lanes}, of))
               : of;
  };
  // NaNs keep their payloads here: sums become canonical at the end (g4).
  if (element.isBF16() && code.element.isF32()) {
    Value wide =
        arith::ExtUIOp::create(code.b, code.loc, like(code.i32), value);
    Value sixteen = arith::ConstantOp::create(
        code.b, code.loc,
        isa<VectorType>(wide.getType())
            ? TypedAttr(DenseElementsAttr::get(code.indices,
                                               code.b.getI32IntegerAttr(16)))
            : TypedAttr(code.b.getI32IntegerAttr(16)));
    Value bits = arith::ShLIOp::create(code.b, code.loc, wide, sixteen);
    return arith::BitcastOp::create(code.b, code.loc, like(code.element), bits);
  }
  if (element.isF16() && hasHalf) {
    Value half =
        arith::BitcastOp::create(code.b, code.loc, like(element), value);
    return arith::ExtFOp::create(code.b, code.loc, like(code.element), half);
  }
  codegen::KernelEmitter emitter(code.b, code.loc);
  return emit::Scalar(emitter, element).convert(value, code.element);
}

Value StoredTensor::narrow(Value value) const {
  if (!isConverted() || isRaw)
    return value;
  return arith::TruncIOp::create(code.b, code.loc, vector(), value);
}

Value StoredTensor::loadScalar(Value pointer) const {
  return widen(
      LLVM::LoadOp::create(code.b, code.loc, stored, pointer, alignment()));
}
Value StoredTensor::load(Value pointer) const {
  return widen(
      LLVM::LoadOp::create(code.b, code.loc, vector(), pointer, alignment()));
}
void StoredTensor::store(Value value, Value pointer) const {
  LLVM::StoreOp::create(code.b, code.loc, narrow(value), pointer, alignment());
}

Value StoredTensor::load(Value pointer, Value mask) const {
  if (!mask)
    return load(pointer);
  Value zero =
      arith::ConstantOp::create(code.b, code.loc, code.b.getZeroAttr(vector()));
  return widen(LLVM::MaskedLoadOp::create(code.b, code.loc, vector(), pointer,
                                          mask, zero, alignment()));
}
void StoredTensor::store(Value value, Value pointer, Value mask) const {
  if (!mask)
    return store(value, pointer);
  LLVM::MaskedStoreOp::create(code.b, code.loc, narrow(value), pointer, mask,
                              alignment());
}
Value StoredTensor::loadLanes(Value pointer) const {
  const auto width = unsigned(code.bytes() * 8);
  return LLVM::LoadOp::create(
      code.b, code.loc,
      VectorType::get({code.lanes}, code.b.getIntegerType(width)), pointer,
      alignment());
}
// The element with the lowest bits is the first in memory: all targets are
// little-endian.
Value StoredTensor::elementOfLanes(Value lanes, int64_t part) const {
  if (part > 0) {
    auto type = cast<VectorType>(lanes.getType());
    Value bits = arith::ConstantOp::create(
        code.b, code.loc,
        DenseElementsAttr::get(
            type,
            code.b.getIntegerAttr(type.getElementType(), part * bytes() * 8)));
    lanes = arith::ShRUIOp::create(code.b, code.loc, lanes, bits);
  }
  const auto narrow = VectorType::get(
      {code.lanes}, code.b.getIntegerType(unsigned(bytes() * 8)));
  if (narrow != lanes.getType())
    lanes = arith::TruncIOp::create(code.b, code.loc, narrow, lanes);
  if (vector() != narrow)
    lanes = arith::BitcastOp::create(code.b, code.loc, vector(), lanes);
  return widen(lanes);
}

Value StoredTensor::gather(Value pointers, Value mask) const {
  Value zero =
      arith::ConstantOp::create(code.b, code.loc, code.b.getZeroAttr(vector()));
  return widen(LLVM::masked_gather::create(code.b, code.loc, vector(), pointers,
                                           mask, ValueRange{zero},
                                           alignment()));
}
void StoredTensor::scatter(Value value, Value pointers, Value mask) const {
  LLVM::masked_scatter::create(code.b, code.loc, narrow(value), pointers, mask,
                               alignment());
}

} // namespace gensyn::cpu
