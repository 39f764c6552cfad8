// See ScanCode.h.

#include "ScanCode.h"

#include "gensyn/Codegen/Emit/ReduceKinds.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"

using namespace mlir;

namespace gensyn::gpu {

ScanCode::ScanCode(repro::KernelOp kernel, const ScanLayout &layout,
                   const Target &target, const KernelFunction &function,
                   OpBuilder &builder)
    : LaunchCode(kernel, target, function, builder), layout(layout),
      b(builder, location, function.function, target),
      scalar(codegen::getScalarType(layout.element)), block(blockId()) {}

SmallVector<Value> ScanCode::place(Value row, Value column) {
  repro::ScanOp scan = layout.scan;
  return codegen::insertIndex(index.delinearize(row, layout.rowExtents),
                              static_cast<int64_t>(scan.getDim()), column);
}

Value ScanCode::read(Value row, Value column) {
  repro::ScanOp scan = layout.scan;
  PointerEmitter emitter(b.b, kernel, function, target);
  Value value = emitter.element(scan.getOperand(), place(row, column));
  hasFailed |= !value;
  return value ? value : identity();
}

void ScanCode::write(Value value, Value row, Value column) {
  PointerEmitter emitter(b.b, kernel, function, target);
  emitter.store(value, function.outputs[0], place(row, column));
}

Value ScanCode::readBack(Value row, Value column) {
  PointerEmitter emitter(b.b, kernel, function, target);
  return emitter.readBuffer(layout.element, function.outputs[0],
                            place(row, column));
}

Value ScanCode::identity() {
  repro::ScanOp scan = layout.scan;
  PointerEmitter emitter(b.b, kernel, function, target);
  emit::Scalar arithmetic(emitter, layout.element);
  return emit::emitIdentity(arithmetic, scan.getKind(), layout.element);
}

Value ScanCode::combine(Value x, Value y) {
  repro::ScanOp scan = layout.scan;
  PointerEmitter emitter(b.b, kernel, function, target);
  emit::Scalar arithmetic(emitter, layout.element);
  return emitter.canonical(emit::emitCombine(arithmetic, scan.getKind(), x, y));
}

Value ScanCode::address(Value buffer, Value at) {
  Value wide = arith::IndexCastOp::create(b.b, b.loc, b.b.getI64Type(), at);
  return LLVM::GEPOp::create(b.b, b.loc, buffer.getType(), scalar, buffer,
                             ValueRange{wide}, LLVM::GEPNoWrapFlags::inbounds);
}

Value ScanCode::loadWord(Value buffer, Value at) {
  return b.load(scalar, address(buffer, at), 1);
}
void ScanCode::storeWord(Value value, Value buffer, Value at) {
  b.store(value, address(buffer, at));
}
Value ScanCode::loadShared(Value slot) {
  return b.load(scalar, b.far(function.shared, slot, bytes()), 1);
}
void ScanCode::storeShared(Value value, Value slot) {
  b.store(value, b.far(function.shared, slot, bytes()));
}

} // namespace gensyn::gpu
