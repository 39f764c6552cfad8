// Arithmetic, logic and conversions of single elements.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;
using repro::RoundKind;

namespace {
/// Converts an operator with one input to one op.
template <class Op> Value convertUnary(NodeBuilder &b) {
  return b.unary<Op>(b.first());
}

/// Converts an operator with inputs A and B to one op.
template <class Op> Value convertBinary(NodeBuilder &b) {
  return b.binary<Op>(b.operand("A"), b.operand("B"));
}

template <RoundKind kind> Value convertRound(NodeBuilder &b) {
  return b.round(kind, b.operand("X"));
}

/// Converts an operator with a list of inputs to a chain from left to right.
template <class Op> Value convertChain(NodeBuilder &b) {
  Values all = b.operands(b.node.formalInput(0));
  Value result = all[0];
  for (Value next : llvm::drop_begin(all))
    result = b.binary<Op>(result, next);
  return result;
}

/// Min or Max of a value and a bound is a select, as in a Clip: no gradient
/// flows at the bound.
template <class Op, CompareKind kind> Value convertExtremum(NodeBuilder &b) {
  if (!b.node->hasAttr(gensyn::onnx::names::isBounded))
    return convertChain<Op>(b);
  Values all = b.operands(b.node.formalInput(0));
  Value x = all[0];
  for (Value bound : llvm::drop_begin(all)) {
    bound = b.broadcastTo(bound, shapeOf(x));
    x = b.select(b.compare(kind, x, bound), bound, x);
  }
  return x;
}
} // namespace

static bool isUnsigned(Value value) {
  return elementOf(value).isUnsignedInteger();
}

static Value convertAbs(NodeBuilder &b) {
  Value x = b.operand("X");
  return isUnsigned(x) ? x : b.unary<repro::AbsOp>(x);
}

/// The sum of the inputs, left to right, divided by their number.
static Value convertMean(NodeBuilder &b) {
  Value sum = convertChain<repro::AddOp>(b);
  return b.div(sum, b.fill(double(b.node->getNumOperands()), sum));
}

static Value convertReciprocal(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.div(b.fill(1, x), x);
}

/// Powers without a logarithm: exact, or rounded once per multiplication, which
/// for 2 and 3 matches PyTorch. Null for other exponents.
static Value convertConstantPow(NodeBuilder &b, Value x, double exponent) {
  if (exponent == 0)
    return b.fill(1, x);
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return b.mul(x, x);
  if (exponent == 3)
    return b.mul(b.mul(x, x), x);
  if (isFloat(x) && exponent == -1)
    return b.div(b.fill(1, x), x);
  if (isFloat(x) && exponent == 0.5)
    return b.unary<repro::SqrtOp>(x);
  if (isFloat(x) || exponent < 0 || exponent > 64 ||
      exponent != int64_t(exponent))
    return {};
  Value power = x;
  for (int64_t i = 1; i < int64_t(exponent); ++i)
    power = b.mul(power, x);
  return power;
}

/// Integral powers of integers, modulo 2^width, by squaring. A negative
/// exponent truncates 1 / x^-y: 1 and -1 stay, others give 0, and 0 gives all
/// ones as `div` does.
static Value convertIntegerPow(NodeBuilder &b, Value x, Value y) {
  Type exponents = elementOf(y);
  unsigned bits = exponents.getIntOrFloatBitWidth();
  Value one = b.fill(1, x), power = one, square = x, magnitude = y;
  Value negative;
  if (!isUnsigned(y)) {
    negative = b.compare(CompareKind::Lt, y, 0);
    magnitude = b.unary<repro::AbsOp>(y);
  }
  for (unsigned bit = 0; bit < bits; ++bit) {
    Value mask = b.binary<repro::AndOp>(
        b.binary<repro::ShrOp>(magnitude, b.fill(bit, magnitude)),
        b.fill(1, magnitude));
    Value isSet = b.compare(CompareKind::Ne, mask, 0);
    power = b.select(isSet, b.mul(power, square), power);
    if (bit + 1 < bits)
      square = b.mul(square, square);
  }
  return negative ? b.select(negative, b.div(one, power), power) : power;
}

