// The frame of the decoder: variables, the table of opcodes, one instruction.

#include "Decoder.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace gensyn::ptx {
namespace {

uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Names that a kernel uses: it allocates only the shared variables among them.
void collectSymbols(const Operand &operand,
                    std::unordered_set<std::string_view> &names) {
  if (operand.kind == Operand::Kind::Symbol)
    names.insert(operand.text);
  for (const Operand &element : operand.elements)
    collectSymbols(element, names);
}

/// The hardware feature that an instruction needs and the simulator lacks;
/// empty if there is none.
std::string_view missingPart(std::string_view opcode) {
  struct Part {
    std::string_view prefix, name;
  };
  static constexpr Part parts[] = {
      {"wmma.", "matrix units"},
      {"wgmma.", "matrix units"},
      {"tcgen05.", "matrix units"},
      {"stmatrix.", "matrix units"},
      {"movmatrix.", "matrix units"},
      {"cp.async.bulk", "the tensor memory accelerator"},
      {"cp.reduce.async.bulk", "the tensor memory accelerator"},
      {"mbarrier.", "mbarriers"},
      {"cp.async.mbarrier", "mbarriers"},
      {"multimem.", "several GPUs"},
      {"barrier.cluster", "clusters"},
      {"mapa", "clusters"},
      {"tex.", "textures"},
      {"tld4.", "textures"},
      {"suld.", "surfaces"},
      {"sust.", "surfaces"},
      {"sured.", "surfaces"}};
  for (const Part &part : parts)
    if (opcode.substr(0, part.prefix.size()) == part.prefix)
      return part.name;
  return "";
}

uint64_t findMostSharedBytes(unsigned generation) {
  struct Generation {
    unsigned number;
    uint64_t sharedKiB;
  };
  // CUDA C++ programming guide, technical specifications per compute
  // capability. The simulator has its own table, as it checks what is made by
  // another one.
  static constexpr Generation generations[] = {
      {75, 64},   {80, 163},  {86, 99},   {87, 163}, {89, 99}, {90, 227},
      {100, 227}, {103, 227}, {110, 227}, {120, 99}, {121, 99}};
  uint64_t most = 0;
  for (const Generation &each : generations) {
    if (each.number == generation)
      return each.sharedKiB * 1024;
    most = std::max(most, each.sharedKiB * 1024);
  }
  return most;
}

} // namespace

ModuleContext::ModuleContext(const Syntax &syntax)
    : target(syntax.target), callees(syntax) {
  if (target.starts_with("sm_"))
    std::from_chars(target.data() + 3, target.data() + target.size(),
                    generation);
  mostSharedBytes = findMostSharedBytes(generation);
}

Result<Kernel> decodeKernel(ModuleContext &module, const Function &function) {
  if (!hasCalls(function))
    return Decoder(module, function).run();
  Result<InlinedKernel> inlined = inlineCalls(module.callees, function);
  if (!inlined)
    return inlined.error();
  return Decoder(module, inlined->function).run();
}

std::optional<Decoder::Symbol>
Decoder::findSymbol(std::string_view name) const {
  if (auto own = symbols.find(name); own != symbols.end())
    return own->second;
  auto shared = module.variables.find(name);
  if (shared == module.variables.end() ||
      shared->second.variable->space == Space::Shared)
    return std::nullopt;
  const auto &[variable, address] = shared->second;
  return Symbol{variable->space, address, variable->size};
}

bool Decoder::fail(std::string message) {
  if (!error)
    error = Error{instruction ? instruction->line : function.line,
                  "kernel '" + std::string(function.name) +
                      "': " + std::move(message)};
  return false;
}

bool Decoder::unsupported() {
  return fail("'" + std::string(opcode.text()) +
              "' is not supported by the simulator");
}

bool Decoder::expectOperands(size_t least, size_t most) {
  size_t count = instruction->operands.size();
  if (count >= least && count <= most)
    return true;
  std::string wanted = std::to_string(least);
  if (most != least)
    wanted += " to " + std::to_string(most);
  return fail("'" + std::string(opcode.text()) + "' has " +
              std::to_string(count) + " operands, expected " + wanted);
}

bool Decoder::finish(const Selector &selector) {
  return finish(select(selector));
}

bool Decoder::finish(Handler handler) {
  if (auto modifier = opcode.leftover())
    return fail("modifier '." + std::string(*modifier) + "' of '" +
                std::string(opcode.text()) +
                "' is not supported by the simulator");
  if (handler == nullptr)
    return unsupported();
  current.code.run = handler;
  return true;
}

