// Evaluation: sums in f64 over batches in order, so the figures are
// reproducible too.

#include "Evaluate.h"

#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Native.h"
#include "gensyn/Runtime/Error.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

namespace gensyn::runtime {

/// The integer at `index`; nothing for a tensor of floats.
static std::optional<int64_t> integerAt(const Tensor &tensor, int64_t index) {
  return dispatch(tensor.elementType(),
                  [&](auto tag) -> std::optional<int64_t> {
                    using T = typename decltype(tag)::type;
                    if constexpr (std::is_integral_v<T>)
                      return int64_t(tensor.as<T>()[index]);
                    return std::nullopt;
                  });
}

template <class T>
static int64_t firstLargest(const T *row, int64_t count, int64_t stride) {
  int64_t best = 0;
  for (int64_t c = 1; c < count; ++c)
    if (row[c * stride] > row[best * stride])
      best = c;
  return best;
}

std::optional<HitCount> countHits(const Tensor &logits, const Tensor &target,
                                  int64_t axis,
                                  std::optional<int64_t> ignored) {
  if (axis < 0)
    axis += logits.rank();
  bool isDouble = logits.elementType() == ElementType::F64;
  if (axis < 0 || axis >= logits.rank() || !isInteger(target.elementType()) ||
      (!isDouble && logits.elementType() != ElementType::F32))
    return std::nullopt;
  std::vector<int64_t> rows = logits.shape();
  rows.erase(rows.begin() + axis);
  int64_t classes = logits.shape()[axis];
  if (rows != target.shape() || classes == 0)
    return std::nullopt;
  int64_t inner = 1;
  for (int64_t d = axis + 1; d < logits.rank(); ++d)
    inner *= logits.shape()[d];
  HitCount hits;
  for (int64_t row = 0; row < target.numElements(); ++row) {
    int64_t wanted = *integerAt(target, row);
    if (ignored && wanted == *ignored)
      continue;
    int64_t first = row / inner * inner * classes + row % inner;
    int64_t found =
        isDouble ? firstLargest(logits.as<double>() + first, classes, inner)
                 : firstLargest(logits.as<float>() + first, classes, inner);
    ++hits.counted;
    hits.right += found == wanted;
  }
  return hits;
}

int64_t countRows(const Tensor &target, std::optional<int64_t> ignored) {
  if (!ignored)
    return target.numElements();
  int64_t rows = 0;
  for (int64_t row = 0; row < target.numElements(); ++row)
    rows += integerAt(target, row) != ignored;
  return rows;
}

double perplexityOf(double loss) { return functions::expF64(Native(), loss); }

Evaluator::Evaluator(const DataSet &data, const Recipe &recipe,
                     int64_t batchSize, const ProgramSource &source,
                     ParameterStore &store, TrainObserver &observer)
    : data(data), recipe(recipe) {
  int64_t wanted = std::min(batchSize, data.samples());
  auto session = std::make_unique<Session>(source("eval", wanted), store);
  data.check(session->signature());
  int64_t batch = session->batchSize();
  if (batch <= 0)
    failBadInput("the model has no batch dimension to evaluate over");
  int64_t left = data.samples() % batch;
  evaluated = data.samples() - left;
  full = std::move(session);
  if (recipe.evaluatesAverages)
    full->readAverages();
  if (left == 0)
    return;
  // A fixed batch shows either as another batch size or as a refusal.
  if (batch == wanted) {
    try {
      session = std::make_unique<Session>(source("eval", left), store);
    } catch (const Failure &failure) {
      if (failure.code != ExitCode::BadInput)
        throw;
    }
  }
  if (session && session->batchSize() == left) {
    rest = std::move(session);
    if (recipe.evaluatesAverages)
      rest->readAverages();
    evaluated += left;
    return;
  }
  std::string where = data.name() + ": ";
  if (evaluated == 0)
    failBadInput(where + std::to_string(data.samples()) +
                 " samples do not fill the model's fixed batch of " +
                 std::to_string(batch));
  observer.warn(where + "the last " + std::to_string(left) +
                " samples are not evaluated: the model's batch is fixed at " +
                std::to_string(batch));
}

void Evaluator::runBatch(Session &session, int64_t begin, Sums &sums) {
  std::vector<int64_t> indices(static_cast<size_t>(session.batchSize()));
  std::iota(indices.begin(), indices.end(), begin);
  StepInputs inputs;
  inputs.tensors = data.batch(session.signature(), indices);
  inputs.seed = recipe.seed;
  session.run(inputs);
  auto target = inputs.tensors.find(recipe.loss.target);
  const bool hasRows = recipe.loss.hasClasses() &&
                       target != inputs.tensors.end() &&
                       isInteger(target->second.elementType());
  // A mean is over the rows that count, of which batches may have different
  // numbers; one without any has no mean.
  const int64_t rows = hasRows
                           ? countRows(target->second, recipe.loss.ignoreIndex)
                           : int64_t(indices.size());
  sums.rows += rows;
  if (recipe.loss.isSum)
    sums.loss += session.loss();
  else if (rows)
    sums.loss += session.loss() * double(rows);
  const int logits = session.findOutput(Role::Output, recipe.loss.output);
  if (!hasHits || !hasRows || logits < 0) {
    hasHits = false;
    return;
  }
  auto found =
      countHits(session.output(size_t(logits)), target->second,
                recipe.loss.axis.value_or(-1), recipe.loss.ignoreIndex);
  hasHits = found.has_value();
  if (found) {
    sums.hits.right += found->right;
    sums.hits.counted += found->counted;
  }
}

EvalRecord
Evaluator::run(const std::function<void(int64_t samples)> &progress) {
  auto start = std::chrono::steady_clock::now();
  Sums sums;
  hasHits = recipe.loss.hasClasses();
  const int64_t batch = full->batchSize();
  int64_t begin = 0;
  auto runOn = [&](Session &session) {
    runBatch(session, begin, sums);
    begin += session.batchSize();
    if (progress)
      progress(begin);
  };
  while (begin + batch <= evaluated)
    runOn(*full);
  if (rest)
    runOn(*rest);
  EvalRecord record;
  record.samples = evaluated;
  const double mean = sums.loss / double(sums.rows);
  record.loss = recipe.loss.isSum ? sums.loss : mean;
  if (recipe.loss.hasClasses())
    record.perplexity = perplexityOf(mean);
  if (hasHits && sums.hits.counted)
    record.accuracy = double(sums.hits.right) / double(sums.hits.counted);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  record.seconds = seconds.count();
  return record;
}

} // namespace gensyn::runtime
