// Interval between the checkpoints of a training run.
#ifndef GENSYN_RUNTIME_TRAINING_CHECKPOINTINTERVAL_H
#define GENSYN_RUNTIME_TRAINING_CHECKPOINTINTERVAL_H

#include <optional>
#include <string>

namespace gensyn::runtime {

/// Distance between two checkpoints. Every run writes one at its end, whatever
/// the interval.
struct CheckpointInterval {
  enum class Unit { Epochs, Steps, Seconds };

  Unit unit = Unit::Epochs;
  /// Positive; an integer unless the unit is seconds.
  double count = 1;
};

/// Parses "500" or "500steps", "2epochs", "30s" or "0.5seconds"; the unit may
/// be in the singular. std::nullopt for any other text.
std::optional<CheckpointInterval>
parseCheckpointInterval(const std::string &text);

} // namespace gensyn::runtime

#endif