bool Decoder::layOutParameters() {
  uint64_t offset = 0;
  for (const Variable &parameter : function.parameters) {
    offset = alignTo(offset, parameter.align);
    draft.kernel.parameters.push_back(
        {std::string(parameter.name), offset, parameter.size});
    symbols[parameter.name] = {Space::Param, offset, parameter.size};
    offset += parameter.size;
    // CUDA passes at most 4 KiB, 32 KiB from sm_70 on.
    if (offset > 32764)
      return fail("the parameters have " + std::to_string(offset) +
                  " bytes, at most 32764 can be passed");
  }
  draft.kernel.parameterBytes = offset;
  return true;
}

/// The module's .shared variables that the kernel names, in the text's order.
std::vector<const Variable *> Decoder::findUsedShared() const {
  std::unordered_set<std::string_view> names;
  for (const Instruction &each : function.instructions)
    for (const Operand &operand : each.operands)
      collectSymbols(operand, names);
  std::vector<const Variable *> used;
  for (std::string_view name : names)
    if (auto found = module.variables.find(name);
        found != module.variables.end() &&
        found->second.variable->space == Space::Shared)
      used.push_back(found->second.variable);
  // One vector holds them all.
  std::sort(used.begin(), used.end());
  return used;
}

bool Decoder::layOutVariables() {
  // The assembler takes 48 KiB of variables whatever the target has, more is
  // for a launch to ask for. The hardware has 512 KiB of local memory for a
  // thread.
  constexpr uint64_t mostShared = uint64_t(48) << 10;
  constexpr uint64_t mostLocal = uint64_t(512) << 10;
  uint64_t shared = 0, local = 0;
  auto place = [&](const Variable &variable, uint64_t &top) {
    top = alignTo(top, std::max<uint64_t>(variable.align, 1));
    symbols[variable.name] = {variable.space, top, variable.size};
    // A variable has 2^40 bytes at most, so the sum cannot overflow.
    top = std::min(top + variable.size, uint64_t(1) << 20);
  };
  for (const Variable &variable : function.variables)
    if (variable.space == Space::Shared)
      place(variable, shared);
    else if (variable.space == Space::Local)
      place(variable, local);
  std::vector<const Variable *> dynamic;
  for (const Variable *variable : findUsedShared()) {
    if (variable->size == 0)
      dynamic.push_back(variable);
    else
      place(*variable, shared);
  }
  if (shared > mostShared)
    return fail("its .shared variables have more than 48 KiB, which only a "
                "launch can give it");
  // All arrays without an extent share the launch's dynamic memory.
  if (!dynamic.empty()) {
    uint64_t alignment = 16;
    for (const Variable *variable : dynamic)
      alignment = std::max(alignment, variable->align);
    shared = alignTo(shared, alignment);
    for (const Variable *variable : dynamic)
      symbols[variable->name] = {Space::Shared, shared, 0};
  }
  if (local > mostLocal)
    return fail("its .local variables have more than 512 KiB");
  draft.kernel.sharedBytes = shared;
  draft.kernel.localBytes = alignTo(local, 16);
  return true;
}

Result<Kernel> Decoder::run() {
  draft.kernel.name = function.name;
  draft.kernel.target = module.target;
  draft.kernel.mostSharedBytes = module.mostSharedBytes;
  draft.kernel.requiredBlock = function.requiredBlock;
  draft.kernel.maximalBlock = function.maximalBlock;
  for (const Register &each : function.registers)
    draft.registers.push_back(classOf(each.type));
  if (!layOutParameters() || !layOutVariables())
    return *error;
  for (const Instruction &each : function.instructions) {
    draft.starts.push_back(static_cast<uint32_t>(draft.drafts.size()));
    if (!decodeInstruction(each))
      return *error;
    // References have 31 bits.
    if (draft.kernel.constants.size() > (1u << 25))
      return fail("it has too many constants for the simulator"), *error;
  }
  draft.starts.push_back(static_cast<uint32_t>(draft.drafts.size()));
  instruction = nullptr;
  if (!buildControlFlow(draft))
    return fail("its branches are too tangled for the simulator"), *error;
  if (!assignSlots(draft))
    return fail("it needs more registers than the simulator has"), *error;
  return std::move(draft.kernel);
}

