// Estimates the times of a segment's tasks: each is placed as a whole, in the
// order of their starts.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_ESTIMATE_TASKTIMES_H
#define GENSYN_LIB_MACHINE_SIMULATOR_ESTIMATE_TASKTIMES_H

#include "../Program.h"
#include "CopyShapes.h"

#include "gensyn/Machine/Times.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

namespace gensyn::machine {

class TaskTimes {
public:
  TaskTimes(const Subject &subject, const Resources &resources,
            const Program &program, const CopyShapes &shapes);

  /// Throws a Failure: bug if tasks wait for each other, unsupported if the
  /// segment takes too long.
  void run();

  int64_t time() const { return latest; }
  /// From the first start of a launch's tasks to their last end; launches have
  /// their numbers in the segment.
  int64_t spanOf(size_t launch) const;
  int64_t durationOf(uint32_t task) const {
    return states[task].end - states[task].begin;
  }

private:
  /// Work that waits is in picoseconds with so many bits behind the point, as
  /// is the work that comes each picosecond.
  static constexpr int fraction = 32;

  /// The copies at a resource.
  struct Traffic {
    /// When it has done all work that was brought so far.
    int64_t free = 0;
    /// Copies that are at it now.
    uint32_t active = 0;
    /// All copies so far, and the sums of their work and of their starts.
    uint64_t copies = 0;
    Wide work = 0, starts = 0;
    /// What waits there at a time, and what comes.
    int64_t now = 0;
    Wide waiting = 0, coming = 0;
  };
  /// A copy that runs, at one of its resources.
  struct Stay {
    /// Where copies take turns: what it takes there with the work of others
    /// that is served before it.
    int64_t taken;
    /// Of what has come until now.
    uint64_t copies;
    Wide work, starts;
    /// What it brings each picosecond, and what it has not brought yet.
    Wide coming, rest;
  };
  struct State {
    int64_t begin, end;
    uint32_t conditions;
    /// A copy with packets that are not on their way; `end` is that of moving.
    bool isMoving;
    /// Since when it brings its work as fast as now.
    int64_t since;
  };
  struct Event {
    int64_t time;
    uint32_t task;
    bool isSignal;
    bool operator>(const Event &other) const {
      return std::tie(time, isSignal, task) >
             std::tie(other.time, other.isSignal, other.task);
    }
  };

  void push(Event event);
  void startIfReady(uint32_t task, int64_t time);
  /// Times at resources are those without the start of the copy's engine.
  /// Returns when the last packet is on its way.
  int64_t startCopy(uint32_t number, int64_t time);
  /// When the last packet of a copy is on its way, for what has come until now.
  int64_t findMovingEnd(uint32_t number);
  /// From now on, the rest of a copy comes to its resources evenly until `end`.
  void bring(uint32_t number, int64_t time, int64_t end);
  /// All packets are on their way. Returns when the copy ends.
  int64_t endMoving(uint32_t number, int64_t time);
  static void advance(Traffic &there, int64_t time);
  void finish(uint32_t task, int64_t time);
  void deliverSignals(uint32_t task, int64_t time);
  /// The stays of the copy that runs in a queue.
  std::span<Stay> staysOf(const Task &task, const CopyShape &shape) {
    return {stays.data() + firstStays[task.queue], shape.crowded};
  }

  const Subject &subject;
  const Program &program;
  const CopyShapes &shapes;
  std::vector<State> states;
  std::vector<uint32_t> heads, counters, nextWaiters;
  std::vector<int64_t> begins, ends;
  std::vector<Traffic> traffic;
  std::vector<Stay> stays;
  /// Of each queue: there is room for each of its copies.
  std::vector<size_t> firstStays;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  size_t finished = 0;
  int64_t latest = 0;
};

} // namespace gensyn::machine

#endif
