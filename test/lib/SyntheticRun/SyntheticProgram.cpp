// See SyntheticProgram.h.

#include "SyntheticProgram.h"

#include "SyntheticRun.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Proof/Trees/ListTree.h"

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

Tensor shiftOf(bool isLast) { return makeTensor(isLast ? 90 : 80); }

static Digest elementsOf(const Tensor &tensor) {
  return digestTensor(runtime::witnessTensor(tensor));
}

namespace {

struct Argument {
  const char *name, *role;
};

} // namespace

static constexpr Argument kArguments[] = {
    {"w", "parameter"}, {"m", "state"},  {runtime::kEpochState, "state"},
    {"x", "input"},     {"seed", "key"}, {"step", "step"},
    {"c", "constant"},
};

/// What the ops read: values, or -1 for the constant.
static constexpr struct {
  const char *name;
  std::vector<int> (*operands)();
} ops[] = {
    {"add",
     [] {
       return std::vector<int>{SyntheticRun::Parameter, SyntheticRun::State};
     }},
    {"add", [] { return std::vector<int>{SyntheticRun::Sum, -1}; }},
    {"sum", [] { return std::vector<int>{SyntheticRun::Shifted}; }},
    {"sub",
     [] {
       return std::vector<int>{SyntheticRun::Parameter, SyntheticRun::Shifted};
     }},
    {"sub",
     [] { return std::vector<int>{SyntheticRun::State, SyntheticRun::Sum}; }},
};

static_assert(std::size(ops) == kOps);

std::string nameOf(size_t op) { return ops[op].name; }

std::vector<int> operandsOf(size_t op) { return ops[op].operands(); }

plan::EntryText describeOp(size_t op, bool isLast) {
  plan::EntryText text;
  text.set_module(ops[op].name);
  text.set_first_value(std::size(kArguments) + op);
  for (int operand : ops[op].operands()) {
    plan::EntryOperand &to = *text.add_operands();
    const Digest digest = elementsOf(shiftOf(isLast));
    if (operand < 0)
      to.set_constant(digest.data(), digest.size());
    else
      to.set_value(uint64_t(operand));
  }
  return text;
}

std::string makeHeader(const std::vector<Tensor> &values) {
  Encoding header;
  header.number(1).number(std::size(kArguments));
  for (size_t i = 0; i < std::size(kArguments); ++i)
    header.text(kArguments[i].name)
        .text(kArguments[i].role)
        .number(uint64_t(-1))
        .text(name(values[i].elementType()))
        .numbers(values[i].shape());
  header.number(SyntheticRun::kValues).number(3);
  auto result = [&](const char *name, const char *role, int64_t replaces,
                    uint64_t value) {
    header.text(name).text(role).number(uint64_t(replaces));
    header.text("value").number(value);
  };
  result("loss", "loss", -1, SyntheticRun::Loss);
  result("w", "", SyntheticRun::Parameter, SyntheticRun::NewParameter);
  result("m", "", SyntheticRun::State, SyntheticRun::NewState);
  return header.bytes();
}

Digest findProgramRoot(const std::vector<Tensor> &values, bool isLast) {
  ListTree tree("program");
  tree.add(makeHeader(values));
  for (size_t op = 0; op < kOps; ++op)
    tree.add(encodeOp(describeOp(op, isLast)));
  return tree.root();
}

} // namespace gensyn::testing
