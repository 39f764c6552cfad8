// Names of evaluation metrics.
#ifndef GENSYN_EXECUTABLE_RECIPE_METRICNAMES_H
#define GENSYN_EXECUTABLE_RECIPE_METRICNAMES_H

#include "gensyn/Executable/Recipe/Recipe.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gensyn {

/// True if a recipe's `metrics` may have `name` with this loss.
bool isMetric(const std::string &name, const LossSpec &loss);

/// Returns K of "top_K"; std::nullopt for another name.
std::optional<int64_t> readTopK(const std::string &name);

/// Returns the metrics of a loss, for messages; empty if there are none.
std::string listMetrics(const LossSpec &loss);

/// True if larger values of a metric of the log are better.
bool isLargerBetter(const std::string &name);

} // namespace gensyn

#endif
