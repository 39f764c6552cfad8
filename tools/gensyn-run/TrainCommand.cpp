// train: options to a training run, and the run to lines.

#include "Commands.h"
#include "Model.h"
#include "Terminal.h"

#include "gensyn/Runtime/Json.h"
#include "gensyn/Runtime/NumberText.h"
#include "gensyn/Runtime/Train.h"

#include <atomic>
#include <csignal>

namespace gensyn::run {

using namespace runtime;

std::string describeOperators(const nlohmann::json &info);

static std::atomic<bool> stopRequested{false};

extern "C" void gensynRunStop(int) { stopRequested.store(true); }

/// The first Ctrl-C ends the run after its step, the second one at once.
static void installStopHandler() {
  struct sigaction action = {};
  action.sa_handler = gensynRunStop;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

namespace {

/// Prints a run: lines for people, or a JSON object each.
class Reporter final : public TrainObserver {
public:
  Reporter(const Options &options, const Recipe &recipe, Model &model)
      : options(options), recipe(recipe), model(model),
        progress(!options.quiet) {
    progress.show("compiling");
  }

  void begin(const TrainSummary &summary) override;
  void step(const StepRecord &record) override;
  void epoch(const EpochRecord &record) override;
  void warn(const std::string &message) override {
    progress.clear();
    printWarning(message);
  }
  void end(const TrainResult &result);

private:
  bool forPeople() const { return !options.quiet && !options.json; }

  const Options &options;
  const Recipe &recipe;
  Model &model;
  ProgressBar progress;
  TrainSummary facts;
};

} // namespace

/// "3 Conv, 2 Gemm"; the run does not depend on it, so failing is no matter.
static std::string layers(Model &model) {
  try {
    return describeOperators(nlohmann::json::parse(model.info()));
  } catch (const std::exception &) {
    return "";
  }
}

void Reporter::begin(const TrainSummary &summary) {
  facts = summary;
  progress.clear();
  if (options.json)
    printLine(printJson({{"event", "begin"},
                         {"program_digest", facts.programDigest},
                         {"numerics_version", facts.numericsVersion},
                         {"initial_parameters", facts.initialDigest},
                         {"parameters", facts.parameters},
                         {"samples", facts.samples},
                         {"eval_samples", facts.evalSamples},
                         {"batch_size", facts.batchSize},
                         {"steps", facts.steps},
                         {"epochs", facts.epochs},
                         {"backend", options.backend},
                         {"target", model.target()}}));
  if (!forPeople())
    return;
  std::string operators = layers(model);
  printLine("model      " + options.model.string() + ", " +
            counted(facts.parameters, "parameter"));
  if (!operators.empty())
    printLine("layers     " + operators);
  printLine("loss       " + describe(recipe.loss));
  printLine("optimizer  " + describe(*recipe.optimizer));
  printLine("data       " + counted(facts.samples, "sample") +
            " in batches of " + std::to_string(facts.batchSize) +
            (recipe.shuffle
                 ? ", shuffled by seed " + std::to_string(recipe.seed)
                 : ""));
  if (facts.evalSamples)
    printLine("evaluation " + counted(facts.evalSamples, "sample"));
  printLine("steps      " + grouped(facts.steps) + " in " +
            counted(facts.epochs, "epoch") + " on " + model.target());
  printLine("program    " + facts.programDigest);
  printLine("parameters " + facts.initialDigest + " at the start");
}

void Reporter::step(const StepRecord &record) {
  if (options.json)
    printLine(printJson({{"event", "step"},
                         {"step", record.step},
                         {"epoch", record.epoch},
                         {"loss", record.loss},
                         {"lr", record.lr},
                         {"seconds", record.seconds}}));
  progress.draw("epoch " + std::to_string(record.epoch) + "/" +
                    std::to_string(facts.epochs),
                record.step, facts.steps,
                std::to_string(record.step) + "/" +
                    std::to_string(facts.steps) + " loss " +
                    shortNumber(record.loss) + ", " +
                    shortNumber(record.seconds * 1e3, 3) + " ms a step");
}

void Reporter::epoch(const EpochRecord &record) {
  progress.clear();
  if (options.json) {
    OrderedJson row = {
        {"event", "epoch"},         {"epoch", record.epoch},
        {"step", record.step},      {"complete", record.complete},
        {"mean_loss", record.loss}, {"parameters", record.digest},
        {"seconds", record.seconds}};
    if (record.eval) {
      row["eval_loss"] = record.eval->loss;
      if (record.eval->accuracy)
        row["eval_accuracy"] = *record.eval->accuracy;
    }
    printLine(printJson(row));
  }
  if (!forPeople())
    return;
  std::string line = "epoch " + std::to_string(record.epoch) + "/" +
                     std::to_string(facts.epochs) + "  step " +
                     std::to_string(record.step) + "  loss " +
                     shortNumber(record.loss);
  if (record.eval)
    line += "  eval loss " + shortNumber(record.eval->loss);
  if (record.eval && record.eval->accuracy)
    line += "  accuracy " +
            runtime::fixedText(*record.eval->accuracy * 100, 2) + " %";
  printLine(line + "  " + describeSeconds(record.seconds));
  printLine("           parameters " + record.digest);
}

void Reporter::end(const TrainResult &result) {
  progress.clear();
  if (options.json)
    printLine(printJson({{"event", "end"},
                         {"steps", result.steps},
                         {"interrupted", result.interrupted},
                         {"program_digest", facts.programDigest},
                         {"parameters", result.digest},
                         {"folder", options.folder.string()}}));
  if (forPeople())
    printLine("saved      " + options.folder.string() + ", after " +
              counted(result.steps, "step"));
  if (result.interrupted)
    printWarning("stopped on request after step " +
                 std::to_string(result.steps) + "; everything is saved in " +
                 options.folder.string());
}

ExitCode runTrain(const Options &options) {
  Model model(options);
  TrainOptions training;
  training.recipe = parseRecipe(model.recipeText(), model.recipeName());
  training.model = options.model;
  training.recipeFile = options.recipe.empty() ? options.model : options.recipe;
  training.data = options.data;
  training.evalData = options.evalData;
  training.folder = options.folder;
  training.overwrite = options.overwrite;
  training.maxSteps = options.steps;
  training.classes = model.classes();
  training.backend = options.backend;
  training.target = model.target();
  installStopHandler();
  Reporter reporter(options, training.recipe, model);
  auto source = [&](const std::string &kind, int64_t batchSize) {
    return model.program(kind, batchSize);
  };
  TrainResult result = train(training, source, reporter, stopRequested);
  reporter.end(result);
  return result.interrupted ? ExitCode::Interrupted : ExitCode::Ok;
}

} // namespace gensyn::run
