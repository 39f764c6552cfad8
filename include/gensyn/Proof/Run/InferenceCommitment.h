// Commitments to an inference: to what infer, eval or generate computed, and
// from what.
#ifndef GENSYN_PROOF_RUN_INFERENCECOMMITMENT_H
#define GENSYN_PROOF_RUN_INFERENCECOMMITMENT_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Training/InferenceWitness.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::proof {

/// The format of the file, and the most bytes that it may have.
inline constexpr const char *kInferenceFormat = "gensyn-inference-1";
inline constexpr size_t kMostInferenceBytes = size_t(16) << 20;

/// A tensor of the facts.
struct FactTensor {
  runtime::WitnessedTensor tensor;
  /// The elements of an i64 or f64, as 64 bits each; nothing if the facts have
  /// the digest alone.
  std::optional<std::vector<uint64_t>> values;
};
using FactTensors = std::map<std::string, FactTensor>;

/// What the facts of a commitment say.
struct InferenceFacts {
  /// "infer", "eval" or "generate".
  std::string command;
  std::vector<std::string> programDigests;
  std::string numericsVersion;
  /// By name: those that docs/Proof.md lists for the command.
  nlohmann::json options;
  FactTensors state, inputs, outputs;
};

struct InferenceCommitment {
  /// JSON, hashed as it is.
  std::string facts;
  Digest root = {};
};

/// The root of the ListTree `kind` of tensors, laid out as in digestState().
Digest digestTensors(const std::string &kind, const FactTensors &tensors);

/// BLAKE3(text "gensyn inference 1" | text facts)
Digest digestInference(std::string_view facts);

InferenceCommitment commitTo(const runtime::WitnessedInference &inference);

/// Parses the facts of a commitment. Throws a Failure (bad input) that begins
/// with `file`, names what was found and what is expected, for parts that are
/// not as commitTo() writes them, also for roots that do not follow.
InferenceFacts parseInferenceFacts(std::string_view facts,
                                   const std::string &file);

/// Reads a file and checks that the root follows from the facts. Throws a
/// Failure: bad input for anything else, I/O if it cannot be read.
InferenceCommitment readInferenceCommitment(const std::filesystem::path &file);

/// Replaces the file at `path`.
void writeInferenceCommitment(const std::filesystem::path &path,
                              const InferenceCommitment &commitment);

/// Commits to what it is told of.
class InferenceCommitter final : public runtime::InferenceWitness {
public:
  void inferred(const runtime::WitnessedInference &inference) override {
    made = commitTo(inference);
  }
  /// That of the inference it was told of.
  const InferenceCommitment &commitment() const { return made; }
  void write(const std::filesystem::path &path) const {
    writeInferenceCommitment(path, made);
  }

private:
  InferenceCommitment made;
};

} // namespace gensyn::proof

#endif
