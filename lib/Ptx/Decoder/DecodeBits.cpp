// Decoding of logic, shifts, bit fields and comparisons.

#include "Decoder.h"

#include <iterator>

namespace gensyn::ptx {

bool Decoder::decodeLogic() {
  Type type = opcode.takeType();
  bool isAnd = opcode.base() == "and", isOr = opcode.base() == "or";
  if (type == Type::Pred)
    return expectOperands(3, 3) && dest(0, type) && sources(type, 2) &&
           finish({.op = isAnd  ? Op::PredicateAnd
                         : isOr ? Op::PredicateOr
                                : Op::PredicateXor});
  return expectOperands(3, 3) && dest(0, type) && sources(type, 2) &&
         finish({.op = isAnd  ? Op::And
                       : isOr ? Op::Or
                              : Op::Xor,
                 .type = type});
}

bool Decoder::decodeNot() {
  Type type = opcode.takeType();
  if (!expectOperands(2, 2) || !dest(0, type) || !sources(type, 1))
    return false;
  if (opcode.base() == "cnot")
    return finish({.op = Op::LogicalNot, .type = type});
  return finish(
      {.op = type == Type::Pred ? Op::PredicateNot : Op::Not, .type = type});
}

bool Decoder::decodeShift() {
  Type type = opcode.takeType();
  return expectOperands(3, 3) && dest(0, type) && source(0, 1, type) &&
         source(1, 2, Type::U32) &&
         finish(
             {.op = opcode.base() == "shl" ? Op::Shl : Op::Shr, .type = type});
}

bool Decoder::decodeFunnel() {
  opcode.takeType();
  bool left = opcode.take("l");
  if (!left)
    opcode.take("r");
  current.code.detail = opcode.take("wrap") ? 1 : 0;
  opcode.take("clamp");
  return expectOperands(4, 4) && dest(0, Type::B32) && sources(Type::B32, 3) &&
         finish({.op = left ? Op::FunnelLeft : Op::FunnelRight});
}

bool Decoder::decodeCount() {
  Type type = opcode.takeType();
  bool isReverse = opcode.base() == "brev";
  Op op = opcode.base() == "popc"  ? Op::Popc
          : opcode.base() == "clz" ? Op::Clz
          : isReverse              ? Op::Brev
                                   : Op::Bfind;
  if (op == Op::Bfind)
    current.code.detail = opcode.take("shiftamt") ? 1 : 0;
  return expectOperands(2, 2) && dest(0, isReverse ? type : Type::U32) &&
         sources(type, 1) && finish({.op = op, .type = type});
}

bool Decoder::decodeBfe() {
  Type type = opcode.takeType();
  return expectOperands(4, 4) && dest(0, type) && source(0, 1, type) &&
         source(1, 2, Type::U32) && source(2, 3, Type::U32) &&
         finish({.op = Op::Bfe, .type = type});
}

bool Decoder::decodeBfi() {
  Type type = opcode.takeType();
  return expectOperands(5, 5) && dest(0, type) && source(0, 1, type) &&
         source(1, 2, type) && source(2, 3, Type::U32) &&
         source(3, 4, Type::U32) && finish({.op = Op::Bfi, .type = type});
}

bool Decoder::decodePrmt() {
  static constexpr std::string_view modes[] = {"f4e", "b4e", "rc8",
                                               "ecl", "ecr", "rc16"};
  opcode.takeType();
  for (unsigned i = 0; i != std::size(modes); ++i)
    if (opcode.take(modes[i]))
      current.code.detail = static_cast<uint16_t>(i + 1);
  return expectOperands(4, 4) && dest(0, Type::B32) && sources(Type::B32, 3) &&
         finish({.op = Op::Prmt});
}

bool Decoder::decodeLop3() {
  opcode.takeType();
  if (!expectOperands(5, 5) || !dest(0, Type::B32) || !sources(Type::B32, 3))
    return false;
  const Operand &table = instruction->operands[4];
  if (table.kind != Operand::Kind::Integer || table.bits > 255)
    return fail("the table of lop3 is not an integer from 0 to 255");
  current.code.immediate = static_cast<int64_t>(table.bits);
  return finish({.op = Op::Lop3});
}

bool Decoder::decodeSetp() {
  auto compare = opcode.takeCompare();
  if (!compare)
    return fail("'" + std::string(opcode.text()) + "' has no comparison");
  Combine combine = opcode.takeCombine();
  Type type = opcode.takeType();
  size_t count = combine == Combine::None ? 3 : 4;
  current.code.detail = static_cast<uint16_t>(combine);
  return expectOperands(count, count) && destPair(0, Type::Pred, Type::Pred) &&
         sources(type, 2) &&
         (count == 3 || predicateSource(2, instruction->operands[3])) &&
         finish({.op = Op::Setp, .type = type, .compare = *compare});
}

/// Returns the value of `set` for true, in each half if the operands are pairs.
static int64_t trueOf(Type result, Type operand) {
  bool inPairs = operand == Type::F16x2 || operand == Type::BF16x2;
  switch (result) {
  case Type::F32:
    return 0x3F800000;
  case Type::F16:
  case Type::F16x2:
    return 0x3C00;
  case Type::BF16:
  case Type::BF16x2:
    return 0x3F80;
  default:
    return inPairs || byteWidth(result) == 2 ? 0xFFFF : 0xFFFFFFFF;
  }
}

bool Decoder::decodeSet() {
  auto compare = opcode.takeCompare();
  if (!compare)
    return fail("'" + std::string(opcode.text()) + "' has no comparison");
  Combine combine = opcode.takeCombine();
  Type result = opcode.takeType(), type = opcode.takeType();
  size_t count = combine == Combine::None ? 3 : 4;
  current.code.detail = static_cast<uint16_t>(combine);
  current.code.immediate = trueOf(result, type);
  return expectOperands(count, count) && dest(0, result) && sources(type, 2) &&
         (count == 3 || predicateSource(2, instruction->operands[3])) &&
         finish({.op = Op::Set, .type = type, .compare = *compare});
}

bool Decoder::decodeSelp() {
  Type type = opcode.takeType();
  return expectOperands(4, 4) && dest(0, type) && sources(type, 2) &&
         predicateSource(2, instruction->operands[3]) &&
         finish({.op = Op::Selp, .type = type});
}

} // namespace gensyn::ptx
