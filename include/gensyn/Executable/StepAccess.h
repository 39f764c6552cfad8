// The memory that each step of a run accesses.
#ifndef GENSYN_EXECUTABLE_STEPACCESS_H
#define GENSYN_EXECUTABLE_STEPACCESS_H

#include "gensyn/Executable/LaunchGraph.h"

#include <optional>

namespace gensyn {

struct MemoryAccess {
  BufferSpan span;
  bool isWrite = false;

  auto operator<=>(const MemoryAccess &) const = default;
};

/// For each step, ascending and each once, what it accesses of memory that a
/// run writes to; fault words are not among it. std::nullopt if that is too
/// much to compare.
std::optional<std::vector<std::vector<MemoryAccess>>>
findAccesses(const plan::Plan &plan, Reuse reuse);

/// The steps before each step of a graph from which a path leads to it, as rows
/// of bits.
class Ancestors {
public:
  explicit Ancestors(size_t steps)
      : words((steps + 63) / 64), bits(words * steps) {}

  bool has(size_t step, size_t before) const {
    return bits[step * words + before / 64] >> (before % 64) & 1;
  }
  /// Adds a step and what is before it.
  void add(size_t step, size_t before) {
    for (size_t i = 0; i < words; ++i)
      bits[step * words + i] |= bits[before * words + i];
    bits[step * words + before / 64] |= uint64_t(1) << (before % 64);
  }

private:
  size_t words;
  std::vector<uint64_t> bits;
};

} // namespace gensyn

#endif