bool Decoder::decodeInstruction(const Instruction &next) {
  instruction = &next;
  opcode = Opcode(next.opcode);
  current = Draft();
  current.code.line = next.line;
  if (next.guard) {
    current.code.guard = *next.guard;
    current.code.guardNegated = next.guardNegated;
  }
  dropCurrent = false;
  after.clear();
  std::string_view missing = missingPart(next.opcode);
  if (!missing.empty())
    return fail("'" + std::string(next.opcode) +
                "': the simulator does not simulate " + std::string(missing));
  Family family = findFamily(opcode.base());
  if (family == nullptr)
    return unsupported();
  if (!(this->*family)())
    return false;
  if (!dropCurrent)
    draft.drafts.push_back(std::move(current));
  for (Draft &each : after)
    draft.drafts.push_back(std::move(each));
  return true;
}

Decoder::Family Decoder::findFamily(std::string_view base) {
  static const std::unordered_map<std::string_view, Family> families = {
      {"add", &Decoder::decodeAddSub},
      {"sub", &Decoder::decodeAddSub},
      {"addc", &Decoder::decodeCarry},
      {"subc", &Decoder::decodeCarry},
      {"madc", &Decoder::decodeCarry},
      {"mul", &Decoder::decodeMul},
      {"mad", &Decoder::decodeMad},
      {"div", &Decoder::decodeDivRem},
      {"rem", &Decoder::decodeDivRem},
      {"min", &Decoder::decodeMinMax},
      {"max", &Decoder::decodeMinMax},
      {"abs", &Decoder::decodeAbsNeg},
      {"neg", &Decoder::decodeAbsNeg},
      {"fma", &Decoder::decodeFma},
      {"sqrt", &Decoder::decodeFloatUnary},
      {"rcp", &Decoder::decodeFloatUnary},
      {"copysign", &Decoder::decodeCopysign},
      {"testp", &Decoder::decodeTestp},
      {"sad", &Decoder::decodeSad},
      {"dp4a", &Decoder::decodeDot4},
      {"dp2a", &Decoder::decodeDot4},
      {"mul24", &Decoder::decodeMul24},
      {"mad24", &Decoder::decodeMul24},
      {"slct", &Decoder::decodeSlct},
      {"and", &Decoder::decodeLogic},
      {"or", &Decoder::decodeLogic},
      {"xor", &Decoder::decodeLogic},
      {"not", &Decoder::decodeNot},
      {"cnot", &Decoder::decodeNot},
      {"shl", &Decoder::decodeShift},
      {"shr", &Decoder::decodeShift},
      {"shf", &Decoder::decodeFunnel},
      {"popc", &Decoder::decodeCount},
      {"clz", &Decoder::decodeCount},
      {"brev", &Decoder::decodeCount},
      {"bfind", &Decoder::decodeCount},
      {"bfe", &Decoder::decodeBfe},
      {"bfi", &Decoder::decodeBfi},
      {"prmt", &Decoder::decodePrmt},
      {"lop3", &Decoder::decodeLop3},
      {"setp", &Decoder::decodeSetp},
      {"set", &Decoder::decodeSet},
      {"selp", &Decoder::decodeSelp},
      {"mov", &Decoder::decodeMov},
      {"cvt", &Decoder::decodeCvt},
      {"cvta", &Decoder::decodeCvta},
      {"isspacep", &Decoder::decodeIsspacep},
      {"ld", &Decoder::decodeLoad},
      {"ldu", &Decoder::decodeLoad},
      {"st", &Decoder::decodeStore},
      {"atom", &Decoder::decodeAtomic},
      {"red", &Decoder::decodeAtomic},
      {"membar", &Decoder::decodeNothing},
      {"fence", &Decoder::decodeNothing},
      {"prefetch", &Decoder::decodeNothing},
      {"prefetchu", &Decoder::decodeNothing},
      {"griddepcontrol", &Decoder::decodeNothing},
      {"cp", &Decoder::decodeCpAsync},
      {"bra", &Decoder::decodeBra},
      {"brx", &Decoder::decodeBrx},
      {"ret", &Decoder::decodeReturn},
      {"exit", &Decoder::decodeReturn},
      {"trap", &Decoder::decodeTrap},
      {"bar", &Decoder::decodeBarrier},
      {"barrier", &Decoder::decodeBarrier},
      {"shfl", &Decoder::decodeShfl},
      {"vote", &Decoder::decodeVote},
      {"match", &Decoder::decodeMatch},
      {"elect", &Decoder::decodeElect},
      {"nanosleep", &Decoder::decodeNothing},
      {"discard", &Decoder::decodeNothing},
      {"applypriority", &Decoder::decodeNothing},
      {"activemask", &Decoder::decodeActivemask},
      {"redux", &Decoder::decodeRedux},
      {"mma", &Decoder::decodeMma},
      {"ldmatrix", &Decoder::decodeLoadMatrix}};
  auto found = families.find(base);
  return found == families.end() ? nullptr : found->second;
}

} // namespace gensyn::ptx
