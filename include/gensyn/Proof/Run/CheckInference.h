// Checks of commitments to inferences, by whoever has the model and the inputs.
#ifndef GENSYN_PROOF_RUN_CHECKINFERENCE_H
#define GENSYN_PROOF_RUN_CHECKINFERENCE_H

#include "gensyn/Proof/Run/InferenceCommitment.h"
#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Models/ModelOptions.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gensyn::proof {

struct InferenceCheckOptions {
  std::filesystem::path commitment;
  /// The model, for eval the recipe, and where to run.
  runtime::ModelOptions model;
  /// In place of the model's parameters; empty: those.
  std::filesystem::path parameters;
  /// infer: the file of inputs.
  std::filesystem::path inputs;
  /// eval: the samples.
  runtime::DataSource data;
  /// Called with what is done of all samples or tokens; may be null.
  std::function<void(int64_t done, int64_t all)> progress;
};

/// A part of the facts, in the order in which they are compared.
struct InferencePart {
  /// "options", "inputs", "program", "state" or "outputs".
  std::string name;
  /// The first thing that differs: "output 'y': ... instead of ..."; empty if
  /// the part is as committed to.
  std::string problem;
};

struct InferenceCheck {
  InferenceCommitment commitment;
  InferenceFacts facts;
  /// Until the first one that differs.
  std::vector<InferencePart> parts;

  bool isUpheld() const { return parts.back().problem.empty(); }
};

/// Compares an inference that was repeated with what is committed to.
std::vector<InferencePart> compareInference(const InferenceFacts &committed,
                                            const InferenceFacts &repeated);

/// Repeats the inference of a commitment and compares. Throws a Failure: usage
/// for a file that is missing or has no use, bad input for a commitment that is
/// malformed, and what the inference throws.
InferenceCheck checkInference(const InferenceCheckOptions &options);

} // namespace gensyn::proof

#endif
