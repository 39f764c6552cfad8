// A recipe in words, and the patterns in it.

#include "gensyn/Runtime/Recipe.h"

#include <nlohmann/json.hpp>

namespace gensyn::runtime {

/// The shortest decimal that reads back as the value.
static std::string number(double value) { return nlohmann::json(value).dump(); }

std::string describe(const OptimizerSpec &optimizer) {
  const OptimizerSpec standard;
  std::string text = std::string(name(optimizer.kind)) + " (lr ";
  text += number(optimizer.lr);
  auto add = [&](const char *key, double value, double usual) {
    if (value != usual)
      text += std::string(", ") + key + " " + number(value);
  };
  if (optimizer.kind == OptimizerKind::Adam ||
      optimizer.kind == OptimizerKind::AdamW)
    text += ", betas " + number(optimizer.betas[0]) + " " +
            number(optimizer.betas[1]);
  add("momentum", optimizer.momentum, 0.0);
  add("dampening", optimizer.dampening, 0.0);
  add("alpha", optimizer.alpha, standard.alpha);
  add("weight_decay", optimizer.weightDecay, 0.0);
  add("lr_decay", optimizer.lrDecay, 0.0);
  add("initial_accumulator_value", optimizer.initialAccumulatorValue, 0.0);
  if (optimizer.kind != OptimizerKind::SGD)
    text += ", eps " + number(optimizer.eps);
  text += optimizer.nesterov ? ", nesterov" : "";
  text += optimizer.amsgrad ? ", amsgrad" : "";
  text += optimizer.centered ? ", centered" : "";
  return text + ")";
}

std::string describe(const LossSpec &loss) {
  std::string text(name(loss.kind));
  if (!loss.output.empty())
    text += " of '" + loss.output + "'";
  if (loss.kind == LossKind::GraphOutput)
    return text;
  text +=
      " against '" + loss.target + "', " + std::string(name(loss.reduction));
  if (loss.ignoreIndex)
    text += ", ignore_index " + std::to_string(*loss.ignoreIndex);
  if (loss.axis)
    text += ", axis " + std::to_string(*loss.axis);
  if (loss.labelSmoothing != 0.0)
    text += ", label_smoothing " + number(loss.labelSmoothing);
  if (loss.kind == LossKind::Huber)
    text += ", delta " + number(loss.delta);
  return text;
}

bool matchesPattern(std::string_view pattern, std::string_view text) {
  // The last star seen, and how much of the text it has swallowed: enough to
  // go back to, so that no pattern takes exponential time.
  size_t p = 0, t = 0, star = std::string_view::npos, swallowed = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      swallowed = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++swallowed;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

} // namespace gensyn::runtime
