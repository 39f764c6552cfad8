// Memory that programs need while they run.
#ifndef GENSYN_EXECUTABLE_WORKMEMORY_H
#define GENSYN_EXECUTABLE_WORKMEMORY_H

#include "gensyn/Executable/Support/AlignedMemory.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gensyn {

/// Memory for a run that nothing reads after it: the arena of a plan, and a
/// kernel's scratch for each thread. Programs that run one after another may
/// share it, and then need as much as the largest of them.
class WorkMemory {
public:
  /// Makes the arena have at least so many bytes, which loses what is in it.
  void reserveArena(uint64_t bytes) {
    if (bytes <= arenaBytes && ownArena)
      return;
    ownArena.reset(); // not both at once
    ownArena = allocateAligned(bytes);
    arenaBytes = bytes;
  }
  /// Begins on a multiple of 64; it may lie elsewhere after reserveArena().
  uint8_t *arena() const { return ownArena.get(); }

  /// The same for the scratch of each of so many threads.
  void reserveScratch(size_t threads, uint64_t bytes) {
    if (bytes <= scratchBytes && threads <= perThread.size())
      return;
    scratchBytes = std::max(bytes, scratchBytes);
    perThread.resize(std::max(threads, perThread.size()));
    for (AlignedBytes &own : perThread)
      own = allocateAligned(scratchBytes);
  }
  const AlignedBytes *scratch() const { return perThread.data(); }

private:
  AlignedBytes ownArena;
  std::vector<AlignedBytes> perThread;
  uint64_t arenaBytes = 0, scratchBytes = 0;
};

} // namespace gensyn

#endif
