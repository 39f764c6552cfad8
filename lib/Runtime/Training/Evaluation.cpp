// Evaluates a model with its parameters on a data set.

#include "gensyn/Runtime/Training/Evaluation.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"

#include "DataSetBatches.h"
#include "Evaluate.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/DataSet.h"
#include "gensyn/Runtime/Devices/ParameterStore.h"

namespace gensyn::runtime {

std::filesystem::path parametersIn(const std::filesystem::path &path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored)
             ? path / "parameters.safetensors"
             : path;
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
  return result;
}

} // namespace gensyn::runtime
