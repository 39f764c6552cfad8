// Applies the auditor's rules to each instruction.

#include "gensyn/Ptx/Audit.h"

#include "../Decoder/Opcode.h"
#include "AuditRules.h"
#include "MagnitudeCompares.h"
#include "NegatedLeast.h"
#include "SelectedExtrema.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

template <size_t n>
bool isOneOf(std::string_view name, const std::string_view (&list)[n]) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

bool isFloat(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F16x2 ||
         type == Type::BF16x2 || type == Type::F32 || type == Type::F32x2 ||
         type == Type::TF32 || type == Type::F64 || type == Type::E4M3x2 ||
         type == Type::E5M2x2;
}

constexpr std::string_view transcendentals[] = {"ex2", "lg2",  "sin",
                                                "cos", "tanh", "rsqrt"};
constexpr std::string_view matrices[] = {"mma", "wmma", "wgmma", "tcgen05"};
constexpr std::string_view textures[] = {"tex",  "tld4",  "txq", "suld",
                                         "sust", "sured", "suq", "istypep"};
// Rounded arithmetic: needs an explicit rounding mode.
constexpr std::string_view rounded[] = {"add", "sub", "mul",  "fma",
                                        "mad", "div", "sqrt", "rcp"};
constexpr std::string_view reproducible[] = {
    "abs",      "add",   "addc",          "and",      "atom",      "bar",
    "barrier",  "bfe",   "bfi",           "bfind",    "bmsk",      "bra",
    "brev",     "brx",   "clz",           "cnot",     "copysign",  "cp",
    "cvt",      "cvta",  "div",           "dp2a",     "dp4a",      "elect",
    "exit",     "fence", "fma",           "fns",      "isspacep",  "ld",
    "ldmatrix", "ldu",   "lop3",          "mad",      "mad24",     "madc",
    "mapa",     "match", "max",           "mbarrier", "membar",    "min",
    "mma",      "mov",   "movmatrix",     "mul",      "mul24",     "neg",
    "not",      "or",    "popc",          "prefetch", "prefetchu", "prmt",
    "rcp",      "red",   "redux",         "rem",      "ret",       "sad",
    "selp",     "set",   "setmaxnreg",    "setp",     "shf",       "shfl",
    "shl",      "shr",   "slct",          "sqrt",     "st",        "stmatrix",
    "sub",      "subc",  "szext",         "testp",    "trap",      "vote",
    "wmma",     "xor",   "griddepcontrol"};
constexpr std::string_view machineRegisters[] = {
    "%clock",       "%clock_hi",       "%clock64",
    "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
    "%smid",        "%nsmid",          "%warpid",
    "%nwarpid",     "%gridid",         "%reserved_shared_offset_begin"};

class Auditor {
public:
  explicit Auditor(const Syntax &module) : syntax(module) {}

  std::vector<Finding> run() {
    for (const Function &each : syntax.functions) {
      function = &each;
      readRegisters.clear();
      floatRegisters.clear();
      const std::vector<bool> extrema = findSelectedExtrema(each),
                              compares = findMagnitudeCompares(each),
                              negations = findNegatedLeast(each);
      for (const Instruction &next : each.instructions) {
        instruction = &next;
        checkInstruction();
        const size_t index = &next - each.instructions.data();
        if (extrema[index])
          add(RuleId::SelectedExtremum);
        if (compares[index])
          add(RuleId::MagnitudeCompare);
        if (negations[index])
          add(RuleId::NegatedLeast);
        for (const Operand &operand : next.operands)
          checkOperand(operand);
      }
    }
    return std::move(findings);
  }

private:
  void add(RuleId rule, std::string_view text) {
    findings.push_back({instruction->line,
                        auditRules()[static_cast<size_t>(rule)].name,
                        std::string(text)});
  }
  void add(RuleId rule) { add(rule, instruction->opcode); }

  void checkInstruction() {
    Opcode opcode(instruction->opcode);
    std::string_view base = opcode.base();
    std::vector<Type> types;
    for (Type type = opcode.takeType(); type != Type::None;
         type = opcode.takeType())
      types.push_back(type);
    bool anyFloat = std::any_of(types.begin(), types.end(), isFloat);

    if (isOneOf(base, transcendentals))
      return add(RuleId::Transcendental);
    if (isOneOf(base, matrices))
      return checkMatrix(base, anyFloat);
    if (isOneOf(base, textures))
      return add(RuleId::Texture);
    if (base == "call")
      return add(RuleId::Call);
    if (base == "activemask")
      return add(RuleId::UnsynchronizedExchange);
    if ((base == "shfl" || base == "vote" || base == "match") &&
        !opcode.take("sync"))
      return add(RuleId::UnsynchronizedExchange);
    if (!isOneOf(base, reproducible))
      return add(RuleId::UnknownInstruction);
    if (base == "redux" && anyFloat)
      return add(RuleId::FloatRedux);
    if (base == "atom" || base == "red")
      return checkAtomic(opcode, anyFloat);
    if (base == "cp" && opcode.take("reduce") && anyFloat)
      return add(RuleId::FloatAtomic);
    if (base == "st" && !types.empty() && !instruction->operands.empty())
      return checkStored(instruction->operands.back(), types.back());
    if (base == "min" || base == "max")
      checkExtremum();
    checkArithmetic(opcode, types);
  }

  /// ptxas (13.0, for sm_90 to sm_110) compares the extremum of a signed 16-bit
  /// integer and 0 with 0 by `VIMNMX.S16x2 d, P0, P0, a, RZ`: the predicate of
  /// the other half of the register `a` overwrites that of the value.
  void checkExtremum() {
    if (instruction->opcode.find(".s16") != std::string_view::npos)
      add(RuleId::PackedExtremum);
  }

