// See PointerEmitter.h.

#include "PointerEmitter.h"

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {

PointerEmitter::PointerEmitter(OpBuilder &builder, repro::KernelOp kernel,
                               const KernelFunction &function,
                               const Target &target)
    : KernelEmitter(builder, kernel.getLoc()), target(target) {
  for (auto [argument, pointer] :
       llvm::zip_equal(kernel.getBlock().getArguments(), function.inputs))
    bindPointer(argument, pointer);
  for (auto [result, pointer] :
       llvm::zip_equal(kernel.getResults(), function.outputs))
    types[pointer] = cast<RankedTensorType>(result.getType());
  for (auto [op, slot] :
       llvm::zip_equal(kernel.getFaultingOps(), function.faults))
    slots[op] = slot;
}

void PointerEmitter::bindPointer(Value tensor, Value pointer) {
  bind(tensor, pointer);
  types[pointer] = cast<RankedTensorType>(tensor.getType());
}

Value PointerEmitter::linearize(RankedTensorType type,
                                ArrayRef<Value> indices) {
  AffineExpr linear = builder.getAffineConstantExpr(0);
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    linear = linear * extent + builder.getAffineDimExpr(dim);
  return apply(linear, indices);
}

/// Returns the type of elements in memory; i1 takes a byte.
static Type storedType(Type element) {
  Type scalar = codegen::getScalarType(element);
  return scalar.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                             : scalar;
}

Value PointerEmitter::address(Type stored, Value pointer, Value position,
                              int64_t ahead) {
  // The cast folds away if index is lowered to the same width.
  Value number = arith::IndexCastOp::create(builder, location,
                                            builder.getI64Type(), position);
  // The position may be out of bounds before `ahead` is added.
  Value base = LLVM::GEPOp::create(
      builder, location, pointer.getType(), stored, pointer, ValueRange{number},
      ahead == 0 ? LLVM::GEPNoWrapFlags::inbounds : LLVM::GEPNoWrapFlags::none);
  if (ahead == 0)
    return base;
  Value more = arith::ConstantOp::create(builder, location,
                                         builder.getI64IntegerAttr(ahead));
  return LLVM::GEPOp::create(builder, location, pointer.getType(), stored, base,
                             ValueRange{more});
}

static Type registersOf(Type element, int64_t count) {
  return count == 1 ? element : Type(VectorType::get({count}, element));
}

Value PointerEmitter::loadAt(Type type, Value pointer, Value position,
                             int64_t count, int64_t ahead) {
  Type stored = storedType(type);
  const unsigned bytes = stored.getIntOrFloatBitWidth() / 8;
  Value value =
      LLVM::LoadOp::create(builder, location, registersOf(stored, count),
                           address(stored, pointer, position, ahead),
                           bytes * static_cast<unsigned>(count));
  if (!type.isInteger(1))
    return value;
  return arith::TruncIOp::create(
      builder, location, registersOf(builder.getI1Type(), count), value);
}

void PointerEmitter::storeAt(Value value, Value pointer, Value position,
                             int64_t ahead) {
  value = canonical(value);
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    count = vector.getNumElements();
  if (getElementTypeOrSelf(value.getType()).isInteger(1))
    value = arith::ExtUIOp::create(
        builder, location, registersOf(builder.getI8Type(), count), value);
  Type stored = getElementTypeOrSelf(value.getType());
  const unsigned bytes = stored.getIntOrFloatBitWidth() / 8;
  LLVM::StoreOp::create(builder, location, value,
                        address(stored, pointer, position, ahead),
                        bytes * static_cast<unsigned>(count));
}

Value PointerEmitter::load(Value tensor, Value buffer,
                           ArrayRef<Value> indices) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return loadAt(type.getElementType(), buffer, linearize(type, indices));
}

Value PointerEmitter::readBuffer(Type element, Value buffer,
                                 ArrayRef<Value> indices) {
  return loadAt(element, buffer, linearize(types.at(buffer), indices));
}

void PointerEmitter::store(Value value, Value buffer, ArrayRef<Value> indices) {
  storeAt(value, buffer, linearize(types.at(buffer), indices));
}

void PointerEmitter::fault(Operation *op, Value condition, Value position) {
  // The slot keeps the minimum, so the order of threads does not matter.
  auto branch = scf::IfOp::create(builder, location, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value number = arith::IndexCastUIOp::create(builder, location,
                                              builder.getI64Type(), position);
  LLVM::AtomicRMWOp::create(builder, location, LLVM::AtomicBinOp::umin,
                            slots.at(op), number,
                            LLVM::AtomicOrdering::monotonic);
}

} // namespace gensyn::gpu
