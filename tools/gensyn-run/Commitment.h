// --commit of infer, eval and generate.
#ifndef GENSYN_TOOLS_GENSYN_RUN_COMMITMENT_H
#define GENSYN_TOOLS_GENSYN_RUN_COMMITMENT_H

#include "Options.h"

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Proof/Run/InferenceCommitment.h"

#include <optional>
#include <string>

namespace gensyn::run {

/// The commitment that the command line asks for; without --commit its members
/// do nothing.
class Commitment {
public:
  /// Throws a Failure if the file cannot be written, or is the one of
  /// --outputs.
  explicit Commitment(const Options &options);

  /// What is told about the inference; null if there is no --commit.
  runtime::InferenceWitness *witness() {
    return committer ? &*committer : nullptr;
  }
  /// Throws a Failure if the file is an input of the tool.
  void requireNoInput() const;
  void write() const;
  /// Adds the root to a line of --json.
  void describe(OrderedJson &row) const;
  /// Prints the root behind a word.
  void print(const std::string &word) const;

private:
  std::filesystem::path path;
  std::optional<proof::InferenceCommitter> committer;
};

} // namespace gensyn::run

#endif
