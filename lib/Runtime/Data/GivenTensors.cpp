// See GivenTensors.h.

#include "gensyn/Runtime/GivenTensors.h"

namespace gensyn::runtime {

plan::GivenTensors listTensors(const TensorFile &file, bool isSamples) {
  plan::GivenTensors given;
  given.set_name(file.path().string());
  for (const auto &[name, entry] : file.entries()) {
    plan::GivenTensors::Tensor &tensor = *given.add_tensors();
    tensor.set_name(name);
    for (int64_t extent : entry.shape)
      tensor.add_shape(isSamples && tensor.shape().empty() ? -1 : extent);
  }
  return given;
}

int64_t commonBatch(const plan::GivenTensors &given) {
  int64_t batch = 0;
  for (const plan::GivenTensors::Tensor &tensor : given.tensors()) {
    if (tensor.shape().empty())
      continue;
    if (tensor.shape(0) < 0 || (batch && tensor.shape(0) != batch))
      return 0;
    batch = tensor.shape(0);
  }
  return batch;
}

} // namespace gensyn::runtime
