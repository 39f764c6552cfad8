// See CheckInference.h; CompareInference.cpp compares.

#include "gensyn/Proof/Run/CheckInference.h"

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Generation/GenerationRun.h"
#include "gensyn/Runtime/Models/InferenceRun.h"
#include "gensyn/Runtime/Training/Evaluation.h"

namespace gensyn::proof {

namespace {

/// Reports progress and warnings of an evaluation.
class CheckObserver final : public runtime::EvaluationObserver {
public:
  explicit CheckObserver(const InferenceCheckOptions &options)
      : options(options) {}
  void samplesDone(int64_t done, int64_t all) override {
    if (options.progress)
      options.progress(done, all);
  }
  void warn(const std::string &message) override {
    if (options.model.warn)
      options.model.warn(message);
  }

private:
  const InferenceCheckOptions &options;
};

} // namespace

static void requireOption(bool isGiven, bool isWanted, const char *option,
                          const std::string &command) {
  if (isGiven == isWanted)
    return;
  throw Failure(ExitCode::Usage,
                std::string(option) +
                    (isWanted ? " is required" : " is not for this file") +
                    ": the commitment is one of " + quote(command),
                "gensyn-verify check --help lists what there is");
}

static void requireOptions(const InferenceCheckOptions &options,
                           const std::string &command) {
  const auto require = [&](bool isGiven, bool isWanted, const char *option) {
    requireOption(isGiven, isWanted, option, command);
  };
  const bool isEval = command == "eval";
  require(!options.model.model.empty(), true, "--model");
  require(!options.inputs.empty(), command == "infer", "--inputs");
  require(!options.data.empty(), isEval, "--data");
  if (!isEval)
    require(!options.model.recipe.empty(), false, "--recipe");
  else if (!isPackage(options.model.model))
    require(!options.model.recipe.empty(), true, "--recipe");
}

static void repeatInfer(const InferenceCheckOptions &options,
                        const InferenceFacts &facts, runtime::Model &model,
                        runtime::InferenceWitness &witness) {
  runtime::InferenceRun run(model, runtime::openTensors(options.inputs),
                            {ProgramKind::Infer, options.parameters,
                             facts.options.at("seed").get<uint64_t>()});
  run.run();
  run.tell(witness, options.model.threads);
}

static void repeatEval(const InferenceCheckOptions &options,
                       const InferenceFacts &facts, runtime::Model &model,
                       runtime::InferenceWitness &witness) {
  runtime::EvaluationOptions evaluation;
  evaluation.recipe = model.recipe();
  evaluation.recipe.batchSize = facts.options.at("batch_size").get<int64_t>();
  evaluation.recipe.seed = facts.options.at("seed").get<uint64_t>();
  evaluation.data = options.data;
  evaluation.parameters = options.parameters;
  evaluation.classes = model.classes();
  evaluation.witness = &witness;
  evaluation.threads = options.model.threads;
  CheckObserver observer(options);
  (void)runtime::evaluate(
      evaluation,
      [&](const runtime::ProgramRequest &request) {
        return model.program(request);
      },
      observer);
}

static void repeatGenerate(const InferenceCheckOptions &options,
                           const InferenceFacts &facts, runtime::Model &model,
                           runtime::InferenceWitness &witness) {
  runtime::GenerationOptions generation;
  for (uint64_t token : *facts.inputs.at("prompt").values)
    generation.prompt.push_back(int64_t(token));
  generation.count = facts.options.at("tokens").get<int64_t>();
  generation.defaultLength = facts.options.at("window").get<int64_t>();
  generation.sampling.temperature =
      facts.options.at("temperature").get<double>();
  generation.sampling.topK = facts.options.at("top_k").get<int64_t>();
  generation.sampling.seed = facts.options.at("seed").get<uint64_t>();
  generation.parameters = options.parameters;
  runtime::GenerationRun run(model, generation);
  const std::atomic<bool> stop{false};
  int64_t done = 0;
  run.run(
      [&](int64_t) {
        if (options.progress)
          options.progress(++done, generation.count);
      },
      stop);
  run.tell(witness, options.model.threads);
}

InferenceCheck checkInference(const InferenceCheckOptions &options) {
  InferenceCheck check;
  check.commitment = readInferenceCommitment(options.commitment);
  const std::string file = options.commitment.string();
  check.facts = parseInferenceFacts(check.commitment.facts, file);
  requireOptions(options, check.facts.command);
  runtime::Model model(options.model);
  InferenceCommitter committer;
  if (check.facts.command == "infer")
    repeatInfer(options, check.facts, model, committer);
  else if (check.facts.command == "eval")
    repeatEval(options, check.facts, model, committer);
  else
    repeatGenerate(options, check.facts, model, committer);
  const InferenceCommitment &repeated = committer.commitment();
  check.parts = compareInference(
      check.facts,
      parseInferenceFacts(repeated.facts, "the facts of the repeated "
                                          "inference"));
  // Facts that mean the same in other words are not those that the command
  // writes.
  if (check.isUpheld() && repeated.root != check.commitment.root)
    check.parts.push_back(
        {"facts", "the facts are written otherwise: " + repeated.facts});
  return check;
}

} // namespace gensyn::proof
