// See InferenceCommands.h.

#include "InferenceCommands.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Proof/Run/CheckInference.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <bit>

namespace gensyn::verify {

bool isInference(const Options &options) {
  std::error_code ignored;
  return std::filesystem::exists(options.run, ignored) &&
         !std::filesystem::is_directory(options.run, ignored);
}

[[noreturn]] static void failUsage(const std::string &message) {
  throw Failure(ExitCode::Usage, message,
                "gensyn-verify check --help lists what there is");
}

void requireRunOptions(const Options &options) {
  if (options.data.empty())
    failUsage("--data is required");
  if (!options.inputs.empty())
    failUsage("--inputs is not for a run folder");
  if (!options.dims.empty() || !options.accuracy.empty() || options.integerSums)
    failUsage("--dim, --accuracy and --integer-sums are not for a run folder");
}

/// The numbers of a fact that has them, else its digest.
static std::string describeValues(const proof::FactTensor &fact) {
  const runtime::WitnessedTensor &tensor = fact.tensor;
  if (!fact.values)
    return longName(tensor.type) + describeShape(tensor.shape) + " " +
           toHex(tensor.elements);
  std::string text;
  if (tensor.type == ElementType::F64) {
    for (uint64_t bits : *fact.values)
      text += (text.empty() ? "" : " ") +
              runtime::shortText(std::bit_cast<double>(bits), 17);
    return text;
  }
  text = counted(int64_t(fact.values->size()), "token") + ":";
  for (uint64_t bits : *fact.values)
    text += " " + std::to_string(int64_t(bits));
  return text;
}

ExitCode showInference(const Options &options) {
  const proof::InferenceCommitment commitment =
      proof::readInferenceCommitment(options.run);
  const proof::InferenceFacts facts =
      proof::parseInferenceFacts(commitment.facts, options.run.string());
  if (options.json) {
    printRecord({{"event", "inference"},
                 {"facts", OrderedJson::parse(commitment.facts)},
                 {"root", toHex(commitment.root)}});
    return ExitCode::Ok;
  }
  const auto print = [](std::string word, const std::string &text) {
    word.resize(13, ' ');
    printLine(word + text);
  };
  print("command", facts.command);
  for (const std::string &digest : facts.programDigests)
    print("program", digest);
  print("numerics", "version " + facts.numericsVersion);
  for (const auto &[name, value] : facts.options.items())
    print(name, value.is_string() ? value.get<std::string>() : value.dump());
  print("state", toHex(proof::digestTensors("state", facts.state)) + ", " +
                     counted(int64_t(facts.state.size()), "tensor"));
  for (const auto &[name, fact] : facts.inputs)
    print("input", quote(name) + " " + describeValues(fact));
  for (const auto &[name, fact] : facts.outputs)
    print(facts.command == "eval" ? "metric" : "output",
          quote(name) + " " + describeValues(fact));
  print("root", toHex(commitment.root));
  return ExitCode::Ok;
}

static proof::InferenceCheck repeatInference(const Options &options) {
  if (options.seed || options.segments != Options().segments || options.ops)
    failUsage("--segments, --all, --seed and --ops are for a run folder");
  if (!options.signer.empty() || !options.evalData.empty())
    failUsage("--signer and --eval-data are for a run folder");
  proof::InferenceCheckOptions check;
  check.commitment = options.run;
  check.model = options;
  check.model.warn = printWarning;
  // A machine computes values here.
  check.model.bodies = true;
  check.parameters = options.parameters;
  check.inputs = options.inputs;
  check.data = options.data;
  ProgressBar progress(!options.quiet);
  progress.show("compiling");
  check.progress = [&](int64_t done, int64_t all) {
    progress.draw("repeating", done, all, [&] {
      return std::to_string(done) + "/" + std::to_string(all);
    });
  };
  return proof::checkInference(check);
}

ExitCode checkInference(const Options &options) {
  const proof::InferenceCheck result = repeatInference(options);
  const ExitCode code = result.isUpheld() ? ExitCode::Ok : ExitCode::Mismatch;
  if (options.json) {
    const proof::InferencePart &last = result.parts.back();
    printRecord({{"event", "inference"},
                 {"command", result.facts.command},
                 {"upheld", result.isUpheld()},
                 {"part", result.isUpheld() ? "" : last.name},
                 {"problem", last.problem},
                 {"root", toHex(result.commitment.root)}});
    return code;
  }
  if (options.quiet)
    return code;
  for (const proof::InferencePart &part : result.parts) {
    std::string word = part.name;
    word.resize(11, ' ');
    printLine(word + (part.problem.empty() ? "as committed to" : part.problem));
  }
  printLine(result.isUpheld()
                ? "upheld     " + toHex(result.commitment.root)
                : "refuted    the inference is not what it commits to");
  return code;
}

} // namespace gensyn::verify
