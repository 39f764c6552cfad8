// What is told of infer, eval and generate, for commitments to them.
#ifndef GENSYN_RUNTIME_TRAINING_INFERENCEWITNESS_H
#define GENSYN_RUNTIME_TRAINING_INFERENCEWITNESS_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <string>
#include <vector>

namespace gensyn::runtime {

/// One inference: everything that determines its results, and the results. None
/// of it depends on the target, on threads or on caches.
struct WitnessedInference {
  /// "infer", "eval" or "generate".
  std::string command;
  /// The program of full batches, then that of the samples left over.
  std::vector<std::string> programDigests;
  std::string numericsVersion;
  /// Options and facts of the data that the results depend on.
  OrderedJson options;
  /// Parameters, running statistics and constants of the programs.
  WitnessedState state;
  TensorMap inputs, outputs;
  /// True if inputs and outputs are few numbers, which are written out.
  bool areValuesWritten = false;
  /// Evaluations: see WitnessedStart.
  SampleVisitor visitSamples;
};

/// Learns what an inference did, after it has its results. What it throws ends
/// the command.
class InferenceWitness {
public:
  virtual ~InferenceWitness() = default;
  virtual void inferred(const WitnessedInference &inference) = 0;
};

/// Begins a WitnessedInference: the program of a session, the numerics and all
/// tensors of its store, hashed by so many threads (0: as many as the process
/// may use).
WitnessedInference beginWitness(const std::string &command,
                                const Session &session,
                                const ParameterStore &store, unsigned threads);

} // namespace gensyn::runtime

#endif
