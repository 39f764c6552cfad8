// See SyntheticSource.h.

#include "SyntheticSource.h"

#include "gensyn/Executable/Support/Error.h"

namespace gensyn::testing {

using namespace proof;
using runtime::witnessTensor;

static std::vector<runtime::WitnessedTensor>
witnessAll(const std::vector<Tensor> &tensors) {
  std::vector<runtime::WitnessedTensor> witnessed;
  for (const Tensor &tensor : tensors)
    witnessed.push_back(witnessTensor(tensor));
  return witnessed;
}

std::vector<runtime::WitnessedTensor> SyntheticSource::values() {
  return witnessAll(all);
}

Tensor SyntheticSource::value(uint64_t number) {
  if (number >= all.size())
    failBadInput("there is no such value");
  return all[number];
}

plan::EntriesResponse
SyntheticSource::listEntries(const std::vector<uint64_t> &described) {
  plan::EntriesResponse response;
  for (uint64_t op : described) {
    plan::EntriesResponse::Described &to = *response.add_described();
    *to.mutable_text() = describeOp(program, op, isLast);
    for (int operand : program.ops.at(op).operands) {
      plan::TensorValue &value = *to.add_constants();
      if (operand >= 0)
        continue;
      const Tensor constant = constantOf(operand, isLast);
      value.set_element_type("f32");
      value.add_shape(kWidth);
      value.set_data(constant.data(), size_t(constant.byteSize()));
    }
  }
  if (!described.empty())
    return response;
  std::vector<TensorType> types;
  for (size_t i = 0; i < program.arguments.size(); ++i)
    types.push_back(typeOf(all.at(i)));
  response.set_header(makeHeader(program, types));
  for (size_t op = 0; op < program.ops.size(); ++op) {
    const plan::EntryText text = describeOp(program, op, isLast);
    plan::EntriesResponse::Entry &entry = *response.add_entries();
    entry.set_encoding(encodeOp(text));
    entry.set_first_value(text.first_value());
    entry.set_results(uint32_t(findOp(text.module())->results.size()));
    entry.set_position(uint32_t(op));
    entry.set_operation("node '" + text.module() + "'");
  }
  return response;
}

IteratedOp SyntheticSource::open(uint64_t value) const {
  const SyntheticProgram::Op &op = program.ops[program.findOp(value)];
  if (!findIterations(op.name))
    failBadInput("the op has no iterations");
  std::vector<Tensor> operands;
  for (int operand : op.operands)
    operands.push_back(operand < 0 ? constantOf(operand, isLast)
                                   : all.at(size_t(operand)));
  return {op.name, std::move(operands)};
}

CarriedValues SyntheticSource::iterate(uint64_t value) {
  IteratedOp op = open(value);
  CarriedValues carried = {witnessAll(op.carried())};
  while (op.goesOn()) {
    op.runNext();
    carried.push_back(witnessAll(op.carried()));
  }
  return carried;
}

std::shared_ptr<ProgramSource> SyntheticSource::enter(uint64_t value,
                                                      uint64_t iteration) {
  IteratedOp op = open(value);
  for (uint64_t at = 1; at < iteration && op.goesOn(); ++at)
    op.runNext();
  if (iteration == 0 || !op.goesOn())
    failBadInput("the op has no such iteration");
  return std::make_shared<SyntheticSource>(
      op.program(), /*isLast=*/false,
      runProgram(op.program(), op.arguments(), /*isLast=*/false));
}

} // namespace gensyn::testing
