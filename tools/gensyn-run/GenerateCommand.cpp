// generate: continues a text token by token.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "Commitment.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Generation/GenerationRun.h"
#include "gensyn/Runtime/Models/Model.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>

namespace gensyn::run {

using namespace runtime;

/// The limit on the size of a vocabulary file.
static constexpr size_t kMostVocabularyBytes = size_t(64) << 20;

/// The tokens in the only tensor of a file, whatever its integer type.
static std::vector<int64_t> readTokens(const std::filesystem::path &path) {
  TensorFile file = openTensors(path);
  if (file.entries().size() != 1)
    failBadInput(path.string() + ": one tensor of tokens is wanted, " +
                 std::to_string(file.entries().size()) + " are there");
  const std::string &name = file.entries().begin()->first;
  const Tensor tensor = file.tensor(name);
  std::vector<int64_t> tokens;
  dispatch(tensor.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      for (int64_t i = 0; i < tensor.numElements(); ++i)
        tokens.push_back(int64_t(tensor.as<T>()[i]));
    else
      failBadInput(path.string() + ": " + quote(name) +
                   " has no integers but " + longName(tensor.elementType()));
  });
  return tokens;
}

ExitCode runGenerate(const Options &options) {
  std::optional<Vocabulary> vocabulary;
  if (!options.vocabulary.empty())
    vocabulary.emplace(readText(options.vocabulary, kMostVocabularyBytes),
                       options.vocabulary.string());
  std::vector<int64_t> tokens = options.promptTokens.empty()
                                    ? vocabulary->encode(options.prompt)
                                    : readTokens(options.promptTokens);
  if (tokens.empty())
    failBadInput("the prompt is empty");
  if (!options.outputs.empty())
    requireWritableFile(options.outputs);
  Commitment commitment(options);
  Model model(options);
  ProgressBar progress(!options.quiet);
  progress.show("compiling");
  GenerationOptions wanted;
  wanted.prompt = tokens;
  wanted.count = options.count;
  wanted.sampling.temperature = options.temperature;
  wanted.sampling.topK = options.topK;
  wanted.sampling.seed = static_cast<uint64_t>(options.seed);
  wanted.sequenceLength = options.sequenceLength;
  wanted.parameters = options.trained;
  GenerationRun generation(model, wanted);
  if (!options.outputs.empty())
    requireNoInput(options.outputs);
  commitment.requireNoInput();
  progress.clear();

  const size_t prompt = tokens.size();
  const bool isText = vocabulary && !options.json && !options.quiet;
  // A token may end within a character.
  std::string pending;
  auto show = [&](int64_t token) {
    if (!isText)
      return;
    pending += vocabulary->at(token);
    const size_t size = pending.size() - incompleteSuffix(pending);
    const std::string text = printable(
        std::string_view(pending).substr(0, size), std::string::npos, "\n\t");
    pending.erase(0, size);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  for (int64_t token : tokens)
    show(token);
  const auto start = std::chrono::steady_clock::now();
  const std::atomic<bool> stop{false};
  generation.run(show, stop);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;

  tokens = generation.tokens();
  const TensorMap result = {{"tokens", toTensor(tokens)}};
  if (!options.outputs.empty())
    writeSafeTensors(options.outputs, result);
  if (commitment.witness())
    generation.tell(*commitment.witness(), options.threads);
  commitment.write();
  if (options.json) {
    OrderedJson row = {
        {"command", "generate"},
        {"program_digest", generation.executable().program_digest()},
        {"parameters", generation.parametersDigest()},
        {"backend", options.backend},
        {"target", model.target()},
        {"prompt_tokens", prompt},
        {"tokens", tokens},
        {"tokens_digest", digestTensors(result)}};
    if (vocabulary) {
      std::string text;
      for (int64_t token : tokens)
        text += vocabulary->at(token);
      row["text"] = text;
    }
    row["seconds"] = seconds.count();
    commitment.describe(row);
    printRecord(row);
  } else if (!options.quiet) {
    if (isText)
      printLine(pending);
    printLine("digest   " + digestTensors(result) + " of " +
              counted(int64_t(tokens.size()), "token"));
    commitment.print("committed");
  }
  reportProfile(options, model);
  return ExitCode::Ok;
}

} // namespace gensyn::run
