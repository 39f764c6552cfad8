// Finds comparisons of magnitudes; see MagnitudeCompares.h.

#include "MagnitudeCompares.h"

#include "../Decoder/Opcode.h"

#include <optional>

namespace gensyn::ptx {
namespace {

using Kind = Operand::Kind;

/// What a register may hold, as bits of a set.
enum : uint8_t { kMagnitude = 1, kNegatedMagnitude = 2 };

uint8_t negate(uint8_t signs) {
  return static_cast<uint8_t>((signs & kMagnitude) << 1 |
                              (signs & kNegatedMagnitude) >> 1);
}

/// The kinds of magnitudes of each register, whatever instruction wrote it.
class Magnitudes {
public:
  explicit Magnitudes(const Function &function)
      : registers(function.registers.size()) {
    do {
      changed = false;
      for (const Instruction &each : function.instructions)
        visit(each);
    } while (changed);
  }

  uint8_t of(const Operand &operand) const {
    return operand.kind == Kind::Register ? registers[operand.index] : 0;
  }

private:
  void visit(const Instruction &instruction) {
    Opcode opcode(instruction.opcode);
    const std::string_view base = opcode.base();
    const bool isMove = base == "mov";
    if ((!isMove && opcode.takeType() != Type::F32) ||
        instruction.operands.size() < 2 ||
        instruction.operands[0].kind != Kind::Register)
      return;
    const std::vector<Operand> &operands = instruction.operands;
    uint8_t signs = 0;
    if (base == "abs")
      signs = kMagnitude;
    else if (base == "neg")
      signs = negate(of(operands[1]));
    else if (isMove)
      signs = of(operands[1]);
    else if (operands.size() > 2 &&
             (base == "selp" || base == "min" || base == "max"))
      signs = of(operands[1]) | of(operands[2]);
    uint8_t &known = registers[operands[0].index];
    changed |= (known | signs) != known;
    known |= signs;
  }

  std::vector<uint8_t> registers;
  bool changed = false;
};

/// Whether a comparison with a constant is one that all numbers among the
/// magnitudes of one kind pass; `swapped` has the constant first.
bool passesAll(Compare compare, const Operand &bound, bool swapped,
               uint8_t signs) {
  if (bound.kind != Kind::Float32 && bound.kind != Kind::Integer)
    return false;
  const auto bits = static_cast<uint32_t>(bound.bits);
  const bool isStrict = compare == Compare::Lt || compare == Compare::Gt;
  const bool isGreater = compare == Compare::Gt || compare == Compare::Ge;
  const bool isAbove = isGreater != swapped;
  if ((bits & 0x7FFFFFFF) > 0x7F800000 || ((bits << 1) == 0 && isStrict))
    return false;
  if ((bits << 1) != 0 && (bits >> 31 != 0) != isAbove)
    return false;
  return signs & (isAbove ? kMagnitude : kNegatedMagnitude);
}

} // namespace

std::vector<bool> findMagnitudeCompares(const Function &function) {
  std::vector<bool> found(function.instructions.size());
  std::optional<Magnitudes> magnitudes;
  for (size_t i = 0; i != found.size(); ++i) {
    const Instruction &each = function.instructions[i];
    Opcode opcode(each.opcode);
    if (opcode.base() != "setp" || each.operands.size() < 3 ||
        opcode.takeType() != Type::F32)
      continue;
    const std::optional<Compare> compare = opcode.takeCompare();
    if (compare != Compare::Lt && compare != Compare::Le &&
        compare != Compare::Gt && compare != Compare::Ge)
      continue;
    if (!magnitudes)
      magnitudes.emplace(function);
    const Operand &left = each.operands[1], &right = each.operands[2];
    found[i] =
        passesAll(*compare, right, /*swapped=*/false, magnitudes->of(left)) ||
        passesAll(*compare, left, /*swapped=*/true, magnitudes->of(right));
  }
  return found;
}

} // namespace gensyn::ptx
