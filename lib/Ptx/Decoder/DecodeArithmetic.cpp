// Decoding of integer and float arithmetic.

#include "Decoder.h"

namespace gensyn::ptx {
namespace {

bool hasFloatArithmetic(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F16x2 ||
         type == Type::BF16x2 || type == Type::F32 || type == Type::F32x2 ||
         type == Type::F64;
}

Type doubled(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return Type::None;
  }
}

} // namespace

/// The manual's default rounding is to nearest even.
bool Decoder::floatArithmetic(Op op, Type type, size_t count) {
  Rounding rounding = opcode.takeRounding();
  current.code.round = static_cast<uint8_t>(rounding);
  current.code.detail = static_cast<uint16_t>(op); // of directed roundings
  bool saturate = opcode.take("sat"), relu = opcode.take("relu");
  return expectOperands(count + 1, count + 1) && dest(0, type) &&
         sources(type, count) &&
         finish({.op = op, .type = type, .round = rounding}) &&
         (!saturate || finishWith(Op::FloatSaturate, type)) &&
         (!relu || finishWith(Op::FloatRelu, type));
}

/// A second instruction that uses the result of `current`.
bool Decoder::finishWith(Op op, Type type) {
  Draft step = current;
  step.code.source[0] = current.code.dest[0];
  for (unsigned i = 1; i != 4; ++i)
    step.code.source[i] = noReference;
  step.code.run = select({.op = op, .type = type});
  if (step.code.run == nullptr)
    return unsupported();
  after.push_back(std::move(step));
  return true;
}

bool Decoder::decodeAddSub() {
  bool isAdd = opcode.base() == "add";
  Type type = opcode.takeType();
  if (hasFloatArithmetic(type))
    return floatArithmetic(isAdd ? Op::FloatAdd : Op::FloatSub, type, 2);
  if (!expectOperands(3, 3) || !dest(0, type) || !sources(type, 2))
    return false;
  if (opcode.take("cc")) {
    current.code.detail = 2;
    return finish({.op = isAdd ? Op::AddCarry : Op::SubCarry, .type = type});
  }
  bool saturate = opcode.take("sat");
  return finish(
      {.op = isAdd ? Op::Add : Op::Sub, .type = type, .saturate = saturate});
}

bool Decoder::decodeCarry() {
  Type type = opcode.takeType();
  bool isMad = opcode.base() == "madc";
  Op op = opcode.base() == "addc"   ? Op::AddCarry
          : opcode.base() == "subc" ? Op::SubCarry
          : opcode.take("hi")       ? Op::MadHiCarry
                                    : Op::MadLoCarry;
  opcode.take("lo");
  current.code.detail = opcode.take("cc") ? 3 : 1;
  size_t count = isMad ? 3 : 2;
  return expectOperands(count + 1, count + 1) && dest(0, type) &&
         sources(type, count) && finish({.op = op, .type = type});
}

bool Decoder::decodeMul() {
  Type type = opcode.takeType();
  if (hasFloatArithmetic(type))
    return floatArithmetic(Op::FloatMul, type, 2);
  bool wide = opcode.take("wide");
  Op op = wide                ? Op::MulWide
          : opcode.take("hi") ? Op::MulHi
          : opcode.take("lo") ? Op::MulLo
                              : Op::Sad;
  if (op == Op::Sad)
    return fail("'" + std::string(opcode.text()) +
                "' needs one of .lo, .hi and .wide");
  return expectOperands(3, 3) && dest(0, wide ? doubled(type) : type) &&
         sources(type, 2) && finish({.op = op, .type = type});
}

bool Decoder::decodeMad() {
  Type type = opcode.takeType();
  if (hasFloatArithmetic(type)) // fused on every supported target
    return floatArithmetic(Op::FloatFma, type, 3);
  bool wide = opcode.take("wide");
  bool high = !wide && opcode.take("hi");
  if (!wide && !high && !opcode.take("lo"))
    return fail("'" + std::string(opcode.text()) +
                "' needs one of .lo, .hi and .wide");
  if (opcode.take("cc")) {
    if (wide)
      return unsupported();
    current.code.detail = 2;
    return expectOperands(4, 4) && dest(0, type) && sources(type, 3) &&
           finish({.op = high ? Op::MadHiCarry : Op::MadLoCarry, .type = type});
  }
  Type result = wide ? doubled(type) : type;
  Op op = wide ? Op::MadWide : high ? Op::MadHi : Op::MadLo;
  return expectOperands(4, 4) && dest(0, result) && source(0, 1, type) &&
         source(1, 2, type) && source(2, 3, result) &&
         finish({.op = op, .type = type});
}