  /// The PTX manual says that a store takes the low bits of a wider register.
  /// If an instruction on floats computed the register, ptxas (13.0, for sm_75
  /// to sm_120) converts the float to an integer of the stored width instead.
  void checkStored(const Operand &stored, Type type) {
    if (stored.kind == Operand::Kind::Register &&
        byteWidth(function->registers[stored.index].type) > byteWidth(type) &&
        holdsFloat(stored.index))
      add(RuleId::NarrowedFloat);
    for (const Operand &element : stored.elements)
      checkStored(element, type);
  }

  void checkMatrix(std::string_view base, bool anyFloat) {
    // Integers are exact in any order, unless sums saturate; newer units are
    // not on the list.
    std::string_view text = instruction->opcode;
    bool moves = base == "wmma" && text.find(".mma") == text.npos;
    static constexpr std::string_view narrowFloats[] = {
        ".e4m3", ".e5m2", ".e2m3", ".e3m2", ".e2m1"};
    for (std::string_view narrow : narrowFloats)
      anyFloat |= text.find(narrow) != text.npos;
    if (moves)
      return;
    if (anyFloat)
      add(RuleId::FloatMatrix);
    else if (!isOneOf(base, reproducible))
      add(RuleId::UnknownInstruction);
    else if (text.find(".satfinite") != text.npos)
      add(RuleId::SaturatedMatrix);
  }

  void checkAtomic(Opcode &opcode, bool anyFloat) {
    if (anyFloat)
      return add(RuleId::FloatAtomic);
    if (opcode.take("exch") || opcode.take("cas") || opcode.take("inc") ||
        opcode.take("dec"))
      return add(RuleId::AtomicOrder);
    if (opcode.base() == "atom" && !instruction->operands.empty()) {
      const Operand &result = instruction->operands[0];
      if (result.kind == Operand::Kind::Register && isRead(result.index))
        add(RuleId::AtomicResult);
    }
  }

  void checkArithmetic(Opcode &opcode, const std::vector<Type> &types) {
    bool floatResult = !types.empty() && isFloat(types[0]);
    if (opcode.take("approx"))
      return add(RuleId::Approximate);
    if (opcode.take("full"))
      return add(RuleId::FullDivision);
    if (opcode.take("ftz"))
      add(RuleId::FlushSubnormals);
    // `set` and `cvt` to integers may saturate.
    if (floatResult &&
        (opcode.take("sat") || opcode.take("relu") || opcode.take("satfinite")))
      add(RuleId::SaturatedFloat);
    if (opcode.take("rz") || opcode.take("rm") || opcode.take("rp") ||
        opcode.take("rna") || opcode.take("rs"))
      return add(RuleId::OtherRounding);
    if (floatResult && isOneOf(opcode.base(), rounded) && !opcode.take("rn"))
      add(RuleId::UnstatedRounding);
  }

  void checkOperand(const Operand &operand) {
    std::string_view name = operand.text;
    if (operand.kind == Operand::Kind::Special &&
        (isOneOf(name, machineRegisters) || name.substr(0, 3) == "%pm" ||
         name.substr(0, 7) == "%envreg"))
      add(RuleId::MachineState, name);
    for (const Operand &element : operand.elements)
      checkOperand(element);
  }

  /// True if the function reads the register anywhere. Counts every occurrence
  /// except as a plain first operand, which is the result; stores and branches
  /// have no result.
  bool isRead(uint32_t index) {
    if (readRegisters.empty())
      findReadRegisters();
    return readRegisters[index];
  }

  /// True if an instruction on floats writes the register.
  bool holdsFloat(uint32_t index) {
    if (floatRegisters.empty())
      findFloatRegisters();
    return floatRegisters[index];
  }

  void findFloatRegisters() {
    floatRegisters.resize(function->registers.size());
    for (const Instruction &each : function->instructions) {
      Opcode opcode(each.opcode);
      if (!isFloat(opcode.takeType()) || each.operands.empty())
        continue;
      const Operand &result = each.operands.front();
      if (result.kind == Operand::Kind::Register)
        floatRegisters[result.index] = true;
      for (const Operand &element : result.elements)
        if (element.kind == Operand::Kind::Register &&
            result.kind != Operand::Kind::Address)
          floatRegisters[element.index] = true;
    }
  }

  void findReadRegisters() {
    readRegisters.resize(function->registers.size());
    for (const Instruction &each : function->instructions) {
      if (each.guard)
        readRegisters[*each.guard] = true;
      for (size_t i = 0; i != each.operands.size(); ++i) {
        const Operand &operand = each.operands[i];
        bool isResult = i == 0 && operand.kind != Operand::Kind::Address;
        if (!isResult)
          markRead(operand);
      }
    }
  }

  void markRead(const Operand &operand) {
    if (operand.kind == Operand::Kind::Register)
      readRegisters[operand.index] = true;
    for (const Operand &element : operand.elements)
      markRead(element);
  }

  const Syntax &syntax;
  const Function *function = nullptr;
  const Instruction *instruction = nullptr;
  std::vector<bool> readRegisters;  ///< of `function`; empty: not yet known
  std::vector<bool> floatRegisters; ///< the same
  std::vector<Finding> findings;
};

} // namespace

Result<std::vector<Finding>> audit(std::string text) {
  Result<Syntax> syntax = parseSyntax(std::move(text));
  if (!syntax)
    return syntax.error();
  return Auditor(*syntax).run();
}

} // namespace gensyn::ptx
