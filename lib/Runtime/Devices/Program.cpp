// See Program.h.

#include "gensyn/Runtime/Devices/Program.h"

#include "gensyn/Executable/plan.pb.h"

#include <utility>

namespace gensyn::runtime {

void Program::stage(std::span<const Tensor *const> inputs) {
  staged.clear();
  for (const Tensor *input : inputs)
    staged.push_back(input ? *input : Tensor());
}

void Program::begin(std::span<Value *const> kept, std::span<Value> outputs) {
  preparation.bind(kept);
  std::vector<const Tensor *> inputs;
  for (size_t i = 0; i < kept.size(); ++i)
    inputs.push_back(kept[i] ? &kept[i]->read() : &staged[i]);
  std::vector<Tensor> results(outputs.size());
  const plan::Plan &plan = source->plan();
  for (size_t j = 0; j < outputs.size(); ++j) {
    const int replaced = ports.donated[j];
    if (int(j) >= plan.in_place_size() || !plan.in_place(int(j))) {
      results[j] = std::exchange(outputs[j].overwrite(), Tensor());
      continue;
    }
    // The result reuses the memory of the input, which must not be shared.
    results[j] = std::exchange(kept[size_t(replaced)]->overwrite(), Tensor());
    results[j].data();
    *kept[size_t(replaced)] =
        Value(outputs[j].elementType(), outputs[j].shape());
    inputs[size_t(replaced)] = &results[j];
  }
  run(inputs, results);
  for (size_t j = 0; j < outputs.size(); ++j)
    outputs[j] = Value(std::move(results[j]));
}

} // namespace gensyn::runtime
