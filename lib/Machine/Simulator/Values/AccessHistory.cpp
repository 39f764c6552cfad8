// Finds accesses without an order; see AccessHistory.h.

#include "AccessHistory.h"

#include <algorithm>
#include <limits>

namespace gensyn::machine {

void AccessHistory::reset(size_t coreCount, size_t bufferCount) {
  const Group none = {std::numeric_limits<int64_t>::max(),
                      std::numeric_limits<int64_t>::min(),
                      {}};
  cores.assign(coreCount, none);
  buffers.assign(bufferCount, none);
  used.clear();
}

AccessHistory::Group &AccessHistory::groupOf(const Access &access) {
  return access.memory == Access::host ? buffers[access.buffer]
                                       : cores[access.memory];
}

std::optional<int64_t> AccessHistory::findByte(const Access &first,
                                               const Access &second) {
  if ((!first.isWrite && !second.isWrite) || first.end <= second.begin ||
      second.end <= first.begin)
    return std::nullopt;
  return findCommonByte(first.region, second.region);
}

std::optional<AccessHistory::Conflict>
AccessHistory::findIn(const Group &group, const Access &access,
                      const TaskOrder &order) {
  if (access.end <= group.begin || group.end <= access.begin)
    return std::nullopt;
  for (const Access &other : group.accesses) {
    // The order is a few loads, the bytes may be a loop.
    if ((!access.isWrite && !other.isWrite) || access.end <= other.begin ||
        other.end <= access.begin || order.isBefore(other.task, access.task))
      continue;
    if (const auto byte = findByte(access, other))
      return Conflict{&other, *byte};
  }
  return std::nullopt;
}

std::optional<AccessHistory::Conflict>
AccessHistory::findConflict(const Access &access,
                            const TaskOrder &order) const {
  if (access.memory != Access::host)
    return findIn(cores[access.memory], access, order);
  // Buffers may share the arena's bytes.
  for (uint32_t buffer : used)
    if (auto conflict = findIn(buffers[buffer], access, order))
      return conflict;
  return std::nullopt;
}

void AccessHistory::add(const Access &access, const TaskOrder &order) {
  Group &group = groupOf(access);
  if (access.memory == Access::host && group.accesses.empty() &&
      group.begin > group.end)
    used.push_back(access.buffer);
  // Who conflicts with what this write covers conflicts with the write, too,
  // and is after both if it is after the write.
  if (access.isWrite && access.region.rank == 0)
    std::erase_if(group.accesses, [&](const Access &other) {
      return access.begin <= other.begin && other.end <= access.end &&
             order.isBefore(other.task, access.task);
    });
  group.begin = std::min(group.begin, access.begin);
  group.end = std::max(group.end, access.end);
  group.accesses.push_back(access);
}

} // namespace gensyn::machine
