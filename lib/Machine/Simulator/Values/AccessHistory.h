// What the tasks of a segment have read and written, to find two that nothing
// orders.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_VALUES_ACCESSHISTORY_H
#define GENSYN_LIB_MACHINE_SIMULATOR_VALUES_ACCESSHISTORY_H

#include "../Region.h"
#include "TaskOrder.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gensyn::machine {

struct Access {
  /// Normalized; with the addresses of its memory.
  Region region;
  int64_t begin, end;
  uint32_t task;
  /// Of a body; -1: of a copy.
  int argument;
  bool isWrite;
  /// A core, or `host`; there the buffer of the plan.
  uint32_t memory, buffer;

  static constexpr uint32_t host = ~uint32_t(0);
};

class AccessHistory {
public:
  struct Conflict {
    const Access *other;
    int64_t byte;
  };

  void reset(size_t cores, size_t buffers);
  /// The first earlier access that reads or writes a byte that this one
  /// writes, or writes one that it reads, of a task that is not before its own.
  std::optional<Conflict> findConflict(const Access &access,
                                       const TaskOrder &order) const;
  /// Adds an access that conflicts with none.
  void add(const Access &access, const TaskOrder &order);
  /// True if two accesses to one memory may conflict, and a common byte.
  static std::optional<int64_t> findByte(const Access &first,
                                         const Access &second);

private:
  /// The accesses to one core's memory, or to one buffer, in no order.
  struct Group {
    int64_t begin, end;
    std::vector<Access> accesses;
  };
  Group &groupOf(const Access &access);
  static std::optional<Conflict>
  findIn(const Group &group, const Access &access, const TaskOrder &order);

  std::vector<Group> cores, buffers;
  /// Buffers with accesses.
  std::vector<uint32_t> used;
};

} // namespace gensyn::machine

#endif
