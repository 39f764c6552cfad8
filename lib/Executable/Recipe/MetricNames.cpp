// See MetricNames.h.

#include "gensyn/Executable/Recipe/MetricNames.h"

#include <charconv>

namespace gensyn {

/// True if predictions and targets of a loss are the same quantity.
static bool isRegression(const LossSpec &loss) {
  return loss.kind == "mse" || loss.kind == "l1" || loss.kind == "huber" ||
         loss.kind == "smooth_l1";
}

std::optional<int64_t> readTopK(const std::string &name) {
  int64_t k = 0;
  if (!name.starts_with("top_"))
    return std::nullopt;
  const char *end = name.data() + name.size();
  auto [rest, error] = std::from_chars(name.data() + 4, end, k);
  return error == std::errc() && rest == end && k > 0 ? std::optional(k)
                                                      : std::nullopt;
}

bool isMetric(const std::string &name, const LossSpec &loss) {
  if (loss.hasClasses())
    return name == "f1" || readTopK(name);
  return isRegression(loss) && (name == "mae" || name == "r2");
}

std::string listMetrics(const LossSpec &loss) {
  return loss.hasClasses()    ? "'top_K' (such as top_5) and 'f1'"
         : isRegression(loss) ? "'mae' and 'r2'"
                              : "";
}

bool isLargerBetter(const std::string &name) {
  return name == "eval_accuracy" || name == "eval_f1" || name == "eval_r2" ||
         name.starts_with("eval_top_");
}

} // namespace gensyn
