// See Monitors.h.

#include "Monitors.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>

namespace gensyn::runtime {

/// torch.optim.lr_scheduler.ReduceLROnPlateau.is_better; the first value is
/// better than none unless it is a NaN.
static bool isBetter(const Watch &watch, double value,
                     std::optional<double> best) {
  if (!best)
    return value == value;
  const double threshold = watch.threshold;
  if (watch.isMax)
    return value >
           (watch.isRelative ? *best * (threshold + 1) : *best + threshold);
  return value <
         (watch.isRelative ? *best * (1 - threshold) : *best - threshold);
}

bool BestValue::offer(double value) {
  const bool better = isBetter(watch, value, top);
  if (better)
    top = value;
  bad = better ? 0 : bad + 1;
  return better;
}

OrderedJson BestValue::state() const {
  OrderedJson state = {{"since", bad}};
  if (top)
    state["best"] = *top;
  return state;
}

void BestValue::restore(const nlohmann::json &state) {
  top.reset();
  bad = state.value("since", int64_t(0));
  if (auto found = state.find("best"); found != state.end())
    top = found->get<double>();
}

bool Plateau::offer(double figure, double rate) {
  value.offer(figure);
  if (cooldown > 0) {
    --cooldown;
    value.forgive();
  }
  if (value.since() <= spec.patience)
    return false;
  cooldown = spec.cooldown;
  value.forgive();
  const double lower = std::max(current * spec.factor, spec.final);
  if (!(rate - rate / current * lower > spec.eps))
    return false;
  current = lower;
  return true;
}

OrderedJson Plateau::state() const {
  OrderedJson state = value.state();
  state["cooldown"] = cooldown;
  state["factor"] = current;
  return state;
}

void Plateau::restore(const nlohmann::json &state) {
  value.restore(state);
  cooldown = state.value("cooldown", int64_t(0));
  current = state.value("factor", 1.0);
}

Monitors::Monitors(const Recipe &from) : recipe(from) {
  if (recipe.best)
    best.emplace(*recipe.best);
  if (recipe.earlyStopping)
    early.emplace(recipe.earlyStopping->watch);
  if (recipe.plateau)
    plateau.emplace(*recipe.plateau);
}

std::map<std::string, std::string> Monitors::metrics() const {
  std::map<std::string, std::string> wanted;
  if (best)
    wanted[best->metric()] = "best";
  if (early)
    wanted[early->metric()] = "early_stopping";
  if (plateau)
    wanted[plateau->metric()] = "schedule";
  return wanted;
}

Monitors::Verdict Monitors::offer(const std::map<std::string, double> &figures,
                                  double rate) {
  auto figure = [&](const std::string &name) {
    auto found = figures.find(name);
    if (found == figures.end())
      failBadInput("the evaluation has no " + quote(name) +
                   ", which the recipe watches");
    return found->second;
  };
  Verdict verdict;
  if (best)
    verdict.isBest = best->offer(figure(best->metric()));
  if (early)
    early->offer(figure(early->metric()));
  if (plateau)
    verdict.isLowered = plateau->offer(figure(plateau->metric()), rate);
  return verdict;
}

std::string Monitors::stops() const {
  if (!early || early->since() < recipe.earlyStopping->patience)
    return "";
  return quote(early->metric()) + " has not become better for " +
         std::to_string(early->since()) + " epochs";
}

OrderedJson Monitors::state() const {
  OrderedJson state = OrderedJson::object();
  if (best)
    state["best"] = best->state();
  if (early)
    state["early_stopping"] = early->state();
  if (plateau)
    state["plateau"] = plateau->state();
  return state;
}

void Monitors::restore(const nlohmann::json &state) {
  const nlohmann::json none = nlohmann::json::object();
  auto part = [&](const char *key) -> const nlohmann::json & {
    if (!state.is_object())
      return none;
    auto found = state.find(key);
    return found == state.end() || !found->is_object() ? none : *found;
  };
  try {
    if (best)
      best->restore(part("best"));
    if (early)
      early->restore(part("early_stopping"));
    if (plateau)
      plateau->restore(part("plateau"));
  } catch (const nlohmann::json::exception &) {
    failBadInput("the state of a checkpoint's monitors makes no sense");
  }
}

} // namespace gensyn::runtime
