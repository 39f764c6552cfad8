// Continues a text of tokens with a model.
#ifndef GENSYN_RUNTIME_GENERATION_GENERATIONRUN_H
#define GENSYN_RUNTIME_GENERATION_GENERATIONRUN_H

#include "gensyn/Runtime/Generation/Generate.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Training/InferenceWitness.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace gensyn::runtime {

struct GenerationOptions {
  /// Not empty.
  std::vector<int64_t> prompt;
  /// Tokens to append.
  int64_t count = 0;
  SamplingOptions sampling;
  /// Tokens that the model sees at once, if its file has a symbolic length. The
  /// first one has to be the model's; 0: the second one counts, or without it
  /// the length of the whole text.
  int64_t sequenceLength = 0, defaultLength = 0;
  /// A file or a run folder, in place of the model's parameters; empty: those.
  std::filesystem::path parameters;
};

class GenerationRun {
public:
  /// Compiles the program and reads the parameters. `model` must outlive the
  /// run. Throws a Failure.
  GenerationRun(Model &model, const GenerationOptions &options);

  /// Generates; see Generator::run().
  void run(const std::function<void(int64_t)> &observer,
           const std::atomic<bool> &stop);
  /// The prompt, and what run() appended.
  const std::vector<int64_t> &tokens() const { return text; }
  const plan::Executable &executable() const { return session.executable(); }
  std::string parametersDigest() const { return store.digest(); }
  /// Tells what run() did; `threads` hash.
  void tell(InferenceWitness &witness, unsigned threads) const;

private:
  GenerationOptions options;
  ParameterStore store;
  Session session;
  std::optional<Generator> generator;
  std::vector<int64_t> text;
};

/// The tokens as an int64 tensor, as files and digests have them.
Tensor toTensor(const std::vector<int64_t> &tokens);

} // namespace gensyn::runtime

#endif
