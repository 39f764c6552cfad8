// The registry of host memory that kernels may touch.

#include "gensyn/Ptx/Simulator.h"

#include <algorithm>
#include <atomic>

namespace gensyn::ptx {

Written::Written(const void *begin, size_t bytes)
    : start(reinterpret_cast<uint64_t>(begin)), bits((bytes + 7) / 8) {}

void Written::forget() { std::fill(bits.begin(), bits.end(), uint8_t(0)); }

/// The part of the eight bytes around `place`, from there to `end`.
static uint8_t partOf(uint64_t place, uint64_t end) {
  unsigned first = place % 8;
  auto count =
      static_cast<unsigned>(std::min<uint64_t>(8 - first, end - place));
  return static_cast<uint8_t>(((1u << count) - 1) << first);
}

// Blocks on several host threads may write to the same eight bytes.
void Written::mark(const void *begin, size_t bytes) {
  uint64_t place = reinterpret_cast<uint64_t>(begin) - start;
  for (uint64_t end = place + bytes; place < end; place = place / 8 * 8 + 8)
    std::atomic_ref<uint8_t>(bits[place / 8])
        .fetch_or(partOf(place, end), std::memory_order_relaxed);
}

void Written::forget(const void *begin, size_t bytes) {
  uint64_t place = reinterpret_cast<uint64_t>(begin) - start;
  for (uint64_t end = place + bytes; place < end; place = place / 8 * 8 + 8)
    bits[place / 8] &= static_cast<uint8_t>(~partOf(place, end));
}

bool Written::covers(const void *begin, size_t bytes) const {
  uint64_t place = reinterpret_cast<uint64_t>(begin) - start;
  for (uint64_t end = place + bytes; place < end; place = place / 8 * 8 + 8) {
    auto &cell = const_cast<uint8_t &>(bits[place / 8]);
    uint8_t have =
        std::atomic_ref<uint8_t>(cell).load(std::memory_order_relaxed);
    if ((partOf(place, end) & ~have) != 0)
      return false;
  }
  return true;
}

bool Memory::insert(Range range) {
  auto after = std::lower_bound(
      ranges.begin(), ranges.end(), range.begin,
      [](const Range &each, uint64_t begin) { return each.end <= begin; });
  if (after != ranges.end() && after->begin < range.end)
    return false;
  if (range.begin != range.end)
    ranges.insert(after, range);
  return true;
}

bool Memory::add(void *begin, size_t bytes, Written *written) {
  auto start = reinterpret_cast<uint64_t>(begin);
  return insert({start, start + bytes, true, written});
}

bool Memory::addReadOnly(const void *begin, size_t bytes, Written *written) {
  auto start = reinterpret_cast<uint64_t>(begin);
  return insert({start, start + bytes, false, written});
}

void Memory::remove(const void *begin) {
  auto start = reinterpret_cast<uint64_t>(begin);
  std::erase_if(ranges,
                [start](const Range &each) { return each.begin == start; });
}

} // namespace gensyn::ptx
