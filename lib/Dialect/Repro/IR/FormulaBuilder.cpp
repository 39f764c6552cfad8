// Formulas in repro ops; see FormulaBuilder.h.

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

Value FormulaBuilder::integers(Value like, int64_t value) {
  auto scalar = RankedTensorType::get({}, typeOf(like).getElementType());
  Attribute element = builder.getIntegerAttr(scalar.getElementType(), value);
  auto elements = DenseElementsAttr::get(scalar, element);
  Value constant = ConstantOp::create(builder, location, scalar, elements);
  return spread(constant, like);
}

Value FormulaBuilder::spread(Value scalar, Value like) {
  auto type = typeOf(like).clone(typeOf(scalar).getElementType());
  return createBroadcast(builder, location, scalar, type, {});
}

Value FormulaBuilder::convertAndSpread(Value scalar, Value like) {
  return spread(convert(scalar, typeOf(like).getElementType()), like);
}

Value FormulaBuilder::convert(Value value, Type elementType) {
  RankedTensorType type = typeOf(value);
  if (type.getElementType() == elementType)
    return value;
  return ConvertOp::create(builder, location, type.clone(elementType), value);
}

template <class Op, class... Rest>
Value FormulaBuilder::build(Value a, Rest... rest) {
  return Op::create(builder, location, a.getType(), a, rest...);
}

Value FormulaBuilder::add(Value a, Value b) { return build<AddOp>(a, b); }
Value FormulaBuilder::sub(Value a, Value b) { return build<SubOp>(a, b); }
Value FormulaBuilder::mul(Value a, Value b) { return build<MulOp>(a, b); }
Value FormulaBuilder::div(Value a, Value b) { return build<DivOp>(a, b); }
Value FormulaBuilder::max(Value a, Value b) { return build<MaxOp>(a, b); }
Value FormulaBuilder::min(Value a, Value b) { return build<MinOp>(a, b); }
Value FormulaBuilder::neg(Value a) { return build<NegOp>(a); }
Value FormulaBuilder::abs(Value a) { return build<AbsOp>(a); }
Value FormulaBuilder::sqrt(Value a) { return build<SqrtOp>(a); }
Value FormulaBuilder::exp(Value a) { return build<ExpOp>(a); }
Value FormulaBuilder::log(Value a) { return build<LogOp>(a); }
Value FormulaBuilder::log1p(Value a) { return build<Log1pOp>(a); }
Value FormulaBuilder::bitAnd(Value a, Value b) { return build<AndOp>(a, b); }
Value FormulaBuilder::compare(CompareKind kind, Value a, Value b) {
  return CompareOp::create(builder, location,
                           typeOf(a).clone(builder.getI1Type()), kind, a, b);
}
Value FormulaBuilder::select(Value predicate, Value a, Value b) {
  return SelectOp::create(builder, location, a.getType(), predicate, a, b);
}
Value FormulaBuilder::fma(Value a, Value b, Value c) {
  return FmaOp::create(builder, location, b.getType(), a, b, c);
}

Value FormulaBuilder::sum(Value value) {
  int64_t rank = typeOf(value).getRank();
  if (rank == 0)
    return value;
  return createReduce(builder, location, ReduceKind::Sum, value, 0, rank - 1);
}

Value FormulaBuilder::norm(Value value) { return sqrt(sum(mul(value, value))); }

Value FormulaBuilder::sign(Value value) {
  Value negative = compare(CompareKind::Lt, value, 0.0);
  Value positive = compare(CompareKind::Gt, value, 0.0);
  Value others = select(negative, fill(value, -1.0), value);
  return select(positive, fill(value, 1.0), others);
}

Value FormulaBuilder::lerp(Value a, Value b, double weight) {
  if (typeOf(a).getElementType().isF32())
    weight = static_cast<float>(weight);
  bool small = std::abs(weight) < 0.5;
  // weight - 1 is exact in the element type, since weight is at least 0.5 here.
  return fma(small ? weight : weight - 1.0, sub(b, a), small ? a : b);
}
