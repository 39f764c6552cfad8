// Decoding of loads, stores, atomics and asynchronous copies.

#include "../Machine/WarpOps.h"
#include "Decoder.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

/// Modifiers that only affect caches and the visibility to other threads. The
/// simulator runs one warp of a block at a time.
void takeCacheModifiers(Opcode &opcode) {
  opcode.takeAll({"ca", "cg", "cs", "cv", "lu", "wb", "wt", "volatile",
                  "relaxed", "acquire", "release", "acq_rel", "weak", "cta",
                  "gpu", "sys", "cluster", "mmio"});
  opcode.takePrefixed("L1::");
  opcode.takePrefixed("L2::");
}

/// The modifiers of a load or a store, in the order in which they are written.
struct Access {
  explicit Access(Opcode &opcode) {
    nonCoherent = opcode.base() == "ldu" || opcode.take("nc");
    takeCacheModifiers(opcode);
    space = opcode.takeSpace();
    vector = opcode.takeVector();
    type = opcode.takeType();
  }

  Space space;
  unsigned vector;
  Type type;
  bool nonCoherent;
};

} // namespace

bool Decoder::expectVector(const Operand &operand, unsigned vector) {
  if (vector <= 1 || (operand.kind == Operand::Kind::Vector &&
                      operand.elements.size() == vector))
    return true;
  return fail("'" + std::string(opcode.text()) + "' needs a vector of " +
              std::to_string(vector) + " registers");
}

bool Decoder::decodeLoad() {
  auto [space, vector, type, nonCoherent] = Access(opcode);
  if (!expectOperands(2, 3))
    return false;
  current.code.nonCoherent = nonCoherent;
  const Operand &result = instruction->operands[0];
  if (!expectVector(result, vector) || !list(result, type, /*isDest=*/true))
    return false;
  // One handler writes all registers of a vector.
  unsigned registerBytes = 0;
  bool areAlike = true;
  auto measure = [&](const Operand &element) {
    if (element.kind != Operand::Kind::Register)
      return;
    unsigned bytes =
        std::max(2u, byteWidth(function.registers[element.index].type));
    areAlike &= registerBytes == 0 || registerBytes == bytes;
    registerBytes = bytes;
  };
  measure(result);
  for (const Operand &element : result.elements)
    measure(element);
  if (!areAlike)
    return fail("the registers of a vector in '" + std::string(opcode.text()) +
                "' differ in width");
  if (registerBytes == 0)
    registerBytes = std::max(2u, byteWidth(type));
  if (space == Space::Param && isArgument(instruction->operands[1]))
    space = Space::Local;
  if (space == Space::Param)
    return decodeParameterLoad(type, registerBytes);
  return address(0, instruction->operands[1], space) &&
         finish({.op = Op::Load, .type = type, .registerBytes = registerBytes});
}

/// True if a parameter belongs to a call, so that it lies in local memory.
bool Decoder::isArgument(const Operand &address) const {
  if (address.kind != Operand::Kind::Address || address.elements.empty())
    return false;
  if (address.elements[0].kind != Operand::Kind::Symbol)
    return false;
  std::optional<Symbol> found = findSymbol(address.elements[0].text);
  return found && found->space == Space::Local;
}

bool Decoder::decodeParameterLoad(Type type, unsigned registerBytes) {
  const Operand &operand = instruction->operands[1];
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != 1)
    return fail("expected an address in brackets");
  if (operand.elements[0].kind != Operand::Kind::Symbol)
    return address(0, operand, Space::Param) &&
           finish(
               {.op = Op::Load, .type = type, .registerBytes = registerBytes});
  uint64_t start = 0;
  if (!symbolAddress(operand.elements[0], start))
    return false;
  if (findSymbol(operand.elements[0].text)->space != Space::Param)
    return fail("'" + std::string(operand.elements[0].text) +
                "' is not a parameter");
  uint64_t offset = start + static_cast<uint64_t>(operand.offset);
  uint64_t bytes = uint64_t(byteWidth(type)) * current.code.listSize;
  if (offset > draft.kernel.parameterBytes ||
      draft.kernel.parameterBytes - offset < bytes)
    return fail("'" + std::string(operand.elements[0].text) +
                "' is read past the end of the parameters");
  current.code.immediate = static_cast<int64_t>(offset);
  return finish(
      {.op = Op::LoadParameter, .type = type, .registerBytes = registerBytes});
}

bool Decoder::decodeStore() {
  auto [space, vector, type, nonCoherent] = Access(opcode);
  if (nonCoherent)
    return unsupported();
  if (!expectOperands(2, 3))
    return false;
  if (space == Space::Param) {
    if (!isArgument(instruction->operands[0]))
      return fail("parameters of a kernel may only be read");
    space = Space::Local;
  }
  const Operand &value = instruction->operands[1];
  return expectVector(value, vector) && list(value, type, /*isDest=*/false) &&
         address(0, instruction->operands[0], space) &&
         finish({.op = Op::Store,
                 .type = type,
                 .registerBytes = byteWidth(type) == 8 ? 8u : 4u});
}

