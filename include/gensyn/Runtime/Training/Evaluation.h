// Evaluation of a model without training.
#ifndef GENSYN_RUNTIME_TRAINING_EVALUATION_H
#define GENSYN_RUNTIME_TRAINING_EVALUATION_H

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Training/Train.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace gensyn::runtime {

class InferenceWitness;

struct EvaluationOptions {
  Recipe recipe;
  DataSource data;
  /// Parameters that replace the model's own; empty: the model's own.
  std::filesystem::path parameters;
  /// Number of classes of the model, to check targets against; 0: unknown.
  int64_t classes = 0;
  /// Is told about the evaluation at its end; may be null. So many threads hash
  /// for it.
  InferenceWitness *witness = nullptr;
  unsigned threads = 0;
};

struct Evaluation {
  EvalRecord record;
  int64_t batchSize = 0;
  int64_t tokensPerSample = 0;
  std::string programDigest;
  std::string numericsVersion;
  /// Digest of the parameters and the model's state; see
  /// ParameterStore::digest.
  std::string parameters;
};

/// Receives the progress of an evaluation. The default methods do nothing.
class EvaluationObserver {
public:
  virtual ~EvaluationObserver() = default;
  virtual void samplesDone(int64_t done, int64_t all) {}
  virtual void warn(const std::string &) {}
};

/// Runs "eval" programs on all samples. Throws a Failure.
Evaluation evaluate(const EvaluationOptions &options,
                    const ProgramSource &source, EvaluationObserver &observer);

/// Returns the file of parameters at a path that the user gave, which may be a
/// run folder.
std::filesystem::path parametersIn(const std::filesystem::path &path);

} // namespace gensyn::runtime

#endif
