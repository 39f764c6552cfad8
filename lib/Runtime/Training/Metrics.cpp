// See Metrics.h.

#include "Metrics.h"

#include "gensyn/Executable/Recipe/MetricNames.h"

#include <algorithm>
#include <cmath>

namespace gensyn::runtime {

namespace {

/// Returns the elements of a float tensor as f64; null for other types.
std::function<double(int64_t)> elementsOf(const Tensor &tensor) {
  if (tensor.elementType() == ElementType::F32)
    return [p = tensor.as<float>()](int64_t i) { return double(p[i]); };
  if (tensor.elementType() == ElementType::F64)
    return [p = tensor.as<double>()](int64_t i) { return p[i]; };
  return nullptr;
}

std::function<int64_t(int64_t)> integersOf(const Tensor &tensor) {
  if (!isInteger(tensor.elementType()))
    return nullptr;
  return dispatch(
      tensor.elementType(), [&](auto tag) -> std::function<int64_t(int64_t)> {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>)
          return [p = tensor.as<T>()](int64_t i) { return int64_t(p[i]); };
        return nullptr;
      });
}

/// Base class of classification metrics, whose figures are counts: exact in f64
/// below 2^53.
class ClassMetric : public Metric {
public:
  explicit ClassMetric(const LossSpec &loss)
      : axis(loss.axis.value_or(-1)), ignored(loss.ignoreIndex) {}

  std::optional<std::vector<double>> measure(const Tensor &prediction,
                                             const Tensor &target) const final {
    std::vector<double> figures;
    if (!visitClassRows(prediction, target, axis, ignored,
                        [&](const ClassRow &row) { count(row, figures); }))
      return std::nullopt;
    return figures;
  }

  void add(std::span<const double> figures) final {
    counts.resize(std::max(counts.size(), figures.size()));
    for (size_t i = 0; i < figures.size(); ++i)
      counts[i] += figures[i];
  }

protected:
  virtual void count(const ClassRow &row,
                     std::vector<double> &figures) const = 0;

  std::vector<double> counts;

private:
  int64_t axis;
  std::optional<int64_t> ignored;
};

/// Fraction of rows whose target is among the K largest scores; of equal scores
/// the smaller class comes first.
class TopK final : public ClassMetric {
public:
  TopK(const LossSpec &loss, int64_t k) : ClassMetric(loss), k(k) {}

  std::optional<double> value() const override {
    return counts.empty() ? std::nullopt
                          : std::optional(counts[Hits] / counts[Rows]);
  }

private:
  enum { Rows, Hits, All };

  void count(const ClassRow &row, std::vector<double> &figures) const override {
    figures.resize(All);
    ++figures[Rows];
    if (row.target < 0 || row.target >= row.classes)
      return;
    const double own = row.scores(row.target);
    int64_t before = 0;
    for (int64_t c = 0; c < row.classes; ++c)
      before += row.scores(c) > own || (row.scores(c) == own && c < row.target);
    figures[Hits] += before < k && !std::isnan(own);
  }

  int64_t k;
};

/// Mean of the classes' F1 = 2 TP / (2 TP + FP + FN), over classes that occur
/// as a target or a prediction.
class MacroF1 final : public ClassMetric {
public:
  using ClassMetric::ClassMetric;

  std::optional<double> value() const override {
    double sum = 0;
    int64_t seen = 0;
    for (size_t c = 0; c < counts.size(); c += All)
      if (const double all =
              2 * counts[c + Right] + counts[c + Wrong] + counts[c + Missed]) {
        sum += 2 * counts[c + Right] / all;
        ++seen;
      }
    return seen ? std::optional(sum / double(seen)) : std::nullopt;
  }

private:
  /// Of each class.
  enum { Right, Wrong, Missed, All };

  void count(const ClassRow &row, std::vector<double> &figures) const override {
    figures.resize(std::max(figures.size(), size_t(row.classes) * All));
    auto of = [&](int64_t label, size_t which) -> double & {
      return figures[size_t(label) * All + which];
    };
    const int64_t found = row.best();
    const bool isClass = row.target >= 0 && row.target < row.classes;
    if (found == row.target) {
      ++of(found, Right);
      return;
    }
    ++of(found, Wrong);
    if (isClass)
      ++of(row.target, Missed);
  }
};

/// Base class of metrics whose targets have the type and shape of predictions.
/// Sums are over elements in their order, so the figures are the elements of a
/// sample, then each prediction with its target.
class ErrorMetric : public Metric {
public:
  std::optional<std::vector<double>> measure(const Tensor &prediction,
                                             const Tensor &target) const final {
    const auto found = elementsOf(prediction), wanted = elementsOf(target);
    if (!found || !wanted || prediction.shape() != target.shape())
      return std::nullopt;
    const int64_t elements = target.numElements();
    const int64_t rows = target.rank() ? target.shape()[0] : 1;
    std::vector<double> figures = {rows ? double(elements / rows) : 0.0};
    figures.reserve(1 + 2 * size_t(elements));
    for (int64_t i = 0; i < elements; ++i) {
      figures.push_back(found(i));
      figures.push_back(wanted(i));
    }
    return figures;
  }

