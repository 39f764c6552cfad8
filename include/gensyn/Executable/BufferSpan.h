// The memory of a plan's buffers, for comparisons.
#ifndef GENSYN_EXECUTABLE_BUFFERSPAN_H
#define GENSYN_EXECUTABLE_BUFFERSPAN_H

#include "gensyn/Executable/PlanMessages.h"

#include <compare>
#include <cstdint>

namespace gensyn {

/// Bytes of one of the memories of a run. An output that is written over an
/// input is in that input's memory.
struct BufferSpan {
  /// -1: the arena; -2: prepared values; else the input, after them the output,
  /// the constant or the fault word.
  int64_t memory = 0;
  uint64_t begin = 0, end = 0;

  auto operator<=>(const BufferSpan &) const = default;
};

/// Returns the place of a buffer, by its number, in a plan whose numbers are
/// checked.
BufferSpan findSpan(const plan::Plan &plan, uint32_t number);

} // namespace gensyn

#endif