bool Decoder::decodeAtomic() {
  struct Name {
    std::string_view name;
    AtomicOp op;
  };
  static constexpr Name names[] = {
      {"add", AtomicOp::Add},       {"min", AtomicOp::Min},
      {"max", AtomicOp::Max},       {"and", AtomicOp::And},
      {"or", AtomicOp::Or},         {"xor", AtomicOp::Xor},
      {"exch", AtomicOp::Exchange}, {"cas", AtomicOp::CompareAndSwap},
      {"inc", AtomicOp::Increment}, {"dec", AtomicOp::Decrement}};
  takeCacheModifiers(opcode);
  Space space = opcode.takeSpace();
  Type type = opcode.takeType();
  const Name *name = nullptr;
  for (const Name &each : names)
    if (name == nullptr && opcode.take(each.name))
      name = &each;
  bool isSigned = type == Type::S32 || type == Type::S64;
  bool isInteger = isSigned || type == Type::U32 || type == Type::U64 ||
                   type == Type::B32 || type == Type::B64;
  if (name == nullptr || !isInteger)
    return unsupported();
  bool isRed = opcode.base() == "red";
  bool isSwap = name->op == AtomicOp::CompareAndSwap;
  size_t first = isRed ? 0 : 1;
  size_t count = first + (isSwap ? 3 : 2);
  if (!expectOperands(count, count + 1))
    return false;
  if (isRed)
    current.code.dest[0] = addRegister(classOf(type));
  else if (!dest(0, type))
    return false;
  current.code.detail = static_cast<uint16_t>(static_cast<unsigned>(name->op) +
                                              (isSigned ? 16 : 0) +
                                              (byteWidth(type) == 8 ? 32 : 0));
  return address(0, instruction->operands[first], space) &&
         source(1, first + 1, type) &&
         (!isSwap || source(2, first + 2, type)) && finish(runAtomic);
}

bool Decoder::decodeNothing() {
  dropCurrent = true;
  return true;
}

/// The fourth operand of cp.async: the number of bytes to read, or a predicate
/// to read none.
bool Decoder::copySize(const Operand &operand, uint64_t bytes) {
  bool isPredicate = operand.kind == Operand::Kind::Register &&
                     function.registers[operand.index].type == Type::Pred;
  if (!isPredicate)
    return sourceReference(operand, Type::U32, false, current.code.source[2]);
  Draft choose;
  choose.code.line = instruction->line;
  choose.code.run = select({.op = Op::Selp, .type = Type::B32});
  choose.code.source[0] = constant(0, RegisterClass::Word);
  choose.code.source[1] = constant(bytes, RegisterClass::Word);
  choose.code.sourceNegated = operand.negated;
  current.code.source[2] = choose.code.dest[0] =
      addRegister(RegisterClass::Word);
  if (!sourceReference(operand, Type::Pred, false, choose.code.source[2]))
    return false;
  draft.drafts.push_back(choose);
  return true;
}

bool Decoder::decodeCpAsync() {
  if (!opcode.take("async"))
    return unsupported();
  if (opcode.take("commit_group"))
    return finish(runCopyCommit);
  if (opcode.take("wait_all")) {
    current.code.immediate = -1;
    return finish(runCopyWait);
  }
  if (opcode.take("wait_group")) {
    if (!expectOperands(1, 1))
      return false;
    const Operand &count = instruction->operands[0];
    if (count.kind != Operand::Kind::Integer)
      return fail("cp.async.wait_group needs a constant");
    current.code.immediate = static_cast<int64_t>(count.bits);
    return finish(runCopyWait);
  }
  bool isCg = opcode.take("cg");
  opcode.take("ca");
  bool hasPolicy = opcode.take("L2::cache_hint");
  opcode.takePrefixed("L2::");
  bool shared = opcode.take("shared") || opcode.take("shared::cta");
  if (!shared || !opcode.take("global"))
    return unsupported();
  size_t most = hasPolicy ? 5 : 4;
  if (!expectOperands(hasPolicy ? 4 : 3, most))
    return false;
  const Operand &size = instruction->operands[2];
  bool fits =
      size.kind == Operand::Kind::Integer &&
      (size.bits == 16 || (!isCg && (size.bits == 4 || size.bits == 8)));
  if (!fits)
    return fail("'" + std::string(opcode.text()) + "' copies 16 bytes" +
                (isCg ? "" : ", 8 or 4"));
  current.code.detail = static_cast<uint16_t>(size.bits);
  // Two addresses. The second goes through `address` as well, and its offset
  // and width are then moved to other fields.
  if (!address(1, instruction->operands[1], Space::Global))
    return false;
  int64_t from = current.code.immediate;
  if (from != static_cast<int32_t>(from) || !current.code.wideAddress)
    return unsupported();
  current.code.listBegin = static_cast<uint32_t>(from);
  size_t count = instruction->operands.size() - (hasPolicy ? 1 : 0);
  if (count == 4 && !copySize(instruction->operands[3], size.bits))
    return false;
  return address(0, instruction->operands[0], Space::Shared) && finish(runCopy);
}

} // namespace gensyn::ptx
