// Finds negations of the least integer; see NegatedLeast.h.

#include "NegatedLeast.h"

#include "../Decoder/Opcode.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

using Kind = Operand::Kind;

/// Instructions whose result has the low 16 bits of their operands' alone.
constexpr std::string_view keepsLowBits[] = {
    "add", "sub", "neg", "mov", "selp", "and", "or", "xor", "not", "shl", "st"};

bool readsSigned(const Instruction &instruction) {
  Opcode opcode(instruction.opcode);
  const auto *end = std::end(keepsLowBits);
  if (std::find(std::begin(keepsLowBits), end, opcode.base()) != end)
    return false;
  if ((opcode.base() == "mul" || opcode.base() == "mad") && opcode.take("lo"))
    return false;
  const Type type = opcode.takeType();
  // .to.from
  return (opcode.base() == "cvt" ? opcode.takeType() : type) == Type::S16;
}

/// The registers that are read as signed numbers of 16 bits, also through
/// moves.
std::vector<bool> findSigned(const Function &function) {
  std::vector<bool> isSigned(function.registers.size());
  bool changed = false;
  auto mark = [&](const Operand &operand) {
    if (operand.kind == Kind::Register && !isSigned[operand.index])
      changed = isSigned[operand.index] = true;
  };
  do {
    changed = false;
    for (const Instruction &each : function.instructions) {
      const bool isMove = Opcode(each.opcode).base() == "mov" &&
                          each.operands.size() == 2 &&
                          each.operands[0].kind == Kind::Register &&
                          isSigned[each.operands[0].index];
      if (isMove || readsSigned(each))
        for (size_t i = 1; i < each.operands.size(); ++i)
          mark(each.operands[i]);
    }
  } while (changed);
  return isSigned;
}

} // namespace

std::vector<bool> findNegatedLeast(const Function &function) {
  std::vector<bool> found(function.instructions.size());
  std::vector<bool> isSigned;
  for (size_t i = 0; i != found.size(); ++i) {
    const Instruction &each = function.instructions[i];
    Opcode opcode(each.opcode);
    const std::string_view base = opcode.base();
    const Type type = opcode.takeType();
    if (base == "abs") {
      found[i] = type == Type::S16 || type == Type::S32 || type == Type::S64;
      continue;
    }
    const bool isNegation =
        base == "neg" ||
        (base == "sub" && each.operands.size() == 3 &&
         each.operands[1].kind == Kind::Integer && each.operands[1].bits == 0);
    if (!isNegation || type != Type::S16 || each.operands.empty() ||
        each.operands[0].kind != Kind::Register)
      continue;
    if (isSigned.empty())
      isSigned = findSigned(function);
    found[i] = isSigned[each.operands[0].index];
  }
  return found;
}

} // namespace gensyn::ptx
