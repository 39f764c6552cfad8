// Decoding of moves, conversions and address conversions.

#include "../Machine/WarpOps.h"
#include "Decoder.h"

namespace gensyn::ptx {
namespace {

bool isScalarFloat(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 ||
         type == Type::TF32 || type == Type::F64;
}

bool isSigned(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 ||
         type == Type::S64;
}

/// An integer type of a register's width.
Type integerType(unsigned bytes, bool isSigned) {
  switch (bytes) {
  case 8:
    return isSigned ? Type::S64 : Type::U64;
  case 4:
    return isSigned ? Type::S32 : Type::U32;
  default:
    return isSigned ? Type::S16 : Type::U16;
  }
}

Type bitsType(unsigned bytes) {
  return bytes == 8   ? Type::B64
         : bytes == 4 ? Type::B32
         : bytes == 2 ? Type::B16
                      : Type::B8;
}

uint64_t windowOf(Space space) {
  return space == Space::Shared  ? sharedWindow
         : space == Space::Local ? localWindow
         : space == Space::Param ? parameterWindow
                                 : 0;
}

} // namespace

bool Decoder::decodeMovVector(Type type) {
  bool pack = instruction->operands[1].kind == Operand::Kind::Vector;
  const Operand &vector = instruction->operands[pack ? 1 : 0];
  size_t count = vector.elements.size();
  if (count == 0 || byteWidth(type) % count != 0)
    return fail("a vector of " + std::to_string(count) +
                " elements does not "
                "fit '" +
                std::string(opcode.text()) + "'");
  auto bytes = static_cast<unsigned>(byteWidth(type) / count);
  if (bytes > 4)
    return unsupported();
  current.code.detail = static_cast<uint16_t>(8 * bytes);
  if (!list(vector, bitsType(bytes), !pack))
    return false;
  for (const Operand &element : vector.elements)
    if (!pack && element.kind == Operand::Kind::Register &&
        classOf(function.registers[element.index].type) != RegisterClass::Word)
      return fail("an element of '" + std::string(opcode.text()) +
                  "' has more than 32 bits");
  return (pack ? dest(0, type) : source(0, 1, type)) &&
         finish({.op = pack ? Op::Pack : Op::Unpack, .type = type});
}

bool Decoder::decodeMov() {
  Type type = opcode.takeType();
  if (!expectOperands(2, 2))
    return false;
  if (type == Type::Pred)
    return dest(0, type) && predicateSource(0, instruction->operands[1]) &&
           finish({.op = current.code.sourceNegated ? Op::PredicateNot
                                                    : Op::PredicateMove});
  if (type == Type::B128 || type == Type::None)
    return unsupported();
  if (instruction->operands[0].kind == Operand::Kind::Vector ||
      instruction->operands[1].kind == Operand::Kind::Vector)
    return decodeMovVector(type);
  const Operand &value = instruction->operands[1];
  if (value.kind == Operand::Kind::Special && byteWidth(type) == 4)
    return dest(0, type) && specialRegister(value, current.code.immediate) &&
           finish(runSpecial);
  return dest(0, type) && source(0, 1, type) &&
         finish({.op = Op::Move, .type = type});
}

bool Decoder::decodeCvtPair(Type type, Type from, Rounding rounding) {
  bool isTiny = type == Type::E4M3x2 || type == Type::E5M2x2;
  current.code.saturate = opcode.take("satfinite");
  bool relu = opcode.take("relu");
  if (rounding == Rounding::None || isTiny != current.code.saturate ||
      (isTiny && (relu || rounding != Rounding::Rn)))
    return unsupported();
  size_t count = from == Type::F32 ? 2 : 1;
  Selector selector{
      .op = Op::Convert, .type = type, .source = from, .round = rounding};
  return expectOperands(count + 1, count + 1) && dest(0, type) &&
         sources(from, count) && finish(selector) &&
         (!relu || finishWith(Op::FloatRelu, type));
}

bool Decoder::decodeCvt() {
  Type type = opcode.takeType(), from = opcode.takeType();
  Rounding rounding = opcode.takeRounding();
  current.code.round = static_cast<uint8_t>(rounding);
  current.code.detail = static_cast<uint16_t>(static_cast<unsigned>(type) |
                                              static_cast<unsigned>(from) << 8);
  if (type == Type::F16x2 || type == Type::BF16x2 || type == Type::E4M3x2 ||
      type == Type::E5M2x2)
    return decodeCvtPair(type, from, rounding);
  bool saturate = opcode.take("sat"), relu = opcode.take("relu");
  if (!expectOperands(2, 2) || !source(0, 1, from, /*allowWider=*/true) ||
      !dest(0, type, /*allowWider=*/true))
    return false;
  // A result narrower than its register is extended by the result's sign.
  const Operand &result = instruction->operands[0];
  if (result.kind == Operand::Kind::Register && !isScalarFloat(type)) {
    unsigned have = byteWidth(function.registers[result.index].type);
    if (have > byteWidth(type)) {
      Draft extend = current;
      Reference narrow = addRegister(classOf(type));
      extend.code.source[0] = narrow;
      extend.code.run = select({.op = Op::Convert,
                                .type = integerType(have, isSigned(type)),
                                .source = type});
      after.push_back(extend);
      current.code.dest[0] = narrow;
    }
  }
  return finish({.op = Op::Convert,
                 .type = type,
                 .source = from,
                 .round = rounding,
                 .saturate = saturate && !isScalarFloat(type)}) &&
         (!saturate || !isScalarFloat(type) ||
          finishWith(Op::FloatSaturate, type)) &&
         (!relu || finishWith(Op::FloatRelu, type));
}

bool Decoder::decodeCvta() {
  bool to = opcode.take("to");
  Space space = opcode.takeSpace();
  Type type = opcode.takeType();
  if (!expectOperands(2, 2) || !dest(0, type) || !source(0, 1, type))
    return false;
  if (byteWidth(type) != 8)
    return fail("addresses of 32 bits cannot be generic");
  uint64_t window = windowOf(space);
  if (window == 0)
    return finish({.op = Op::Move, .type = type});
  current.code.source[1] =
      constant(to ? ~windowMask : window, RegisterClass::DoubleWord);
  return finish({.op = to ? Op::And : Op::Or, .type = Type::B64});
}

bool Decoder::decodeIsspacep() {
  Space space = opcode.takeSpace();
  if (!expectOperands(2, 2) || !source(0, 1, Type::B64))
    return false;
  Draft masked = current;
  masked.code.guard = noReference;
  masked.code.source[1] = constant(windowMask, RegisterClass::DoubleWord);
  masked.code.dest[0] = addRegister(RegisterClass::DoubleWord);
  masked.code.run = select({.op = Op::And, .type = Type::B64});
  draft.drafts.push_back(masked);
  current.code.source[0] = masked.code.dest[0];
  current.code.source[1] = constant(windowOf(space), RegisterClass::DoubleWord);
  return dest(0, Type::Pred) &&
         finish({.op = Op::Setp, .type = Type::B64, .compare = Compare::Eq});
}

} // namespace gensyn::ptx