/// The result has the base's type, and so has the arithmetic, except that a
/// base of integers is converted to f32 if the exponent is a fraction.
static Value convertPow(NodeBuilder &b) {
  Value x = b.operand("X"), y = b.operand("Y");
  if (std::optional<double> exponent = b.constantScalar(b.raw("Y"))) {
    Value base = b.broadcastTo(x, b.resultShape());
    if (Value power = convertConstantPow(b, base, *exponent))
      return power;
  }
  Type type = isFloat(x) ? elementOf(x) : b.builder.getF32Type();
  b.unify({&x, &y});
  if (!isFloat(x) && !isFloat(y))
    return convertIntegerPow(b, x, y);
  Value power = b.binary<repro::PowOp>(b.convert(x, type), b.convert(y, type));
  return b.convert(power, elementOf(x));
}

/// fmod = 1 is C's remainder. With fmod = 0 the result has the divisor's sign:
/// a nonzero remainder of the other sign gets the divisor added.
static Value convertMod(NodeBuilder &b) {
  Value x = b.operand("A"), y = b.operand("B");
  b.unify({&x, &y});
  Value rem = b.binary<repro::RemOp>(x, y);
  if (b.integer("fmod") == 1 || isUnsigned(x))
    return rem;
  Value zero = b.fill(0, rem);
  Value differ = b.binary<repro::XorOp>(b.compare(CompareKind::Lt, rem, zero),
                                        b.compare(CompareKind::Lt, y, zero));
  Value isZero = b.compare(CompareKind::Eq, rem, zero);
  Value shifted = b.select(differ, b.add(rem, y), rem);
  if (!isFloat(x))
    return b.select(isZero, zero, shifted);
  // Zero takes the divisor's sign.
  Value signedZero =
      b.select(b.compare(CompareKind::Lt, y, zero), b.fill(-0.0, rem), zero);
  return b.select(isZero, signedZero, shifted);
}

/// 1, 0 or -1; a NaN stays.
static Value convertSign(NodeBuilder &b) {
  Value x = b.operand("input");
  Value zero = b.fill(0, x), one = b.fill(1, x);
  Value rest = zero;
  if (isFloat(x))
    rest = b.select(b.compare(CompareKind::Eq, x, zero), zero, x);
  if (!isUnsigned(x))
    rest = b.select(b.compare(CompareKind::Lt, x, zero), b.fill(-1, x), rest);
  return b.select(b.compare(CompareKind::Gt, x, zero), one, rest);
}

/// `shl` and `shr` define amounts beyond the width.
static Value convertBitShift(NodeBuilder &b) {
  Value x = b.operand("X"), y = b.operand("Y");
  return b.string("direction") == "LEFT" ? b.binary<repro::ShlOp>(x, y)
                                         : b.binary<repro::ShrOp>(x, y);
}

/// The target type of Cast and CastLike is the inferred one.
static Value convertCast(NodeBuilder &b) {
  return b.convert(b.raw("input"), b.resultType().getElementType(),
                   b.narrowing());
}

