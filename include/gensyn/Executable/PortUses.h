// When the launches of a plan use its inputs and outputs.

#ifndef GENSYN_EXECUTABLE_PORTUSES_H
#define GENSYN_EXECUTABLE_PORTUSES_H

#include "gensyn/Executable/PlanMessages.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gensyn {

/// What changes at one launch.
struct PortChanges {
  /// Inputs that it reads, which no launch shortly before has read.
  std::vector<uint32_t> begins;
  /// Inputs that it reads, which no launch shortly after reads.
  std::vector<uint32_t> ends;
  /// Outputs that it is the last to write.
  std::vector<uint32_t> complete;
};

/// The changes at each launch, by its number. Uses of an input that are at most
/// `gap` launches apart count as one. Empty if branches or loops decide which
/// launches run.
std::vector<PortChanges> findPortChanges(const plan::Plan &plan, size_t gap);

/// The outputs in the order in which a run completes them: those that no launch
/// writes first, and of those that one launch completes the lower number. Empty
/// if branches or loops decide which launches run.
std::vector<uint32_t> orderOutputs(const plan::Plan &plan);

} // namespace gensyn

#endif
