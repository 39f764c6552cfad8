// A segment of a checked mapping as tables, so that an event costs a few loads.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_PROGRAM_H
#define GENSYN_LIB_MACHINE_SIMULATOR_PROGRAM_H

#include "Check.h"
#include "Network/Ways.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace gensyn::machine {

/// What a packet is to resources of one kind. The first `longer` packets take a
/// picosecond more, and the first `larger` have a byte more, so that all
/// together are the transfer.
struct Load {
  int64_t time;
  uint64_t bytes;
  uint32_t longer, larger;
};

/// Those of a core: computing, and the channels of its copy engine.
constexpr uint32_t queuesOfCore = 1 + mostChannels;

/// Bytes of accesses in place, over a link or to a port.
struct Traffic {
  uint32_t resource;
  uint64_t bytes;
  int64_t busy;
  bool isRead;
};

/// What a task adds to the statistics. Links are counted packet by packet,
/// except those of accesses in place.
struct Cost {
  int64_t units = 0, coreMemories = 0, sharedMemories = 0, links = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< of shared memories
  uint32_t firstTraffic = 0, traffic = 0;
  /// Of a copy: the memory that it reads and those that it writes; of
  /// computing: the body and the kind of the core.
  uint32_t source = 0, target = 0;
  uint64_t sourceBytes = 0, targetBytes = 0;
  bool isCopy = false;
};

/// Copies with the same times.
struct Transfer {
  int64_t engineStart;
  Load engine;
  uint32_t packets;
  uint32_t firstLoad;
  uint64_t bytes;
  uint32_t cost;
};

struct Task {
  const mapping::Task *message;
  /// Of computing.
  int64_t duration;
  uint32_t core, number; ///< of the machine; in its core
  uint32_t launch;       ///< among those of the segment
  /// Index of its queue, and the task after it there; none is noTask.
  uint32_t queue, next;
  /// The number of tasks and counters that it waits for.
  uint32_t conditions;
  /// An index into `transfers` or `costs`.
  uint32_t cost;
  /// Of a copy.
  Ways::List ways;
  uint32_t firstDependent, firstSignal;
  bool isCopy;
  /// A copy for the next repetition.
  bool isAhead;
};

/// Which tasks of a segment run: those that are ahead run alone before the
/// first repetition, and not in the last one.
enum class Phase { All, Ahead, Last };

struct Waiter {
  uint32_t counter, value, task;
};

/// Tasks are sorted by core and number, whatever the mapping's order of cores.
struct Program {
  size_t segment;
  Phase phase;
  /// Of the tasks.
  size_t running = 0;
  /// One more, whose first... are the ends of the tables.
  std::vector<Task> tasks;
  std::vector<uint32_t> dependents, signals;
  /// Sorted by counter and value; those of a counter begin at firstWaiters.
  std::vector<Waiter> waiters;
  std::vector<uint32_t> firstWaiters;
  /// Of each core used: its number in the machine, and the first tasks of its
  /// queues.
  std::vector<uint32_t> cores;
  std::vector<uint32_t> heads;
  std::vector<Transfer> transfers;
  std::vector<Load> loads;
  /// The first load of a transfer that is one of ports.
  uint32_t portLoad;
  /// Those of all segments.
  const Ways *ways = nullptr;
  std::vector<Cost> costs;
  std::vector<Traffic> traffic;
  /// The end of the bytes that tasks use in each core's memory.
  std::map<uint32_t, uint64_t> peaks;
  /// For each launch of the segment.
  std::vector<uint32_t> coresOfLaunch;

  size_t size() const { return tasks.size() - 1; }
  std::span<const uint32_t> dependentsOf(uint32_t task) const {
    return {dependents.data() + tasks[task].firstDependent,
            dependents.data() + tasks[task + 1].firstDependent};
  }
  std::span<const uint32_t> signalsOf(uint32_t task) const {
    return {signals.data() + tasks[task].firstSignal,
            signals.data() + tasks[task + 1].firstSignal};
  }
};

/// The packets of a copy that take a way of its list, by their number.
inline Way wayOf(const Program &program, const Task &task, uint64_t packet) {
  return program.ways->find(
      task.ways.list,
      static_cast<uint32_t>((task.ways.turn + packet) % task.ways.ways));
}

/// Throws a Failure (unsupported) if the segment needs too many packets or too
/// large tables. `ways` outlives the program.
Program makeProgram(const Subject &subject, const Resources &resources,
                    Ways &ways, size_t segment, Phase phase = Phase::All);

} // namespace gensyn::machine

#endif
