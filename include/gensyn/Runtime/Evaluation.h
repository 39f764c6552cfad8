// Evaluation of a model on its own, without training.
#ifndef GENSYN_RUNTIME_EVALUATION_H
#define GENSYN_RUNTIME_EVALUATION_H

#include "gensyn/Executable/Recipe.h"
#include "gensyn/Runtime/DataSource.h"
#include "gensyn/Runtime/Train.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace gensyn::runtime {

struct EvaluationOptions {
  Recipe recipe;
  DataSource data;
  /// Parameters in place of the model's own; empty: those.
  std::filesystem::path parameters;
  /// Classes of the model, to check targets against; 0: not known.
  int64_t classes = 0;
};

struct Evaluation {
  EvalRecord record;
  int64_t batchSize = 0;
  int64_t tokensPerSample = 0;
  std::string programDigest;
  std::string numericsVersion;
  /// Of the parameters and the model's state; see ParameterStore::digest.
  std::string parameters;
};

/// Told what happens. Does nothing unless overridden.
class EvaluationObserver {
public:
  virtual ~EvaluationObserver() = default;
  virtual void samplesDone(int64_t done, int64_t all) {}
  virtual void warn(const std::string &) {}
};

/// Runs "eval" programs on all samples. Throws a Failure.
Evaluation evaluate(const EvaluationOptions &options,
                    const ProgramSource &source, EvaluationObserver &observer);

/// The file of parameters that a user names: a run folder has one.
std::filesystem::path parametersIn(const std::filesystem::path &path);

} // namespace gensyn::runtime

#endif
