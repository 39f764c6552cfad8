// See GivenTensors.h.

#include "gensyn/Runtime/Data/GivenTensors.h"

#include "gensyn/Executable/plan.pb.h"

namespace gensyn::runtime {

GivenTensors listTensors(const TensorFile &file, bool isSamples) {
  GivenTensors given;
  given.name = file.path().string();
  for (const auto &[name, entry] : file.entries()) {
    GivenTensors::Tensor &tensor = given.tensors.emplace_back();
    tensor.name = name;
    tensor.shape = entry.shape;
    if (isSamples && !tensor.shape.empty())
      tensor.shape.front() = -1;
  }
  return given;
}

int64_t commonBatch(const GivenTensors &given) {
  int64_t batch = 0;
  for (const GivenTensors::Tensor &tensor : given.tensors) {
    if (tensor.shape.empty())
      continue;
    const int64_t extent = tensor.shape.front();
    if (extent < 0 || (batch && extent != batch))
      return 0;
    batch = extent;
  }
  return batch;
}

void describe(const GivenTensors &given, plan::GivenTensors &message) {
  message.set_name(given.name);
  for (const GivenTensors::Tensor &tensor : given.tensors) {
    plan::GivenTensors::Tensor &out = *message.add_tensors();
    out.set_name(tensor.name);
    out.mutable_shape()->Add(tensor.shape.begin(), tensor.shape.end());
  }
  message.set_sequence_length(given.sequenceLength);
  message.set_default_length(given.defaultLength);
}

} // namespace gensyn::runtime
