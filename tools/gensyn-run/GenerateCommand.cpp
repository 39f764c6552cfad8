// generate: continues a text token by token.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Generation/Generate.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Training/Evaluation.h"

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

/// As int64, in the safetensors file and in hashes.
static Tensor toTensor(const std::vector<int64_t> &tokens) {
  Tensor tensor(ElementType::I64, {int64_t(tokens.size())});
  std::copy(tokens.begin(), tokens.end(), tensor.as<int64_t>());
  return tensor;
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
  Model model(options);
  ProgressBar progress(!options.quiet);
  progress.show("compiling");
  ProgramRequest wanted = {ProgramKind::Infer, /*batchSize=*/1};
  wanted.given.sequenceLength = options.sequenceLength;
  // By default the model sees the whole text.
  wanted.given.defaultLength = int64_t(tokens.size()) + options.count;
  ParameterStore store;
  Session session(model.program(wanted), store);
  if (!options.trained.empty())
    store.replace(openTensors(parametersIn(options.trained)));
  if (!options.outputs.empty())
    requireNoInput(options.outputs);
  Generator generator(session, options.model.string());
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
  SamplingOptions sampling;
  sampling.temperature = options.temperature;
  sampling.topK = options.topK;
  sampling.seed = static_cast<uint64_t>(options.seed);
  generator.run(tokens, options.count, sampling, show, stop);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;

  const TensorMap result = {{"tokens", toTensor(tokens)}};
  if (!options.outputs.empty())
    writeSafeTensors(options.outputs, result);
  if (options.json) {
    OrderedJson row = {
        {"command", "generate"},
        {"program_digest", session.executable().program_digest()},
        {"parameters", store.digest()},
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
    printRecord(row);
  } else if (!options.quiet) {
    if (isText)
      printLine(pending);
    printLine("digest   " + digestTensors(result) + " of " +
              counted(int64_t(tokens.size()), "token"));
  }
  reportProfile(options, model);
  return ExitCode::Ok;
}

} // namespace gensyn::run
