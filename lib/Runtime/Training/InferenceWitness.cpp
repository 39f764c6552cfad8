// See InferenceWitness.h.

#include "gensyn/Runtime/Training/InferenceWitness.h"

#include "../Support/StateDigests.h"
#include "gensyn/Executable/plan.pb.h"

namespace gensyn::runtime {

WitnessedInference beginWitness(const std::string &command,
                                const Session &session,
                                const ParameterStore &store, unsigned threads) {
  WitnessedInference inference;
  inference.command = command;
  inference.programDigests = {session.executable().program_digest()};
  inference.numericsVersion = session.executable().numerics_version();
  TensorMap tensors = store.model();
  tensors.merge(store.constants());
  std::vector<const Tensor *> hashed;
  for (const auto &[name, tensor] : tensors)
    hashed.push_back(&tensor);
  const std::vector<Digest> digests = digestTogether(hashed, threads);
  size_t next = 0;
  for (const auto &[name, tensor] : tensors)
    inference.state[name] = {tensor.elementType(), tensor.shape(),
                             digests[next++]};
  return inference;
}

} // namespace gensyn::runtime