/// In ONNX a bool is a byte: 0 or 1, and any other byte is true.
static Value convertBitCast(NodeBuilder &b) {
  Value x = b.raw("input");
  Type element = b.resultType().getElementType();
  if (elementOf(x) == element)
    return x;
  Type byte = b.builder.getIntegerType(8, /*isSigned=*/false);
  if (elementOf(x).isInteger(1))
    x = b.convert(x, byte);
  Type to = element.isInteger(1) ? byte : element;
  if (elementOf(x).getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return b.refuse("the element types have different widths");
  if (elementOf(x) != to)
    x = repro::BitcastOp::create(b.builder, b.location,
                                 RankedTensorType::get(shapeOf(x), to), x);
  return b.convert(x, element);
}

/// An Identity by which derivatives are taken must not be replaced by its
/// operand.
static Value convertIdentity(NodeBuilder &b) {
  Value value = b.raw("input");
  if (b.node->hasAttr(gensyn::onnx::names::stopsGradient))
    return b.stopGradient(value);
  if (!b.node->hasAttr(gensyn::onnx::names::variable))
    return value;
  return repro::ReshapeOp::create(b.builder, b.location, value.getType(),
                                  value);
}

static void addArithmetic(OperatorTable &table) {
  table.add("Add", {7, 13, 14}, convertBinary<repro::AddOp>);
  table.add("Sub", {7, 13, 14}, convertBinary<repro::SubOp>);
  table.add("Mul", {7, 13, 14}, convertBinary<repro::MulOp>);
  table.add("Div", {7, 13, 14}, convertBinary<repro::DivOp>);
  table.add("Pow", {7, 12, 13, 15}, convertPow);
  table.add("Mod", {10, 13, 28}, convertMod);
  table.add("Abs", {6, 13}, convertAbs);
  table.add("Neg", {6, 13}, convertUnary<repro::NegOp>);
  table.add("Sqrt", {6, 13}, convertUnary<repro::SqrtOp>);
  table.add("Exp", {6, 13}, convertUnary<repro::ExpOp>);
  table.add("Log", {6, 13}, convertUnary<repro::LogOp>);
  table.add("Erf", {9, 13}, convertUnary<repro::ErfOp>);
  table.add("Reciprocal", {6, 13}, convertReciprocal);
  table.add("Sign", {9, 13}, convertSign);
  table.add("Floor", {6, 13}, convertRound<RoundKind::Floor>);
  table.add("Ceil", {6, 13}, convertRound<RoundKind::Ceil>);
  table.add("Round", {11, 22}, convertRound<RoundKind::Even>);
  table.add("Min", {8, 12, 13}, convertExtremum<repro::MinOp, CompareKind::Ge>);
  table.add("Max", {8, 12, 13}, convertExtremum<repro::MaxOp, CompareKind::Le>);
  table.add("Sum", {8, 13}, convertChain<repro::AddOp>);
  table.add("Mean", {8, 13}, convertMean);
}

static void addTrigonometry(OperatorTable &table) {
  table.add("Sin", {7, 22}, convertUnary<repro::SinOp>);
  table.add("Cos", {7, 22}, convertUnary<repro::CosOp>);
  table.add("Tan", {7, 22}, convertUnary<repro::TanOp>);
  table.add("Asin", {7, 22}, convertUnary<repro::AsinOp>);
  table.add("Acos", {7, 22}, convertUnary<repro::AcosOp>);
  table.add("Atan", {7, 22}, convertUnary<repro::AtanOp>);
  table.add("Sinh", {9, 22}, convertUnary<repro::SinhOp>);
  table.add("Cosh", {9, 22}, convertUnary<repro::CoshOp>);
  table.add("Asinh", {9, 22}, convertUnary<repro::AsinhOp>);
  table.add("Acosh", {9, 22}, convertUnary<repro::AcoshOp>);
  table.add("Atanh", {9, 22}, convertUnary<repro::AtanhOp>);
}

void onnx_to_repro::addElementwise(OperatorTable &table) {
  addArithmetic(table);
  addTrigonometry(table);
  table.add("And", {7}, convertBinary<repro::AndOp>);
  table.add("Or", {7}, convertBinary<repro::OrOp>);
  table.add("Xor", {7}, convertBinary<repro::XorOp>);
  table.add("Not", {1}, convertUnary<repro::NotOp>);
  table.add("BitwiseAnd", {18}, convertBinary<repro::AndOp>);
  table.add("BitwiseOr", {18}, convertBinary<repro::OrOp>);
  table.add("BitwiseXor", {18}, convertBinary<repro::XorOp>);
  table.add("BitwiseNot", {18}, convertUnary<repro::NotOp>);
  table.add("BitShift", {11, 28}, convertBitShift);
  table.add("Cast", {6, 9, 13, 19, 21, 23, 24, 25, 28}, convertCast);
  table.add("CastLike", {15, 19, 21, 23, 24, 25}, convertCast);
  table.add("BitCast", {26}, convertBitCast);
  table.add("Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}, convertIdentity);
}
