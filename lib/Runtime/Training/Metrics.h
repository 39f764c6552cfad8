// Evaluation metrics other than the loss.
#ifndef GENSYN_LIB_RUNTIME_METRICS_H
#define GENSYN_LIB_RUNTIME_METRICS_H

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The scores of one row: `scores(c)` returns that of class c, widened to f64.
struct ClassRow {
  int64_t classes;
  int64_t target;
  std::function<double(int64_t)> scores;

  /// Returns the class with the largest score, the first one of equals.
  int64_t best() const;
};

/// Calls `visit` in order for every row of logits whose target is not
/// `ignored`. Returns false without any call if the shapes or types are not
/// those of a classification.
bool visitClassRows(const Tensor &logits, const Tensor &target, int64_t axis,
                    std::optional<int64_t> ignored,
                    const std::function<void(const ClassRow &)> &visit);

/// A metric over all samples of an evaluation. Sums are in f64 and in the order
/// of the samples, so the bits do not depend on the machine, the batch size or
/// the number of ranks.
class Metric {
public:
  virtual ~Metric() = default;
  /// Returns the figures of a batch: counts, or what each element adds to sums.
  /// Nothing if shapes or types do not fit the metric.
  virtual std::optional<std::vector<double>>
  measure(const Tensor &prediction, const Tensor &target) const = 0;
  /// Adds the figures of a batch, in the order of the batches.
  virtual void add(std::span<const double> figures) = 0;
  /// std::nullopt if no sample counts.
  virtual std::optional<double> value() const = 0;
};

/// Creates the metric that a recipe calls `name`: top_K, f1, mae or r2. Null if
/// the loss has no metric of that name.
std::unique_ptr<Metric> makeMetric(const std::string &name,
                                   const LossSpec &loss);

} // namespace gensyn::runtime

#endif
