// See SyntheticIterations.h.

#include "SyntheticIterations.h"

#include "SyntheticRun.h"

#include <utility>

namespace gensyn::testing {

using Argument = plan::OpIterations::Argument;

static void addArgument(plan::OpIterations &iterations, Argument::Kind kind,
                        uint32_t number) {
  Argument &argument = *iterations.add_arguments();
  argument.set_kind(kind);
  argument.set_number(number);
}

std::optional<plan::OpIterations> findIterations(const std::string &name) {
  plan::OpIterations found;
  if (name == "loop") {
    // One more than there ever are, so that somebody can claim that many.
    found.set_most(6);
    for (uint32_t operand : {0u, 1u, 2u})
      found.add_initial(operand);
    found.set_flag(0);
    addArgument(found, Argument::INDEX, 0);
    addArgument(found, Argument::CARRIED, 1);
    addArgument(found, Argument::CARRIED, 2);
    addArgument(found, Argument::OPERAND, 3);
    found.add_results(1);
    found.add_results(2);
    return found;
  }
  if (name != "branch" && name != "pick")
    return std::nullopt;
  found.set_most(1);
  found.set_choice(0);
  if (name == "branch") {
    addArgument(found, Argument::OPERAND, 1);
    addArgument(found, Argument::OPERAND, 2);
  }
  found.add_results(0);
  return found;
}

static const SyntheticProgram &bodyOf(const std::string &name,
                                      unsigned variant) {
  using In = SyntheticRun::InLoop;
  constexpr int kStep = kNestedConstant, kThen = kStep - 1, kElse = kThen - 1;
  static const SyntheticProgram
      loop = {{{"index", "input"},
               {"carried1", "input"},
               {"carried2", "input"},
               {"operand3", "input"}},
              {{"add", {In::X, In::Operand}},
               {"sub", {In::Y, kStep}},
               {"odd", {In::Added}},
               {"branch", {In::Odd, In::Added, In::Less}},
               {"pick", {In::Odd}},
               {"add", {In::Branched, In::Picked}},
               {"more", {In::Index, In::Next}}},
              {{"next0", "", -1, In::More},
               {"next1", "", -1, In::Next},
               {"next2", "", -1, In::Less}}},
      branches[] = {{{{"operand1", "input"}, {"operand2", "input"}},
                     {{"sub", {0, 1}}},
                     {{"next0", "", -1, 2}}},
                    {{{"operand1", "input"}, {"operand2", "input"}},
                     {{"add", {1, 1}}, {"sub", {2, 0}}},
                     {{"next0", "", -1, 3}}}},
      picks[] = {{{}, {}, {{"next0", "", -1, kThen}}},
                 {{}, {}, {{"next0", "", -1, kElse}}}};
  const size_t chosen = variant == 0 ? 0 : 1;
  return name == "loop"     ? loop
         : name == "branch" ? branches[chosen]
                            : picks[chosen];
}

void addIteration(const std::string &name, unsigned variant,
                  plan::OpIterations &iterations) {
  const OpTypes &op = *findOp(name);
  std::vector<TensorType> types;
  for (const Argument &argument : iterations.arguments())
    if (argument.kind() == Argument::INDEX)
      types.push_back({ElementType::I64, {}});
    else
      types.push_back(
          op.operands.at(argument.kind() == Argument::CARRIED
                             ? iterations.initial(int(argument.number()))
                             : argument.number()));
  const SyntheticProgram &program = bodyOf(name, variant);
  iterations.set_header(makeHeader(program, types));
  const Digest root = findProgramRoot(program, types, /*isLast=*/false);
  iterations.set_root(root.data(), root.size());
}

IteratedOp::IteratedOp(const std::string &name, std::vector<Tensor> given)
    : iterations(*findIterations(name)), operands(std::move(given)) {
  for (uint32_t operand : iterations.initial())
    now.push_back(operands.at(operand));
  const bool isElse = iterations.has_choice() &&
                      !operands.at(iterations.choice()).as<bool>()[0];
  body = &bodyOf(name, isElse ? 1 : 0);
}

bool IteratedOp::goesOn() const {
  return before < iterations.most() &&
         (!iterations.has_flag() || now.at(iterations.flag()).as<bool>()[0]);
}

std::vector<Tensor> IteratedOp::arguments() const {
  std::vector<Tensor> arguments;
  for (const Argument &argument : iterations.arguments())
    if (argument.kind() == Argument::INDEX)
      arguments.push_back(Tensor::scalar(int64_t(before)));
    else
      arguments.push_back(argument.kind() == Argument::CARRIED
                              ? now.at(argument.number())
                              : operands.at(argument.number()));
  return arguments;
}

void IteratedOp::runNext() {
  const std::vector<Tensor> values =
      runProgram(*body, arguments(), /*isLast=*/false);
  now.clear();
  for (const SyntheticProgram::Result &result : body->results)
    now.push_back(result.value < 0 ? constantOf(result.value, /*isLast=*/false)
                                   : values.at(size_t(result.value)));
  ++before;
}

std::vector<Tensor> IteratedOp::finish() {
  while (goesOn())
    runNext();
  std::vector<Tensor> results;
  for (uint32_t result : iterations.results())
    results.push_back(now.at(result));
  return results;
}

} // namespace gensyn::testing
