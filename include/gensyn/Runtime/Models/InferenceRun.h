// One run of a model's program on the tensors of a file: infer and grad.
#ifndef GENSYN_RUNTIME_MODELS_INFERENCERUN_H
#define GENSYN_RUNTIME_MODELS_INFERENCERUN_H

#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Training/InferenceWitness.h"

#include <filesystem>

namespace gensyn::runtime {

struct InferenceRunOptions {
  /// Infer or Grad.
  ProgramKind kind = ProgramKind::Infer;
  /// A file or a run folder, in place of the model's parameters; empty: those.
  std::filesystem::path parameters;
  /// Infer: the key of the program's random numbers.
  uint64_t seed = 0;
};

class InferenceRun {
public:
  /// Compiles the program for the tensors of `file`, and reads them and the
  /// parameters. `model` must outlive the run. Throws a Failure.
  InferenceRun(Model &model, const TensorFile &file,
               const InferenceRunOptions &options);

  void run() { session->run(inputs); }
  /// The results of run(), by name.
  TensorMap results() const;
  const plan::Executable &executable() const { return session->executable(); }
  /// Tells what run() did; `threads` hash.
  void tell(InferenceWitness &witness, unsigned threads) const;

private:
  std::string file;
  bool isGrad;
  ParameterStore store;
  std::optional<Session> session;
  StepInputs inputs;
};

} // namespace gensyn::runtime

#endif
