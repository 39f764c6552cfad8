// See SyntheticProgram.h.

#include "SyntheticProgram.h"

#include "SyntheticRun.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Proof/Trees/ListTree.h"

#include <map>
#include <utility>

namespace gensyn::testing {

using namespace proof;

// Numbers that have no more than 12 bits, so that sums of a few are exact and
// a flipped bit is always another number.
Tensor makeTensor(uint64_t seed) {
  std::vector<float> elements(kWidth);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = float((seed * 977 + i * i * 31 + i) % 4093) / 16;
  return Tensor::of<float>({kWidth}, elements);
}

Tensor constantOf(int number, bool isLast) {
  // Whoever evaluates an op makes its constants again.
  static std::map<std::pair<int, bool>, Tensor> made;
  Tensor &constant = made[{number, isLast}];
  if (constant.shape() != std::vector<int64_t>{kWidth})
    constant = makeTensor(number == kShift ? (isLast ? 90 : 80)
                                           : 100 + uint64_t(-number));
  return constant;
}

static Digest digestConstant(int number, bool isLast) {
  static std::map<std::pair<int, bool>, Digest> made;
  Digest &digest = made[{number, isLast}];
  if (digest == Digest())
    digest = digestTensor(runtime::witnessTensor(constantOf(number, isLast)));
  return digest;
}

const SyntheticProgram &stepProgram() {
  using Run = SyntheticRun;
  static const SyntheticProgram program = {
      {{"w", "parameter"},
       {"m", "state"},
       {runtime::kEpochState, "state"},
       {"x", "input"},
       {"seed", "key"},
       {"step", "step"},
       {"c", "constant"}},
      {{"add", {Run::Parameter, Run::State}},
       {"add", {Run::Sum, kShift}},
       {"sum", {Run::Shifted}},
       {"sub", {Run::Parameter, Run::Shifted}},
       {"sub", {Run::State, Run::Sum}},
       {"any", {Run::Step}},
       {"loop", {Run::Flag, Run::State, Run::Parameter, Run::Shifted}}},
      {{"loss", "loss", -1, Run::Loss},
       {"w", "", Run::Parameter, Run::NewParameter},
       {"m", "", Run::State, Run::NewState}}};
  return program;
}

uint64_t SyntheticProgram::firstValueOf(size_t op) const {
  uint64_t value = arguments.size();
  for (size_t before = 0; before < op; ++before)
    value += testing::findOp(ops[before].name)->results.size();
  return value;
}

size_t SyntheticProgram::findOp(uint64_t value) const {
  for (size_t op = 0; op < ops.size(); ++op)
    if (value >= firstValueOf(op) && value < firstValueOf(op + 1))
      return op;
  failBadInput("no op computes the value");
}

std::vector<Tensor> runProgram(const SyntheticProgram &program,
                               std::vector<Tensor> arguments, bool isLast) {
  std::vector<Tensor> values = std::move(arguments);
  for (const SyntheticProgram::Op &op : program.ops) {
    std::vector<Tensor> operands;
    for (int operand : op.operands)
      operands.push_back(operand < 0 ? constantOf(operand, isLast)
                                     : values.at(size_t(operand)));
    for (Tensor &result : computeOp(op.name, operands))
      values.push_back(std::move(result));
  }
  return values;
}

plan::EntryText describeOp(const SyntheticProgram &program, size_t op,
                           bool isLast) {
  plan::EntryText text;
  text.set_module(program.ops[op].name);
  text.set_first_value(program.firstValueOf(op));
  for (int operand : program.ops[op].operands) {
    plan::EntryOperand &to = *text.add_operands();
    if (operand >= 0) {
      to.set_value(uint64_t(operand));
      continue;
    }
    const Digest digest = digestConstant(operand, isLast);
    to.set_constant(digest.data(), digest.size());
  }
  return text;
}

std::string makeHeader(const SyntheticProgram &program,
                       const std::vector<TensorType> &types) {
  Encoding header;
  header.number(1).number(program.arguments.size());
  for (size_t i = 0; i < program.arguments.size(); ++i)
    header.text(program.arguments[i].name)
        .text(program.arguments[i].role)
        .number(uint64_t(-1))
        .text(name(types.at(i).element))
        .numbers(types[i].shape);
  header.number(program.countValues()).number(program.results.size());
  for (const SyntheticProgram::Result &result : program.results) {
    header.text(result.name).text(result.role);
    header.number(uint64_t(result.replaces));
    if (result.value < 0)
      header.text("constant").digest(digestConstant(result.value, false));
    else
      header.text("value").number(uint64_t(result.value));
  }
  return header.bytes();
}

Digest findProgramRoot(const SyntheticProgram &program,
                       const std::vector<TensorType> &types, bool isLast) {
  ListTree tree("program");
  tree.add(makeHeader(program, types));
  for (size_t op = 0; op < program.ops.size(); ++op)
    tree.add(encodeOp(describeOp(program, op, isLast)));
  return tree.root();
}

} // namespace gensyn::testing
