// Evaluates a model with its parameters on a data set.

#include "gensyn/Runtime/Training/Evaluation.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include "DataSetBatches.h"
#include "Evaluate.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/DataSet.h"
#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "gensyn/Runtime/Training/InferenceWitness.h"

#include <limits>

namespace gensyn::runtime {

std::filesystem::path parametersIn(const std::filesystem::path &path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored)
             ? path / "parameters.safetensors"
             : path;
}

/// The metrics as f64 by their names. NaNs are one NaN: processors differ in
/// the sign of that of 0 / 0.
static TensorMap describeMetrics(const EvalRecord &record) {
  TensorMap metrics;
  for (const auto &[name, value] : record.figures()) {
    Tensor tensor(ElementType::F64, {});
    *tensor.as<double>() =
        value == value ? value : std::numeric_limits<double>::quiet_NaN();
    metrics.emplace(name, std::move(tensor));
  }
  return metrics;
}

static void tellEvaluation(const EvaluationOptions &options,
                           const DataSet &data, const ParameterStore &store,
                           const Evaluator &evaluator,
                           const EvalRecord &record) {
  const BatchFacts facts = evaluator.facts();
  WitnessedInference inference =
      beginWitness("eval", evaluator.session(), store, options.threads);
  if (!facts.lastBatchDigest.empty())
    inference.programDigests.push_back(facts.lastBatchDigest);
  inference.options = {{"data", data.identity()},
                       {"samples", record.samples},
                       {"batch_size", facts.batchSize},
                       {"seed", options.recipe.seed}};
  inference.outputs = describeMetrics(record);
  inference.areValuesWritten = true;
  if (evaluator.sampleBytes() <= kMostSampleBytes)
    inference.visitSamples = evaluator.sampleVisitor();
  options.witness->inferred(inference);
}

Evaluation evaluate(const EvaluationOptions &options,
                    const ProgramSource &source, EvaluationObserver &observer) {
  Recipe recipe = options.recipe;
  // The averages are evaluated only if the user gives their file.
  recipe.evaluatesAverages = false;
  DataSet data(options.data);
  if (options.classes)
    data.limitClasses(recipe.loss.target, options.classes,
                      recipe.loss.ignoreIndex);
  ParameterStore store;
  ProgramPool programs(ProgramKind::Eval, source, store, /*ofAverages=*/false);
  Evaluator evaluator(
      std::make_unique<DataSetEvaluation>(
          data, recipe.batchSize, programs,
          [&](const std::string &message) { observer.warn(message); }),
      recipe);
  if (!options.parameters.empty())
    store.replace(openTensors(parametersIn(options.parameters)));
  Evaluation result;
  result.batchSize = evaluator.session().batchSize();
  result.tokensPerSample = data.tokensPerSample();
  result.programDigest = evaluator.session().executable().program_digest();
  result.numericsVersion = evaluator.session().executable().numerics_version();
  result.parameters = store.digest();
  const int64_t samples = evaluator.facts().samples;
  result.record =
      evaluator.run([&](int64_t done) { observer.samplesDone(done, samples); });
  if (options.witness)
    tellEvaluation(options, data, store, evaluator, result.record);
  return result;
}

} // namespace gensyn::runtime
