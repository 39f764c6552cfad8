// Sums in f64 over batches in order, so that metrics are reproducible too.

#include "Evaluate.h"

#include "Metrics.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Native.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace gensyn::runtime {

using Clock = std::chrono::steady_clock;

/// Returns the integer at `index`; std::nullopt for a tensor of floats.
static std::optional<int64_t> integerAt(const Tensor &tensor, int64_t index) {
  return dispatch(tensor.elementType(),
                  [&](auto tag) -> std::optional<int64_t> {
                    using T = typename decltype(tag)::type;
                    if constexpr (std::is_integral_v<T>)
                      return int64_t(tensor.as<T>()[index]);
                    return std::nullopt;
                  });
}

std::optional<AccuracyCount> countCorrect(const Tensor &logits,
                                          const Tensor &target, int64_t axis,
                                          std::optional<int64_t> ignored) {
  AccuracyCount hits;
  if (!visitClassRows(logits, target, axis, ignored, [&](const ClassRow &row) {
        ++hits.counted;
        hits.right += row.best() == row.target;
      }))
    return std::nullopt;
  return hits;
}

double weighRows(const Tensor &target, std::optional<int64_t> ignored,
                 const std::vector<double> &weights, ElementType type) {
  double sum = 0;
  for (int64_t row = 0; row < target.numElements(); ++row) {
    const int64_t wanted = *integerAt(target, row);
    if (ignored && wanted == *ignored)
      continue;
    double weight = 1;
    // A target that is not a class makes the loss a NaN, whatever its weight.
    if (wanted >= 0 && wanted < int64_t(weights.size()))
      weight = weights[size_t(wanted)];
    sum += type == ElementType::F32 ? double(float(weight)) : weight;
  }
  return sum;
}

double perplexityOf(double loss) { return functions::expF64(Native(), loss); }

Evaluator::Sums Evaluator::begin() const {
  Sums sums;
  if (recipe.loss.hasClasses())
    sums.hits.emplace();
  for (const std::string &name : recipe.metrics)
    sums.metrics.emplace_back(name, makeMetric(name, recipe.loss));
  return sums;
}

BatchFigures Evaluator::measure(const Batch &batch, const Sums &sums) const {
  Session &session = *batch.session;
  StepInputs inputs;
  inputs.tensors = batch.tensors;
  inputs.seed = recipe.seed;
  session.run(inputs);
  auto target = inputs.tensors.find(recipe.loss.target);
  const bool hasRows = recipe.loss.hasClasses() &&
                       target != inputs.tensors.end() &&
                       isInteger(target->second.elementType());
  BatchFigures figures;
  figures.samples = batch.samples;
  figures.loss = session.loss();
  const int loss = session.findOutput(Role::Loss, "");
  figures.weight =
      hasRows ? weighRows(target->second, recipe.loss.ignoreIndex,
                          recipe.loss.classWeights,
                          loss < 0 ? ElementType::F64
                                   : session.output(size_t(loss)).elementType())
              : double(batch.samples);
  const int logits = session.findOutput(Role::Output, recipe.loss.output);
  for (const auto &[name, metric] : sums.metrics) {
    std::optional<std::vector<double>> measured;
    if (logits >= 0 && target != inputs.tensors.end())
      measured =
          metric->measure(session.output(size_t(logits)), target->second);
    if (!measured)
      failBadInput("the evaluation has no " + quote(name) +
                   ": predictions and targets are not of one shape and "
                   "float32 or float64");
    figures.metrics.push_back(std::move(*measured));
  }
  if (hasRows && logits >= 0)
    figures.hits =
        countCorrect(session.output(size_t(logits)), target->second,
                     recipe.loss.axis.value_or(-1), recipe.loss.ignoreIndex);
  return figures;
}

void Evaluator::add(const BatchFigures &figures, Sums &sums) const {
  sums.samples += figures.samples;
  // A mean is over the weights of the rows that count, whose sums differ
  // between batches; if no row counts, there is no mean.
  sums.weight += figures.weight;
  if (recipe.loss.isSum)
    sums.loss += figures.loss;
  else if (figures.weight != 0)
    sums.loss += figures.loss * figures.weight;
  if (!figures.hits)
    sums.hits.reset();
  if (sums.hits) {
    sums.hits->right += figures.hits->right;
    sums.hits->counted += figures.hits->counted;
  }
  for (size_t i = 0; i < sums.metrics.size(); ++i)
    sums.metrics[i].second->add(figures.metrics[i]);
}

EvalRecord Evaluator::finish(const Sums &sums) const {
  EvalRecord record;
  record.samples = sums.samples;
  const double mean = sums.loss / sums.weight;
  record.loss = recipe.loss.isSum ? sums.loss : mean;
  if (recipe.loss.hasClasses())
    record.perplexity = perplexityOf(mean);
  if (sums.hits && sums.hits->counted)
    record.accuracy = double(sums.hits->right) / double(sums.hits->counted);
  for (const auto &[name, metric] : sums.metrics)
    if (const std::optional<double> value = metric->value())
      record.metrics.emplace_back("eval_" + name, *value);
  return record;
}

EvalRecord
Evaluator::run(const std::function<void(int64_t samples)> &progress) {
  const auto start = Clock::now();
  Sums sums = begin();
  batches->seek(1, 0);
  while (std::optional<Batch> batch = batches->next()) {
    add(measure(*batch, sums), sums);
    if (progress)
      progress(sums.samples);
  }
  EvalRecord record = finish(sums);
  record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return record;
}

} // namespace gensyn::runtime
