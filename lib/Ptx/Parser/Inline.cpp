// Inlines calls.

#include "Inline.h"

#include <algorithm>
#include <unordered_set>

namespace gensyn::ptx {
namespace {

constexpr size_t mostInstructions = size_t(1) << 20;
/// The limit on nesting of calls: `append` recurses once for each.
constexpr size_t deepestCall = 256;

bool isOpcode(const Instruction &instruction, std::string_view base) {
  return instruction.opcode.substr(0, instruction.opcode.find('.')) == base;
}

class Inliner {
public:
  Inliner(Callees &callees, const Function &kernel)
      : callees(callees), kernel(kernel) {}

  Result<InlinedKernel> run() {
    Function &out = result.function;
    out = kernel;
    out.registers.clear();
    out.variables.clear();
    out.instructions.clear();
    out.branchTargets.clear();
    if (!append(kernel, {}))
      return *error;
    return std::move(result);
  }

private:
  using Names = std::unordered_map<std::string_view, std::string_view>;

  /// The new names of a body: parameters become those of the call, variables
  /// get names that no other function has. A function is never inside itself,
  /// so all of its copies share their variables.
  void addVariables(const Function &source, bool isKernel, Names &names) {
    for (const Variable &variable : source.variables) {
      Variable copy = variable;
      if (!isKernel)
        copy.name = result.names.emplace_back(
            std::string(source.name) + "::" + std::string(variable.name));
      names[variable.name] = copy.name;
      bool isArgument = variable.space == Space::Param;
      if (isArgument)
        copy.space = Space::Local;
      std::vector<Variable> &all = result.function.variables;
      auto [place, isNew] = variables.try_emplace(copy.name, all.size());
      if (isNew) {
        all.push_back(std::move(copy));
        continue;
      }
      // Every call has arguments of the same names in a scope of its own.
      Variable &same = all[place->second];
      same.size = std::max(same.size, copy.size);
      same.align = std::max(same.align, copy.align);
      names[variable.name] = same.name;
    }
  }

  bool append(const Function &source, Names names) {
    Function &out = result.function;
    bool isKernel = active.empty();
    active.push_back(&source);
    isActive.insert(&source);
    auto registers = static_cast<uint32_t>(out.registers.size());
    auto lists = static_cast<uint32_t>(out.branchTargets.size());
    out.registers.insert(out.registers.end(), source.registers.begin(),
                         source.registers.end());
    out.branchTargets.insert(out.branchTargets.end(),
                             source.branchTargets.begin(),
                             source.branchTargets.end());
    addVariables(source, isKernel, names);

    std::vector<uint32_t> places, own; // of instructions; of copies
    for (const Instruction &each : source.instructions) {
      places.push_back(static_cast<uint32_t>(out.instructions.size()));
      Instruction copy = each;
      if (copy.guard)
        *copy.guard += registers;
      for (Operand &operand : copy.operands)
        rename(operand, names, registers, lists);
      if (isOpcode(copy, "call")) {
        if (!replaceCall(copy))
          return false;
        continue;
      }
      own.push_back(static_cast<uint32_t>(out.instructions.size()));
      if (!isKernel && isOpcode(copy, "ret"))
        copy = branch(copy, static_cast<uint32_t>(source.instructions.size()));
      out.instructions.push_back(std::move(copy));
    }
    places.push_back(static_cast<uint32_t>(out.instructions.size()));
    for (uint32_t place : own)
      for (Operand &operand : out.instructions[place].operands)
        if (operand.kind == Operand::Kind::Label)
          operand.index = places[operand.index];
    for (size_t i = 0; i != source.branchTargets.size(); ++i)
      for (uint32_t &target : out.branchTargets[lists + i])
        target = places[target];
    active.pop_back();
    isActive.erase(&source);
    return true;
  }

  static void rename(Operand &operand, const Names &names, uint32_t registers,
                     uint32_t lists) {
    if (operand.kind == Operand::Kind::Register)
      operand.index += registers;
    else if (operand.kind == Operand::Kind::Targets)
      operand.index += lists;
    else if (operand.kind == Operand::Kind::Symbol)
      if (auto found = names.find(operand.text); found != names.end())
        operand.text = found->second;
    for (Operand &element : operand.elements)
      rename(element, names, registers, lists);
  }

