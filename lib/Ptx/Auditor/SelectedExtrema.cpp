// Finds selects that are taken for extrema; see SelectedExtrema.h.

#include "SelectedExtrema.h"

#include "../Decoder/Opcode.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

using Kind = Operand::Kind;

constexpr std::string_view arithmetic[] = {
    "add",  "sub", "mul",  "fma", "mad",   "div", "rcp",
    "sqrt", "cvt", "setp", "set", "testp", "min", "max"};

bool isFloatArithmetic(const Instruction &instruction) {
  Opcode opcode(instruction.opcode);
  const auto *end = std::end(arithmetic);
  if (std::find(std::begin(arithmetic), end, opcode.base()) == end)
    return false;
  Type type = opcode.takeType();
  if (opcode.base() == "cvt") // .to.from
    type = opcode.takeType();
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 ||
         type == Type::F64;
}

bool passesBits(const Instruction &instruction) {
  const std::string_view base = Opcode(instruction.opcode).base();
  return base == "selp" || base == "mov";
}

class BitsSeen {
public:
  explicit BitsSeen(const Function &function)
      : seen(function.registers.size()) {
    for (const Instruction &each : function.instructions)
      if (!isFloatArithmetic(each) && !passesBits(each))
        // A result counts, too; who sees a register that is overwritten does
        // not matter here.
        for (const Operand &operand : each.operands)
          mark(operand);
    do {
      changed = false;
      for (const Instruction &each : function.instructions)
        if (passesBits(each) && !each.operands.empty() &&
            isSeen(each.operands.front()))
          for (const Operand &operand : each.operands)
            mark(operand);
    } while (changed);
  }

  bool isSeen(const Operand &operand) const {
    return operand.kind == Kind::Register
               ? seen[operand.index]
               : std::any_of(operand.elements.begin(), operand.elements.end(),
                             [&](const Operand &e) { return isSeen(e); });
  }

private:
  void mark(const Operand &operand) {
    if (operand.kind == Kind::Register && !seen[operand.index])
      changed = seen[operand.index] = true;
    for (const Operand &element : operand.elements)
      mark(element);
  }

  std::vector<bool> seen;
  bool changed = false;
};

/// A register, or the bits of an f32 in either spelling.
bool areSame(const Operand &a, const Operand &b) {
  if (a.kind == Kind::Register || b.kind == Kind::Register)
    return a.kind == b.kind && a.index == b.index;
  return static_cast<uint32_t>(a.bits) == static_cast<uint32_t>(b.bits);
}

bool isNumber(const Operand &operand) {
  return operand.kind != Kind::Register &&
         (operand.bits & 0x7FFFFFFF) <= 0x7F800000;
}

/// Whether a select on the predicate of a comparison may return a NaN of a
/// register.
bool isExtremum(const Instruction &compare, const Instruction &select) {
  Opcode opcode(compare.opcode);
  const std::string_view text = compare.opcode;
  const bool isUnordered = text.find("u.") != std::string_view::npos;
  if (opcode.takeType() != Type::F32)
    return false;
  const Operand &left = compare.operands[1], &right = compare.operands[2],
                &ifTrue = select.operands[1], &ifFalse = select.operands[2];
  if (!(areSame(ifTrue, left) && areSame(ifFalse, right)) &&
      !(areSame(ifTrue, right) && areSame(ifFalse, left)))
    return false;
  return !isNumber(isUnordered ? ifTrue : ifFalse);
}

} // namespace

std::vector<bool> findSelectedExtrema(const Function &function) {
  std::vector<bool> found(function.instructions.size());
  std::vector<std::vector<const Instruction *>> compares(
      function.registers.size());
  for (const Instruction &each : function.instructions)
    if (Opcode(each.opcode).base() == "setp" && each.operands.size() == 3 &&
        each.operands[0].kind == Kind::Register)
      compares[each.operands[0].index].push_back(&each);
  std::optional<BitsSeen> bits;
  for (size_t i = 0; i != found.size(); ++i) {
    const Instruction &each = function.instructions[i];
    if (Opcode(each.opcode).base() != "selp" || each.operands.size() != 4 ||
        each.operands[3].kind != Kind::Register)
      continue;
    const auto &made = compares[each.operands[3].index];
    if (std::none_of(made.begin(), made.end(), [&](const Instruction *compare) {
          return isExtremum(*compare, each);
        }))
      continue;
    if (!bits)
      bits.emplace(function);
    found[i] = bits->isSeen(each.operands[0]);
  }
  return found;
}

} // namespace gensyn::ptx