  void add(std::span<const double> figures) final {
    const auto columns = int64_t(figures[0]);
    const int64_t elements = int64_t(figures.size()) / 2;
    for (int64_t i = 0; i < elements; ++i)
      count(i % columns, figures[size_t(2 * i + 1)],
            figures[size_t(2 * i + 2)]);
  }

protected:
  /// `column` is the element's index in its sample.
  virtual void count(int64_t column, double found, double wanted) = 0;
};

class MeanAbsoluteError final : public ErrorMetric {
public:
  std::optional<double> value() const override {
    return elements ? std::optional(sum / double(elements)) : std::nullopt;
  }

private:
  void count(int64_t, double found, double wanted) override {
    sum += std::fabs(found - wanted);
    ++elements;
  }

  double sum = 0;
  int64_t elements = 0;
};

/// Mean over the elements of a sample of 1 - (sum of squared errors) / (sum of
/// squared distances from the targets' mean). If the denominator is 0, it is 1
/// for predictions without error and else 0.
class CoefficientOfDetermination final : public ErrorMetric {
public:
  std::optional<double> value() const override {
    double sum = 0;
    for (const Column &c : columns) {
      const double about = c.squares - c.sum * c.sum / double(c.count);
      sum += about > 0 ? 1 - c.errors / about : c.errors == 0 ? 1 : 0;
    }
    return columns.empty() ? std::nullopt
                           : std::optional(sum / double(columns.size()));
  }

private:
  /// The first target is subtracted from all, so that the sums keep precision
  /// if the mean is far from 0.
  struct Column {
    double first = 0, sum = 0, squares = 0, errors = 0;
    int64_t count = 0;
  };

  void count(int64_t column, double found, double wanted) override {
    if (columns.size() <= size_t(column))
      columns.resize(size_t(column) + 1);
    Column &c = columns[size_t(column)];
    if (c.count++ == 0)
      c.first = wanted;
    const double shifted = wanted - c.first, error = wanted - found;
    c.sum += shifted;
    c.squares += shifted * shifted;
    c.errors += error * error;
  }

  std::vector<Column> columns;
};

} // namespace

int64_t ClassRow::best() const {
  int64_t found = 0;
  for (int64_t c = 1; c < classes; ++c)
    if (scores(c) > scores(found))
      found = c;
  return found;
}

bool visitClassRows(const Tensor &logits, const Tensor &target, int64_t axis,
                    std::optional<int64_t> ignored,
                    const std::function<void(const ClassRow &)> &visit) {
  axis += axis < 0 ? logits.rank() : 0;
  const auto scores = elementsOf(logits);
  const auto wanted = integersOf(target);
  if (axis < 0 || axis >= logits.rank() || !scores || !wanted)
    return false;
  std::vector<int64_t> rows = logits.shape();
  rows.erase(rows.begin() + axis);
  const int64_t classes = logits.shape()[size_t(axis)];
  if (rows != target.shape() || classes == 0)
    return false;
  int64_t inner = 1;
  for (int64_t d = axis + 1; d < logits.rank(); ++d)
    inner *= logits.shape()[size_t(d)];
  for (int64_t row = 0; row < target.numElements(); ++row) {
    const int64_t number = wanted(row);
    if (ignored && number == *ignored)
      continue;
    const int64_t first = row / inner * inner * classes + row % inner;
    visit({classes, number,
           [&, first](int64_t c) { return scores(first + c * inner); }});
  }
  return true;
}

std::unique_ptr<Metric> makeMetric(const std::string &name,
                                   const LossSpec &loss) {
  if (!isMetric(name, loss))
    return nullptr;
  if (auto k = readTopK(name))
    return std::make_unique<TopK>(loss, *k);
  if (name == "f1")
    return std::make_unique<MacroF1>(loss);
  if (name == "mae")
    return std::make_unique<MeanAbsoluteError>();
  return std::make_unique<CoefficientOfDetermination>();
}

} // namespace gensyn::runtime
