// The registry of host memory that kernels may touch.

#include "gensyn/Ptx/Simulator.h"

#include <algorithm>

namespace gensyn::ptx {

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

bool Memory::add(void *begin, size_t bytes) {
  auto start = reinterpret_cast<uint64_t>(begin);
  return insert({start, start + bytes, true});
}

bool Memory::addReadOnly(const void *begin, size_t bytes) {
  auto start = reinterpret_cast<uint64_t>(begin);
  return insert({start, start + bytes, false});
}

void Memory::remove(const void *begin) {
  auto start = reinterpret_cast<uint64_t>(begin);
  std::erase_if(ranges,
                [start](const Range &each) { return each.begin == start; });
}

} // namespace gensyn::ptx
