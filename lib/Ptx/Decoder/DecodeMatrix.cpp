// Decoding of products of integer matrices and of loads of their fragments.

#include "../Machine/WarpOps.h"
#include "Decoder.h"

namespace gensyn::ptx {

bool Decoder::expectGeneration(unsigned least) {
  if (module.generation >= least)
    return true;
  return fail("'" + std::string(opcode.text()) + "' needs .target sm_" +
              std::to_string(least) + " or a later one");
}

bool Decoder::appendRegisters(size_t operand, size_t count, bool isDest) {
  const Operand &vector = instruction->operands[operand];
  if (vector.kind != Operand::Kind::Vector || vector.elements.size() != count)
    return fail("operand " + std::to_string(operand + 1) + " of '" +
                std::string(opcode.text()) + "' is not a vector of " +
                std::to_string(count) +
                (count == 1 ? " register" : " registers"));
  std::vector<Reference> &lists = draft.kernel.lists;
  if (current.code.listSize == 0)
    current.code.listBegin = static_cast<uint32_t>(lists.size());
  for (const Operand &element : vector.elements) {
    if (element.kind != Operand::Kind::Register)
      return fail("an element of operand " + std::to_string(operand + 1) +
                  " of '" + std::string(opcode.text()) + "' is not a register");
    Reference reference = noReference;
    if (!(isDest ? destReference(element, Type::B32, false, reference)
                 : sourceReference(element, Type::B32, false, reference)))
      return false;
    lists.push_back(reference);
  }
  current.code.listSize += static_cast<uint8_t>(count);
  current.code.listDests += static_cast<uint8_t>(isDest ? count : 0);
  return true;
}

bool Decoder::decodeMma() {
  struct Shape {
    std::string_view name;
    unsigned rows, depth, generation;
  };
  static constexpr Shape shapes[] = {{"m8n8k16", 8, 16, 75},
                                     {"m16n8k16", 16, 16, 80},
                                     {"m16n8k32", 16, 32, 80}};
  auto isByte = [](Type type) { return type == Type::S8 || type == Type::U8; };
  Type d = opcode.takeType(), a = opcode.takeType(), b = opcode.takeType(),
       c = opcode.takeType();
  if (d != Type::S32 || !isByte(a) || !isByte(b) || c != Type::S32)
    return fail("'" + std::string(opcode.text()) +
                "': the simulator does not simulate matrix units on other "
                "types than s8 and u8 with sums in s32");
  if (opcode.take("satfinite"))
    return fail("'" + std::string(opcode.text()) +
                "': sums that saturate depend on their order, which is not "
                "documented");
  const Shape *shape = nullptr;
  for (const Shape &each : shapes)
    if (shape == nullptr && opcode.take(each.name))
      shape = &each;
  if (shape == nullptr || !opcode.take("sync") || !opcode.take("aligned") ||
      !opcode.take("row") || !opcode.take("col"))
    return unsupported();
  size_t bands = shape->rows / 8, steps = shape->depth / 16;
  current.code.detail =
      static_cast<uint16_t>((bands == 2 ? 1 : 0) + (steps == 2 ? 2 : 0));
  return expectGeneration(shape->generation) && expectOperands(4, 4) &&
         appendRegisters(0, 2 * bands, /*isDest=*/true) &&
         appendRegisters(1, bands * steps, /*isDest=*/false) &&
         appendRegisters(2, steps, /*isDest=*/false) &&
         appendRegisters(3, 2 * bands, /*isDest=*/false) &&
         finish({.op = Op::Mma, .type = a, .source = b});
}

bool Decoder::decodeLoadMatrix() {
  size_t count = opcode.take("x1")   ? 1
                 : opcode.take("x2") ? 2
                 : opcode.take("x4") ? 4
                                     : 0;
  if (count == 0 || !opcode.take("sync") || !opcode.take("aligned") ||
      !opcode.take("m8n8") || opcode.takeSpace() != Space::Shared ||
      opcode.takeType() != Type::B16)
    return unsupported();
  // On sm_75 the addresses of all threads have to be valid, also those that
  // name no row.
  current.code.detail = static_cast<uint16_t>((opcode.take("trans") ? 1 : 0) +
                                              (module.generation < 80 ? 2 : 0));
  return expectGeneration(75) && expectOperands(2, 2) &&
         appendRegisters(0, count, /*isDest=*/true) &&
         address(0, instruction->operands[1], Space::Shared) &&
         finish(runLoadMatrix);
}

} // namespace gensyn::ptx
