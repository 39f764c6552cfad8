// A memory with a bit for each byte that was written; see CoreMemories.h.

#include "CoreMemories.h"

#include "gensyn/Executable/Support/Failure.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace gensyn::machine {

void WrittenBytes::reset(uint64_t size, uint64_t count) {
  try {
    if (allocated < size) {
      bytes = allocateAligned(size);
      allocated = size;
    }
    written.assign((count + 63) / 64, 0);
  } catch (const std::bad_alloc &) {
    throw Failure(ExitCode::OutOfResources,
                  "this machine has too little memory for that of a core, " +
                      std::to_string(size) + " bytes");
  }
  used = count;
  std::memset(bytes.get(), 0xFF, used);
}

/// Calls `act(word, mask)` for the words of bits [begin, begin + count).
template <class Act>
static void forEachWord(int64_t begin, int64_t count, Act &&act) {
  auto bit = static_cast<uint64_t>(begin);
  const uint64_t end = bit + static_cast<uint64_t>(count);
  while (bit < end) {
    const uint64_t offset = bit % 64;
    const uint64_t taken = std::min(64 - offset, end - bit);
    const uint64_t ones =
        taken == 64 ? ~uint64_t(0) : (uint64_t(1) << taken) - 1;
    if (!act(bit / 64, ones << offset))
      return;
    bit += taken;
  }
}

void WrittenBytes::write(int64_t begin, int64_t count) {
  forEachWord(begin, count, [&](uint64_t word, uint64_t mask) {
    written[word] |= mask;
    return true;
  });
}

void WrittenBytes::keep(std::span<const std::pair<int64_t, int64_t>> rows) {
  int64_t next = 0;
  auto clear = [&](int64_t end) {
    if (next >= end)
      return;
    std::memset(bytes.get() + next, 0xFF, static_cast<size_t>(end - next));
    forEachWord(next, end - next, [&](uint64_t word, uint64_t mask) {
      written[word] &= ~mask;
      return true;
    });
  };
  for (const auto &[begin, end] : rows) {
    clear(begin);
    next = std::max(next, end);
  }
  clear(static_cast<int64_t>(used));
}

std::optional<int64_t> WrittenBytes::findUnwritten(int64_t begin,
                                                   int64_t count) const {
  std::optional<int64_t> found;
  forEachWord(begin, count, [&](uint64_t word, uint64_t mask) {
    const uint64_t missing = mask & ~written[word];
    if (missing)
      found = static_cast<int64_t>(word * 64) + std::countr_zero(missing);
    return !missing;
  });
  return found;
}

} // namespace gensyn::machine
