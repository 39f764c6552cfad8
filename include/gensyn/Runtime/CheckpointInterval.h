// When a training run writes checkpoints.
#ifndef GENSYN_RUNTIME_CHECKPOINTINTERVAL_H
#define GENSYN_RUNTIME_CHECKPOINTINTERVAL_H

#include <optional>
#include <string>

namespace gensyn::runtime {

/// How much of a run lies between two checkpoints. There is one at the end of
/// every run, whatever the interval.
struct CheckpointInterval {
  enum class Unit { Epochs, Steps, Seconds };

  Unit unit = Unit::Epochs;
  /// A whole number but for seconds; above 0.
  double count = 1;
};

/// Reads "500" or "500steps", "2epochs", "30s" or "0.5seconds"; the unit may be
/// in the singular. Nothing where it is anything else.
std::optional<CheckpointInterval>
parseCheckpointInterval(const std::string &text);

} // namespace gensyn::runtime

#endif
