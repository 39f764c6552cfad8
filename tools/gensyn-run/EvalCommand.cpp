// eval: computes loss, accuracy and perplexity of a data set.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "Commitment.h"

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"
#include "gensyn/Runtime/Training/Evaluation.h"

#include <algorithm>

namespace gensyn::run {

using namespace runtime;

namespace {

/// Draws progress and prints warnings.
class EvalReporter final : public EvaluationObserver {
public:
  explicit EvalReporter(const Options &options) : progress(!options.quiet) {
    progress.show("compiling");
  }
  void samplesDone(int64_t done, int64_t all) override {
    progress.draw("evaluating", done, all, [&] {
      return groupDigits(done) + "/" + groupDigits(all) + " samples";
    });
  }
  void warn(const std::string &message) override {
    progress.clear();
    printWarning(message);
  }
  void end() { progress.clear(); }

private:
  ProgressBar progress;
};

} // namespace

static OrderedJson toJson(const Options &options, const Evaluation &found,
                          const std::string &target) {
  const EvalRecord &record = found.record;
  OrderedJson row = {{"command", "eval"},
                     {"program_digest", found.programDigest},
                     {"numerics_version", found.numericsVersion},
                     {"parameters", found.parameters},
                     {"backend", options.backend},
                     {"target", target},
                     {"batch_size", found.batchSize},
                     {"eval_samples", record.samples}};
  for (const auto &[name, value] : record.figures())
    row[name] = value;
  row["seconds"] = record.seconds;
  return row;
}

static void printEvaluation(const Evaluation &found) {
  const EvalRecord &record = found.record;
  printLine("program    " + found.programDigest);
  printLine("parameters " + found.parameters);
  std::string samples = counted(record.samples, "sample");
  if (found.tokensPerSample)
    samples += " of " + counted(found.tokensPerSample, "token");
  printLine("data       " + samples + " in batches of " +
            std::to_string(found.batchSize));
  printLine("loss       " + shortNumber(record.loss, 9));
  if (record.perplexity)
    printLine("perplexity " + shortNumber(*record.perplexity, 9));
  if (record.accuracy)
    printLine("accuracy   " + fixedText(*record.accuracy * 100, 2) + " %");
  for (const auto &[name, value] : record.metrics) {
    std::string word = name.substr(name.find('_') + 1);
    word.resize(std::max<size_t>(word.size() + 1, 11), ' ');
    printLine(word + shortNumber(value, 9));
  }
  printLine("after      " + describeSeconds(record.seconds));
}

ExitCode runEval(const Options &options) {
  Commitment commitment(options);
  Model model(options);
  EvaluationOptions evaluation;
  evaluation.recipe = model.recipe();
  evaluation.data = makeDataSource(options, options.data);
  evaluation.parameters = options.trained;
  evaluation.classes = model.classes();
  evaluation.witness = commitment.witness();
  evaluation.threads = options.threads;
  EvalReporter reporter(options);
  const Evaluation found = evaluate(
      evaluation,
      [&](const ProgramRequest &request) { return model.program(request); },
      reporter);
  reporter.end();
  commitment.requireNoInput();
  commitment.write();
  if (options.json) {
    OrderedJson row = toJson(options, found, model.target());
    commitment.describe(row);
    printRecord(row);
  } else if (!options.quiet) {
    printEvaluation(found);
    commitment.print("committed ");
  }
  reportProfile(options, model);
  return ExitCode::Ok;
}

} // namespace gensyn::run
