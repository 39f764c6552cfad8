// The parameters that a program's prepared values were computed from.
#ifndef GENSYN_RUNTIME_DEVICES_PREPARATION_H
#define GENSYN_RUNTIME_DEVICES_PREPARATION_H

#include "gensyn/Executable/Signature.h"
#include "gensyn/Runtime/Devices/Value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// Tells when prepared values have to be computed: before the first run, and if
/// an input has changed that a launch which prepares reads.
class Preparation {
public:
  Preparation(const plan::Executable &executable, const Signature &signature);

  /// Called before a run on these values, null for inputs that are not kept.
  void bind(std::span<Value *const> kept);
  /// Called by the run: returns true if it has to prepare. The values of a run
  /// without `bind` are unknown, so it prepares.
  bool start();
  /// Called when the run has prepared, or did not need to.
  void finish() { computedFrom = std::move(current); }

private:
  using Versions = std::optional<std::vector<uint64_t>>;

  std::vector<size_t> inputs; ///< that launches which prepare read
  /// Of the prepared values, of the next run, and of the one in progress.
  Versions computedFrom, bound, current;
};

} // namespace gensyn::runtime

#endif