bool Decoder::decodeDivRem() {
  bool isDiv = opcode.base() == "div";
  Type type = opcode.takeType();
  if (hasFloatArithmetic(type))
    return isDiv ? floatArithmetic(Op::FloatDiv, type, 2) : unsupported();
  return expectOperands(3, 3) && dest(0, type) && sources(type, 2) &&
         finish({.op = isDiv ? Op::Div : Op::Rem, .type = type});
}

bool Decoder::decodeMinMax() {
  bool isMin = opcode.base() == "min";
  Type type = opcode.takeType();
  if (!hasFloatArithmetic(type)) {
    const bool relu = opcode.take("relu");
    return expectOperands(3, 3) && dest(0, type) && sources(type, 2) &&
           finish({.op = isMin ? Op::Min : Op::Max, .type = type}) &&
           (!relu || finishWith(Op::Relu, type));
  }
  bool nan = opcode.take("NaN");
  Op op = isMin ? (nan ? Op::FloatMinNan : Op::FloatMin)
                : (nan ? Op::FloatMaxNan : Op::FloatMax);
  if (!expectOperands(3, 4) || !sources(type, 2))
    return false;
  if (instruction->operands.size() == 3)
    return dest(0, type) && finish({.op = op, .type = type});
  // Three operands become two instructions.
  Reference partial = addRegister(classOf(type));
  Draft first = current;
  first.code.run = select({.op = op, .type = type});
  first.code.guard = noReference;
  first.code.dest[0] = partial;
  draft.drafts.push_back(first);
  current.code.source[0] = partial;
  return source(1, 3, type) && dest(0, type) &&
         finish({.op = op, .type = type});
}

bool Decoder::decodeAbsNeg() {
  bool isAbs = opcode.base() == "abs";
  Type type = opcode.takeType();
  if (hasFloatArithmetic(type))
    return expectOperands(2, 2) && dest(0, type) && sources(type, 1) &&
           finish({.op = isAbs ? Op::FloatAbs : Op::FloatNeg, .type = type});
  return expectOperands(2, 2) && dest(0, type) && sources(type, 1) &&
         finish({.op = isAbs ? Op::Abs : Op::Neg, .type = type});
}

bool Decoder::decodeFma() {
  return floatArithmetic(Op::FloatFma, opcode.takeType(), 3);
}

bool Decoder::decodeFloatUnary() {
  Op op = opcode.base() == "sqrt" ? Op::FloatSqrt : Op::FloatRcp;
  return floatArithmetic(op, opcode.takeType(), 1);
}

bool Decoder::decodeCopysign() {
  Type type = opcode.takeType();
  return expectOperands(3, 3) && dest(0, type) && sources(type, 2) &&
         finish({.op = Op::Copysign, .type = type});
}

bool Decoder::decodeTestp() {
  static constexpr std::string_view names[] = {
      "finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  Type type = opcode.takeType();
  for (unsigned i = 0; i != std::size(names); ++i)
    if (opcode.take(names[i])) {
      current.code.detail = static_cast<uint16_t>(i);
      return expectOperands(2, 2) && dest(0, Type::Pred) && sources(type, 1) &&
             finish({.op = Op::Testp, .type = type});
    }
  return unsupported();
}

bool Decoder::decodeSad() {
  Type type = opcode.takeType();
  return expectOperands(4, 4) && dest(0, type) && sources(type, 3) &&
         finish({.op = Op::Sad, .type = type});
}

bool Decoder::decodeDot4() {
  Type a = opcode.takeType(), b = opcode.takeType();
  bool isDot2 = opcode.base() == "dp2a";
  if (isDot2) {
    current.code.detail = opcode.take("hi") ? 1 : 0;
    opcode.take("lo");
  }
  return expectOperands(4, 4) && dest(0, Type::B32) && sources(Type::B32, 3) &&
         finish({.op = isDot2 ? Op::Dot2 : Op::Dot4, .type = a, .source = b});
}

bool Decoder::decodeMul24() {
  Type type = opcode.takeType();
  bool isMad = opcode.base() == "mad24", high = opcode.take("hi");
  if (!high && !opcode.take("lo"))
    return fail("'" + std::string(opcode.text()) +
                "' needs one of .lo and .hi");
  Op op = isMad ? (high ? Op::MadHi24 : Op::MadLo24)
                : (high ? Op::MulHi24 : Op::MulLo24);
  size_t count = isMad ? 3 : 2;
  return expectOperands(count + 1, count + 1) && dest(0, type) &&
         sources(type, count) && finish({.op = op, .type = type});
}

bool Decoder::decodeSlct() {
  Type type = opcode.takeType(), sign = opcode.takeType();
  return expectOperands(4, 4) && dest(0, type) && sources(type, 2) &&
         source(2, 3, sign) &&
         finish({.op = Op::Slct, .type = type, .source = sign});
}

} // namespace gensyn::ptx
