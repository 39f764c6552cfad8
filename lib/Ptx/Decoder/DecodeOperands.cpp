// Decodes operands: registers, constants, addresses.

#include "../Machine/WarpOps.h"
#include "Decoder.h"

#include <algorithm>
#include <bit>

namespace gensyn::ptx {
namespace {

struct SpecialName {
  std::string_view name;
  SpecialRegister value;
};

constexpr SpecialName specialNames[] = {
    {"%tid.x", SpecialRegister::TidX},
    {"%tid.y", SpecialRegister::TidY},
    {"%tid.z", SpecialRegister::TidZ},
    {"%ntid.x", SpecialRegister::NtidX},
    {"%ntid.y", SpecialRegister::NtidY},
    {"%ntid.z", SpecialRegister::NtidZ},
    {"%ctaid.x", SpecialRegister::CtaidX},
    {"%ctaid.y", SpecialRegister::CtaidY},
    {"%ctaid.z", SpecialRegister::CtaidZ},
    {"%nctaid.x", SpecialRegister::NctaidX},
    {"%nctaid.y", SpecialRegister::NctaidY},
    {"%nctaid.z", SpecialRegister::NctaidZ},
    {"%laneid", SpecialRegister::LaneId},
    {"%warpid", SpecialRegister::WarpId},
    {"%nwarpid", SpecialRegister::NWarpId},
    {"%lanemask_eq", SpecialRegister::LanemaskEq},
    {"%lanemask_le", SpecialRegister::LanemaskLe},
    {"%lanemask_lt", SpecialRegister::LanemaskLt},
    {"%lanemask_ge", SpecialRegister::LanemaskGe},
    {"%lanemask_gt", SpecialRegister::LanemaskGt},
    {"%dynamic_smem_size", SpecialRegister::DynamicSharedBytes},
    {"%total_smem_size", SpecialRegister::TotalSharedBytes}};

bool isFloatImmediate(Type type) {
  return type == Type::F32 || type == Type::F64;
}

/// Bytes of a register; narrow ones are words of 32 bits that hold 16.
unsigned registerWidth(Type type) { return std::max(byteWidth(type), 2u); }

} // namespace

RegisterClass Decoder::classOf(Type type) {
  return type == Type::Pred     ? RegisterClass::Predicate
         : byteWidth(type) == 8 ? RegisterClass::DoubleWord
                                : RegisterClass::Word;
}

uint32_t Decoder::addRegister(RegisterClass kind) {
  draft.registers.push_back(kind);
  return static_cast<uint32_t>(draft.registers.size() - 1);
}

Reference Decoder::constant(uint64_t bits, RegisterClass kind) {
  auto [entry, isNew] = constants.try_emplace({bits, kind}, 0);
  if (!isNew)
    return entry->second;
  std::vector<uint64_t> &pool = draft.kernel.constants;
  entry->second = constantBit | static_cast<uint32_t>(8 * pool.size());
  switch (kind) {
  case RegisterClass::Predicate:
    pool.resize(pool.size() + 8, bits != 0 ? ~uint64_t(0) : 0);
    break;
  case RegisterClass::Word:
    pool.resize(pool.size() + warpSize / 2,
                (bits & 0xFFFFFFFFu) * 0x100000001u);
    break;
  case RegisterClass::DoubleWord:
    pool.resize(pool.size() + warpSize, bits);
    break;
  }
  return entry->second;
}

bool Decoder::immediateBits(const Operand &operand, Type type, uint64_t &bits) {
  unsigned width = byteWidth(type);
  bits = operand.bits;
  switch (operand.kind) {
  case Operand::Kind::Integer:
    if (isFloatImmediate(type))
      return fail("integer " + std::string(operand.text) +
                  " where a float is expected");
    break;
  case Operand::Kind::Float32:
    if (width != 4)
      return fail("a 32-bit float where " + std::to_string(8 * width) +
                  " bits are expected");
    break;
  default:
    // A 64-bit literal is rounded to an f32 operand's type.
    if (width == 4)
      bits = std::bit_cast<uint32_t>(
          static_cast<float>(std::bit_cast<double>(bits)));
    else if (width != 8)
      return fail("a 64-bit float where " + std::to_string(8 * width) +
                  " bits are expected");
    break;
  }
  if (type != Type::Pred && width < 8)
    bits &= (uint64_t(1) << (8 * width)) - 1;
  return true;
}

bool Decoder::symbolAddress(const Operand &operand, uint64_t &address) {
  std::optional<Symbol> found = findSymbol(operand.text);
  if (!found)
    return fail("unknown name '" + std::string(operand.text) + "'");
  address = found->address + static_cast<uint64_t>(operand.offset);
  return true;
}

bool Decoder::specialRegister(const Operand &operand, int64_t &number) {
  const auto *found = std::find_if(
      std::begin(specialNames), std::end(specialNames),
      [&](const SpecialName &each) { return each.name == operand.text; });
  if (found == std::end(specialNames))
    return fail("special register '" + std::string(operand.text) +
                "' is not supported by the simulator");
  number = static_cast<int64_t>(found->value);
  return true;
}

bool Decoder::specialSource(const Operand &operand, Reference &reference) {
  Draft &read = draft.drafts.emplace_back();
  read.code.run = runSpecial;
  read.code.line = instruction->line;
  reference = read.code.dest[0] = addRegister(RegisterClass::Word);
  return specialRegister(operand, read.code.immediate);
}

bool Decoder::registerSource(const Operand &operand, Type type, bool allowWider,
                             Reference &reference) {
  const Register &reg = function.registers[operand.index];
  if ((reg.type == Type::Pred) != (type == Type::Pred))
    return fail("'" + reg.name() + "' has type " +
                std::string(typeName(reg.type)) + ", expected " +
                std::string(typeName(type)));
  reference = operand.index;
  if (type == Type::Pred)
    return true;
  unsigned have = registerWidth(reg.type), want = registerWidth(type);
  if (have < want || (have > want && !allowWider))
    return fail("'" + reg.name() + "' has " + std::to_string(8 * have) +
                " bits, expected " + std::to_string(8 * want));
  if (have == 8 && want < 8) {
    Draft &low = draft.drafts.emplace_back();
    low.code.run = select({.op = Op::Low});
    low.code.line = instruction->line;
    low.code.source[0] = reference;
    reference = low.code.dest[0] = addRegister(RegisterClass::Word);
  }
  return true;
}

bool Decoder::sourceReference(const Operand &operand, Type type,
                              bool allowWider, Reference &reference) {
  if (operand.negated && type != Type::Pred)
    return fail("'!' before an operand that is not a predicate");
  switch (operand.kind) {
  case Operand::Kind::Register:
    return registerSource(operand, type, allowWider, reference);
  case Operand::Kind::Integer:
  case Operand::Kind::Float32:
  case Operand::Kind::Float64: {
    uint64_t bits = 0;
    if (!immediateBits(operand, type, bits))
      return false;
    reference = constant(bits, classOf(type));
    return true;
  }
  case Operand::Kind::Symbol: {
    uint64_t address = 0;
    if (!symbolAddress(operand, address))
      return false;
    if (byteWidth(type) < 4 || (byteWidth(type) == 4 && address >> 32 != 0))
      return fail("the address of '" + std::string(operand.text) +
                  "' needs 64 bits");
    reference = constant(address, classOf(type));
    return true;
  }
  case Operand::Kind::Special:
    if (byteWidth(type) != 4)
      return fail("special register '" + std::string(operand.text) +
                  "' has 32 bits, expected " +
                  std::to_string(8 * byteWidth(type)));
    return specialSource(operand, reference);
  default:
    return fail("unexpected form of operand in '" + std::string(opcode.text()) +
                "'");
  }
}

bool Decoder::source(unsigned slot, size_t operand, Type type,
                     bool allowWider) {
  return sourceReference(instruction->operands[operand], type, allowWider,
                         current.code.source[slot]);
}

/// Operands 1 to `count` are the sources in order.
bool Decoder::sources(Type type, size_t count) {
  for (unsigned i = 0; i != count; ++i)
    if (!source(i, i + 1, type))
      return false;
  return true;
}

bool Decoder::predicateSource(unsigned slot, const Operand &operand) {
  current.code.sourceNegated = operand.negated;
  return sourceReference(operand, Type::Pred, false, current.code.source[slot]);
}

bool Decoder::destReference(const Operand &operand, Type type, bool allowWider,
                            Reference &reference) {
  if (operand.kind == Operand::Kind::Sink) {
    reference = addRegister(classOf(type));
    return true;
  }
  if (operand.kind != Operand::Kind::Register)
    return fail("the result of '" + std::string(opcode.text()) +
                "' is not a register");
  const Register &reg = function.registers[operand.index];
  if ((reg.type == Type::Pred) != (type == Type::Pred))
    return fail("'" + reg.name() + "' has type " +
                std::string(typeName(reg.type)) + ", expected " +
                std::string(typeName(type)));
  unsigned have = registerWidth(reg.type), want = registerWidth(type);
  if (type != Type::Pred && (have < want || (have > want && !allowWider)))
    return fail("'" + reg.name() + "' has " + std::to_string(8 * have) +
                " bits, expected " + std::to_string(8 * want));
  reference = operand.index;
  return true;
}

bool Decoder::dest(size_t operand, Type type, bool allowWider) {
  return destReference(instruction->operands[operand], type, allowWider,
                       current.code.dest[0]);
}

bool Decoder::destPair(size_t operand, Type first, Type second) {
  const Operand &written = instruction->operands[operand];
  if (written.kind != Operand::Kind::Pair)
    return dest(operand, first);
  return destReference(written.elements[0], first, false,
                       current.code.dest[0]) &&
         destReference(written.elements[1], second, false,
                       current.code.dest[1]);
}

bool Decoder::address(unsigned slot, const Operand &operand, Space space) {
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != 1)
    return fail("expected an address in brackets");
  current.code.space = static_cast<uint8_t>(space);
  current.code.immediate = operand.offset;
  current.code.wideAddress = true;
  const Operand &base = operand.elements[0];
  switch (base.kind) {
  case Operand::Kind::Register:
    current.code.wideAddress =
        byteWidth(function.registers[base.index].type) == 8;
    return registerSource(base,
                          current.code.wideAddress ? Type::B64 : Type::B32,
                          false, current.code.source[slot]);
  case Operand::Kind::Symbol: {
    uint64_t start = 0;
    if (!symbolAddress(base, start))
      return false;
    // A variable's name is an address in its own space.
    if (space == Space::Generic)
      current.code.space = static_cast<uint8_t>(findSymbol(base.text)->space);
    current.code.source[slot] = constant(start, RegisterClass::DoubleWord);
    return true;
  }
  case Operand::Kind::Integer:
    current.code.source[slot] = constant(base.bits, RegisterClass::DoubleWord);
    return true;
  default:
    return fail("unexpected form of address");
  }
}

bool Decoder::list(const Operand &operand, Type type, bool isDest) {
  std::vector<Reference> references;
  auto add = [&](const Operand &element) {
    Reference reference = noReference;
    if (isDest && element.kind == Operand::Kind::Sink) {
      references.push_back(noReference);
      return true;
    }
    bool ok = isDest ? destReference(element, type, true, reference)
                     : sourceReference(element, type, true, reference);
    references.push_back(reference);
    return ok;
  };
  if (operand.kind == Operand::Kind::Vector) {
    for (const Operand &element : operand.elements)
      if (!add(element))
        return false;
  } else if (!add(operand)) {
    return false;
  }
  if (references.empty() || references.size() > 8)
    return fail("a vector of " + std::to_string(references.size()) +
                " elements");
  std::vector<Reference> &lists = draft.kernel.lists;
  current.code.listBegin = static_cast<uint32_t>(lists.size());
  current.code.listSize = static_cast<uint8_t>(references.size());
  current.code.listDests = isDest ? current.code.listSize : 0;
  lists.insert(lists.end(), references.begin(), references.end());
  return true;
}

} // namespace gensyn::ptx
