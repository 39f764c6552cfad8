// Figures of an evaluation beside the loss.
#ifndef GENSYN_LIB_RUNTIME_METRICS_H
#define GENSYN_LIB_RUNTIME_METRICS_H

#include "gensyn/Executable/Recipe.h"
#include "gensyn/Numerics/Tensor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The scores of one row: `scores(c)` is that of class c, widened to f64.
struct ClassRow {
  int64_t classes;
  int64_t target;
  std::function<double(int64_t)> scores;

  /// The class with the largest score, the first one of equals.
  int64_t best() const;
};

/// Calls `visit` with every row of logits whose target is not `ignored`, in
/// order. False, without a call, where the shapes or types are not those of a
/// classification.
bool visitClassRows(const Tensor &logits, const Tensor &target, int64_t axis,
                    std::optional<int64_t> ignored,
                    const std::function<void(const ClassRow &)> &visit);

/// A figure over all samples of an evaluation. Sums are in f64 and in the order
/// of the samples, so that its bits are the same everywhere, whatever the
/// batch.
class Metric {
public:
  virtual ~Metric() = default;
  /// Takes a batch's predictions and targets. False where their shapes or types
  /// are not what the figure is of.
  virtual bool add(const Tensor &prediction, const Tensor &target) = 0;
  /// Nothing where no sample counts.
  virtual std::optional<double> value() const = 0;
};

/// The figure that a recipe's `metrics` calls `name`: top_K, f1, mae or r2.
/// Null where there is none of that name for the loss.
std::unique_ptr<Metric> makeMetric(const std::string &name,
                                   const LossSpec &loss);

} // namespace gensyn::runtime

#endif
