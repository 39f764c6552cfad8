// The parts of the emitting arithmetic policy that are not templates.

#include "gensyn/Codegen/Emit/Arithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <bit>

using namespace mlir;

namespace gensyn::emit {

Type Emit::shaped(Type element) const {
  return laneCount ? VectorType::get({laneCount}, element) : element;
}

Value Emit::constant(Type element, uint64_t bits) const {
  TypedAttr attribute;
  if (auto real = dyn_cast<FloatType>(element)) {
    APInt pattern(real.getWidth(), bits);
    attribute =
        builder->getFloatAttr(real, APFloat(real.getFloatSemantics(), pattern));
  } else {
    unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    attribute =
        builder->getIntegerAttr(element, APInt(width, bits, /*isSigned=*/false,
                                               /*implicitTrunc=*/true));
  }
  if (laneCount && !element.isIndex())
    attribute =
        DenseElementsAttr::get(cast<ShapedType>(shaped(element)), attribute);
  return arith::ConstantOp::create(*builder, location, attribute);
}

Emit::F32 Emit::f32(float c) const {
  return {builder, constant(builder->getF32Type(), std::bit_cast<uint32_t>(c))};
}
Emit::F64 Emit::f64(double c) const {
  return {builder, constant(builder->getF64Type(), std::bit_cast<uint64_t>(c))};
}
Emit::I32 Emit::i32(uint32_t c) const {
  return {builder, constant(builder->getI32Type(), c)};
}
Emit::I64 Emit::i64(uint64_t c) const {
  return {builder, constant(builder->getI64Type(), c)};
}
Emit::Index Emit::index(int64_t c) const {
  return {builder, constant(builder->getIndexType(), static_cast<uint64_t>(c))};
}

Emit::F64 Emit::widen(F32 x) const {
  return {builder, builder->createOrFold<arith::ExtFOp>(
                       location, shaped(builder->getF64Type()), x.value)};
}
Emit::F32 Emit::narrow(F64 x) const {
  return {builder, builder->createOrFold<arith::TruncFOp>(
                       location, shaped(builder->getF32Type()), x.value)};
}
Emit::I64 Emit::extend(I32 x) const {
  return {builder, builder->createOrFold<arith::ExtUIOp>(
                       location, shaped(builder->getI64Type()), x.value)};
}
Emit::I32 Emit::truncate(I64 x) const {
  return {builder, builder->createOrFold<arith::TruncIOp>(
                       location, shaped(builder->getI32Type()), x.value)};
}

Emit::I64 Emit::shiftLeft(I64 x, I64 n) const {
  return {builder,
          builder->createOrFold<arith::ShLIOp>(location, x.value, n.value)};
}
Emit::I64 Emit::shiftRight(I64 x, I64 n) const {
  return {builder,
          builder->createOrFold<arith::ShRUIOp>(location, x.value, n.value)};
}

Emit::Index Emit::position(I64 x) const {
  return {builder, builder->createOrFold<arith::IndexCastOp>(
                       location, builder->getIndexType(), x.value)};
}
Emit::I64 Emit::number(Index i) const {
  return {builder, builder->createOrFold<arith::IndexCastOp>(
                       location, builder->getI64Type(), i.value)};
}
Emit::Index Emit::minimum(Index a, Index b) const {
  return {builder,
          builder->createOrFold<arith::MinSIOp>(location, a.value, b.value)};
}
Emit::Index Emit::quotient(Index x, int64_t c) const {
  return {builder, builder->createOrFold<arith::DivUIOp>(location, x.value,
                                                         index(c).value)};
}

Value Emit::fmaOf(Value a, Value b, Value c) const {
  return math::FmaOp::create(*builder, location, a, b, c);
}
Value Emit::sqrtOf(Value x) const {
  return math::SqrtOp::create(*builder, location, x);
}
Value Emit::bitcast(Value x, Type element) const {
  return builder->createOrFold<arith::BitcastOp>(location, shaped(element), x);
}
Value Emit::sarOf(Value x, int amount) const {
  Value by = constant(getElementTypeOrSelf(x.getType()),
                      static_cast<uint64_t>(amount));
  return builder->createOrFold<arith::ShRSIOp>(location, x, by);
}
Value Emit::unordered(Value x) const {
  return arith::CmpFOp::create(*builder, location, arith::CmpFPredicate::UNO, x,
                               x);
}
Value Emit::selectOf(Value m, Value a, Value b) const {
  return builder->createOrFold<arith::SelectOp>(location, m, a, b);
}

/// At the function's entry rather than in a loop's body, where every iteration
/// would grow the stack.
Value Emit::allocate(int64_t count, Type type) const {
  auto function = builder->getInsertionBlock()
                      ->getParent()
                      ->getParentOfType<FunctionOpInterface>();
  OpBuilder entry = OpBuilder::atBlockBegin(&function.front());
  return memref::AllocaOp::create(entry, location,
                                  MemRefType::get({count}, type),
                                  entry.getI64IntegerAttr(64));
}

void Emit::inBody(scf::ForOp loop, function_ref<void()> emit) const {
  OpBuilder::InsertionGuard guard(*builder);
  Block *body = loop.getBody();
  if (body->mightHaveTerminator())
    builder->setInsertionPoint(body->getTerminator());
  else
    builder->setInsertionPointToEnd(body);
  if (scope)
    scope->inNestedRegion(emit);
  else
    emit();
}

} // namespace gensyn::emit
