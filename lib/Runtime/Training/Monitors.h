// Monitors metrics of epochs: keeps the best parameters, stops early, lowers
// the step size.
#ifndef GENSYN_LIB_RUNTIME_MONITORS_H
#define GENSYN_LIB_RUNTIME_MONITORS_H

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Json.h"

#include <map>
#include <optional>
#include <string>

namespace gensyn::runtime {

/// The best value so far, by the criterion of a Watch.
class BestValue {
public:
  explicit BestValue(Watch watch) : watch(std::move(watch)) {}

  const std::string &metric() const { return watch.metric; }
  /// Takes a value; true if it is better than all before.
  bool offer(double value);
  /// Returns the number of values since the best one.
  int64_t since() const { return bad; }
  void forgive() { bad = 0; }
  std::optional<double> best() const { return top; }

  OrderedJson state() const;
  void restore(const nlohmann::json &state);

private:
  Watch watch;
  std::optional<double> top;
  int64_t bad = 0;
};

/// torch.optim.lr_scheduler.ReduceLROnPlateau, as a factor of the step size.
class Plateau {
public:
  explicit Plateau(const PlateauSpec &spec) : spec(spec), value(spec.watch) {}

  const std::string &metric() const { return spec.watch.metric; }
  /// Takes the metric of an epoch, and the step size of its last step, for the
  /// minimum change. True if the factor was reduced.
  bool offer(double figure, double rate);
  double factor() const { return current; }

  OrderedJson state() const;
  void restore(const nlohmann::json &state);

private:
  PlateauSpec spec;
  BestValue value;
  double current = 1.0;
  int64_t cooldown = 0;
};

/// All monitors of a run. Their state is part of every checkpoint, so a resumed
/// run behaves as an uninterrupted one.
class Monitors {
public:
  explicit Monitors(const Recipe &recipe);

  /// Returns the metrics that are needed, each with the recipe's key that needs
  /// it.
  std::map<std::string, std::string> metrics() const;

  struct Verdict {
    bool isBest = false;
    bool isLowered = false;
  };
  /// Takes an epoch's metrics by their names in the log, and the step size of
  /// its last step. Throws a Failure (bad input) if a metric is missing.
  Verdict offer(const std::map<std::string, double> &figures, double rate);

  /// The reason why the run should stop; empty if it should not.
  std::string stops() const;
  bool hasBest() const { return best.has_value(); }
  std::optional<double> bestValue() const { return best->best(); }
  bool hasPlateau() const { return plateau.has_value(); }
  double factor() const { return plateau->factor(); }

  OrderedJson state() const;
  /// Restores the result of state(); null: the state before the first epoch.
  void restore(const nlohmann::json &state);

private:
  Recipe recipe;
  std::optional<BestValue> best, early;
  std::optional<Plateau> plateau;
};

} // namespace gensyn::runtime

#endif