  /// A branch with the position and the guard of `like`.
  static Instruction branch(const Instruction &like, uint32_t target) {
    Instruction instruction;
    instruction.line = like.line;
    instruction.opcode = "bra";
    instruction.guard = like.guard;
    instruction.guardNegated = like.guardNegated;
    Operand &operand = instruction.operands.emplace_back();
    operand.kind = Operand::Kind::Label;
    operand.index = target;
    return instruction;
  }

  bool fail(const Instruction &call, const std::string &what) {
    error =
        Error{call.line, "kernel '" + std::string(kernel.name) + "': " + what +
                             " is not supported by the simulator"};
    return false;
  }

  /// The result already has the call's names.
  bool replaceCall(const Instruction &call) {
    const std::vector<Operand> &operands = call.operands;
    auto callee =
        std::find_if(operands.begin(), operands.end(), [](const Operand &each) {
          return each.kind == Operand::Kind::Symbol;
        });
    if (callee == operands.end())
      return fail(call, "a call of an address");
    std::string name = "a call of '" + std::string(callee->text) + "'";
    auto found = callees.functions.find(callee->text);
    if (found == callees.functions.end())
      return fail(call, name + ", which the text does not define,");
    const Function *function = found->second;
    if (isActive.count(function))
      return fail(call, name + ", which calls itself,");
    if (active.size() > deepestCall)
      return fail(call, name + " within " + std::to_string(deepestCall) +
                            " other calls");

    Names names;
    auto bind = [&](const std::vector<Variable> &formal, const Operand *tuple) {
      size_t count = tuple == nullptr ? 0 : tuple->elements.size();
      if (count != formal.size())
        return fail(call, name + " with " + std::to_string(count) +
                              " operands instead of " +
                              std::to_string(formal.size()));
      for (size_t i = 0; i != count; ++i) {
        if (tuple->elements[i].kind != Operand::Kind::Symbol)
          return fail(call, name + " with operands in registers");
        names[formal[i].name] = tuple->elements[i].text;
      }
      return true;
    };
    auto tupleAt = [](auto place, auto end) -> const Operand * {
      return place != end && place->kind == Operand::Kind::Tuple ? &*place
                                                                 : nullptr;
    };
    if (!bind(function->results,
              callee == operands.begin() ? nullptr : &operands.front()) ||
        !bind(function->parameters, tupleAt(callee + 1, operands.end())))
      return false;

    std::vector<Instruction> &out = result.function.instructions;
    size_t skip = out.size();
    if (call.guard) {
      out.push_back(branch(call, 0));
      out.back().guardNegated = !call.guardNegated;
    }
    if (!spend(*function) || out.size() > mostInstructions)
      return fail(call, name + ", with which the kernel becomes too long,");
    if (!append(*function, std::move(names)))
      return false;
    if (call.guard)
      out[skip].operands[0].index = static_cast<uint32_t>(out.size());
    return true;
  }

  /// Deducts a copy of a function from the budget. Returns false if the budget
  /// is exceeded.
  bool spend(const Function &function) {
    uint64_t cost = 1 + function.instructions.size() +
                    function.variables.size() + function.registers.size();
    for (const std::vector<uint32_t> &targets : function.branchTargets)
      cost += targets.size();
    bool isEnough = cost <= callees.allowance;
    callees.allowance -= std::min(cost, callees.allowance);
    return isEnough;
  }

  Callees &callees;
  const Function &kernel;
  InlinedKernel result;
  std::unordered_map<std::string_view, size_t> variables; ///< of the result
  std::vector<const Function *> active;
  std::unordered_set<const Function *> isActive;
  std::optional<Error> error;
};

} // namespace

bool hasCalls(const Function &function) {
  return std::any_of(
      function.instructions.begin(), function.instructions.end(),
      [](const Instruction &each) { return isOpcode(each, "call"); });
}

Callees::Callees(const Syntax &syntax) {
  for (const Function &function : syntax.functions)
    if (!function.isDeclaration && !function.isEntry)
      functions.emplace(function.name, &function);
}

Result<InlinedKernel> inlineCalls(Callees &callees, const Function &kernel) {
  return Inliner(callees, kernel).run();
}

} // namespace gensyn::ptx
