// Emits each element once per region.

#include "gensyn/Codegen/Kernel/KernelEmitter.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace gensyn::codegen {

size_t KernelEmitter::Hash::operator()(const ElementKey &key) const {
  return llvm::hash_combine(
      hash_value(key.first),
      llvm::hash_combine_range(key.second.begin(), key.second.end()));
}
size_t KernelEmitter::Hash::operator()(const IndexKey &key) const {
  return llvm::hash_combine(key.operation, hash_value(key.lhs),
                            hash_value(key.rhs), key.constant);
}

KernelEmitter::KernelEmitter(OpBuilder &builder, Location location)
    : repro::ElementEmitter(builder, location), scopes(1) {}

void KernelEmitter::bindAll(repro::KernelOp kernel, ValueRange inputs,
                            ValueRange slots) {
  for (auto [argument, buffer] :
       llvm::zip_equal(kernel.getBlock().getArguments(), inputs))
    bind(argument, buffer);
  for (auto [op, slot] : llvm::zip_equal(kernel.getFaultingOps(), slots))
    bindFault(op, slot);
}

FailureOr<SmallVector<Value>> KernelEmitter::results(repro::KernelOp kernel,
                                                     ArrayRef<Value> indices) {
  SmallVector<Value> values;
  for (Value yielded : kernel.getYielded()) {
    values.push_back(element(yielded, indices));
    if (!values.back())
      return failure();
  }
  return values;
}

void KernelEmitter::define(Value tensor, ArrayRef<Value> indices, Value value) {
  scopes.back().elements[{tensor, SmallVector<Value>(indices)}] = value;
}

void KernelEmitter::inNestedRegion(function_ref<void()> emit) {
  scopes.emplace_back();
  auto leave = llvm::make_scope_exit([&] { scopes.pop_back(); });
  emit();
}

Value KernelEmitter::lookup(Value tensor, ArrayRef<Value> indices) {
  const ElementKey key = {tensor, SmallVector<Value>(indices)};
  for (const Scope &scope : scopes)
    if (auto found = scope.elements.find(key); found != scope.elements.end())
      return found->second;
  return {};
}

Value KernelEmitter::element(Value tensor, ArrayRef<Value> indices) {
  if (Value known = lookup(tensor, indices))
    return known;
  Value value;
  if (Value buffer = buffers.lookup(tensor)) {
    value = load(tensor, buffer, indices);
  } else {
    auto result = dyn_cast<OpResult>(tensor);
    auto op = result ? dyn_cast<repro::ElementOpInterface>(result.getOwner())
                     : repro::ElementOpInterface();
    if (!op) {
      emitError(location) << "no element of a value that is neither in a "
                             "buffer nor computed in the kernel";
      return {};
    }
    value = op.emitElement(*this, result.getResultNumber(), indices);
  }
  if (value)
    scopes.back().elements.emplace(
        ElementKey{tensor, SmallVector<Value>(indices)}, value);
  return value;
}

Value KernelEmitter::load(Value tensor, Value buffer, ArrayRef<Value> indices) {
  return readBuffer(cast<ShapedType>(tensor.getType()).getElementType(), buffer,
                    indices);
}

Value KernelEmitter::readBuffer(Type element, Value buffer,
                                ArrayRef<Value> indices) {
  Value value = memref::LoadOp::create(builder, location, buffer, indices);
  if (!element.isInteger(1))
    return value;
  return arith::TruncIOp::create(builder, location, builder.getI1Type(), value);
}

void KernelEmitter::fault(Operation *op, Value condition, Value position) {
  // The slot is updated by an integer minimum, so the order of threads does not
  // matter.
  auto branch = scf::IfOp::create(builder, location, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value slot = faults.at(op);
  Value number = arith::IndexCastUIOp::create(builder, location,
                                              builder.getI64Type(), position);
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  memref::AtomicRMWOp::create(builder, location, number.getType(),
                              arith::AtomicRMWKind::minu, number, slot,
                              ValueRange{zero});
}

void KernelEmitter::store(Value value, Value buffer, ArrayRef<Value> indices) {
  value = canonical(value);
  if (value.getType().isInteger(1))
    value =
        arith::ExtUIOp::create(builder, location, builder.getI8Type(), value);
  memref::StoreOp::create(builder, location, value, buffer, indices);
}

Value KernelEmitter::markComputed(Value value) {
  computed.insert(value);
  return value;
}

Value KernelEmitter::canonical(Value value) {
  auto real = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
  if (!real || !computed.contains(value))
    return value;
  const unsigned width = real.getWidth();
  APInt bits(width, width == 32 ? 0x7FC00000 : 0x7FF8000000000000);
  TypedAttr attribute =
      builder.getFloatAttr(real, APFloat(real.getFloatSemantics(), bits));
  if (auto shaped = dyn_cast<ShapedType>(value.getType()))
    attribute = DenseElementsAttr::get(shaped, attribute);
  Value nan = arith::ConstantOp::create(builder, location, attribute);
  Value unordered = arith::CmpFOp::create(
      builder, location, arith::CmpFPredicate::UNO, value, value);
  return arith::SelectOp::create(builder, location, unordered, nan, value);
}

Value KernelEmitter::constantIndex(int64_t value) {
  IndexKey key = {-1, {}, {}, value};
  for (const Scope &scope : scopes)
    if (auto found = scope.indices.find(key); found != scope.indices.end())
      return found->second;
  Value constant = arith::ConstantIndexOp::create(builder, location, value);
  scopes.back().indices.emplace(key, constant);
  return constant;
}

Value KernelEmitter::combine(int operation, Value lhs, Value rhs) {
  IndexKey key = {operation, lhs, rhs, 0};
  for (const Scope &scope : scopes)
    if (auto found = scope.indices.find(key); found != scope.indices.end())
      return found->second;
  Value result;
  switch (static_cast<AffineExprKind>(operation)) {
  case AffineExprKind::Add:
    result = builder.createOrFold<arith::AddIOp>(location, lhs, rhs);
    break;
  case AffineExprKind::Mul:
    result = builder.createOrFold<arith::MulIOp>(location, lhs, rhs);
    break;
  case AffineExprKind::Mod:
    result = builder.createOrFold<arith::RemUIOp>(location, lhs, rhs);
    break;
  default:
    result = builder.createOrFold<arith::DivUIOp>(location, lhs, rhs);
    break;
  }
  scopes.back().indices.emplace(key, result);
  return result;
}

Value KernelEmitter::apply(AffineExpr expr, ArrayRef<Value> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantIndex(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = apply(binary.getLHS(), dims);
  Value rhs = apply(binary.getRHS(), dims);
  return combine(static_cast<int>(expr.getKind()), lhs, rhs);
}

} // namespace gensyn::codegen
