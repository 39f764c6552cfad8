// Which tasks end before another one starts, whatever the times are.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_VALUES_TASKORDER_H
#define GENSYN_LIB_MACHINE_SIMULATOR_VALUES_TASKORDER_H

#include "../Program.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace gensyn::machine {

/// Vector clocks: for each queue, how many of its tasks are known to have
/// ended. What a task knows of its own core is a few numbers; what it knows of
/// others it learns from counters, and shares with all that learn the same.
class TaskOrder {
public:
  void reset(const Program &program);
  /// The events of tasks, in the order of their times: a signal of `task`
  /// arrives at a counter, and a task has what it waits for.
  void start(uint32_t task);
  void end(uint32_t task) { hasEnded[task] = true; }
  void signal(uint32_t counter, uint32_t task);
  void release(uint32_t task, uint32_t counter);

  bool isInFlight(uint32_t task) const { return !hasEnded[task]; }
  /// True if the first task ends before the second one, which has started, for
  /// every length of tasks. A counter that gets more signals than a task waits
  /// for counts as if they always came in this order.
  bool isBefore(uint32_t first, uint32_t second) const;

private:
  struct Clock {
    /// Tasks of the core's queues that have ended.
    std::array<uint32_t, queuesOfCore> own;
    /// An index into `known`.
    uint32_t others;
  };
  struct Counter {
    std::vector<uint32_t> ended;
    /// The same in `known`, or `changed`; what of others it has, last.
    uint32_t snapshot, joined;
  };
  static constexpr uint32_t changed = ~uint32_t(0);

  static void join(std::vector<uint32_t> &all, std::span<const uint32_t> more);
  uint32_t joinKnown(uint32_t first, uint32_t second);
  uint32_t add(std::vector<uint32_t> clock);
  Clock endOf(uint32_t task) const;
  void joinClock(Clock &clock, const Clock &other);

  const Program *program = nullptr;
  /// The place of each task in its queue.
  std::vector<uint32_t> places;
  std::vector<uint32_t> before;
  std::vector<bool> hasEnded;
  std::vector<Clock> clocks;
  std::vector<Counter> counters;
  /// For each queue; the first one is nothing. Others are never changed.
  std::vector<std::vector<uint32_t>> known;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> joins;
  /// False if the clocks of a large segment need too much memory: then all
  /// tasks that have ended count as ordered.
  bool isComplete = true;
  uint64_t numbers = 0;
};

} // namespace gensyn::machine

#endif
