// Memory requirements of a program, computed from its plan.
#ifndef GENSYN_EXECUTABLE_PACKAGES_MEMORYSTATS_H
#define GENSYN_EXECUTABLE_PACKAGES_MEMORYSTATS_H

#include "gensyn/Executable/PlanMessages.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {

/// A block of the largest live set, and the operation that wrote it first.
struct LiveBlock {
  uint64_t bytes = 0;
  std::string operation;
};

/// All in bytes.
struct MemoryStats {
  /// The tensors that a run receives, by role.
  uint64_t parameters = 0, state = 0, inputs = 0;
  /// The outputs: with and without those written over an input.
  uint64_t outputs = 0, ownOutputs = 0;
  /// Numbers in the program itself, and constants of the model.
  uint64_t constants = 0;
  /// Values that are computed once per set of parameters and kept.
  uint64_t prepared = 0;
  uint64_t arena = 0;
  /// Size of the largest live set, a lower bound of any arena, and of an arena
  /// without any reuse.
  uint64_t lowerBound = 0, withoutReuse = 0;
  /// With rematerialization (arenaBefore is not 0): the arena without it, the
  /// number of added kernels, and the operations of a run without and with
  /// them.
  uint64_t arenaBefore = 0, moreKernels = 0, flopsBefore = 0, flops = 0;
  /// Results written over an operand, outputs written over the input that they
  /// replace.
  uint64_t resultsInPlace = 0, outputsInPlace = 0;
  /// The largest live set: the operation that runs then, and its blocks,
  /// largest first.
  std::string operation;
  std::vector<LiveBlock> largest;

  /// Returns the bytes that a device holds at once.
  uint64_t total() const {
    return parameters + state + inputs + ownOutputs + constants + prepared +
           arena;
  }
};

/// Computes the memory requirements of a checked program.
MemoryStats measureMemory(const plan::Plan &plan);

} // namespace gensyn

#endif
