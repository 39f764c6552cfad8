// A discrete-event simulation of a mapped plan, in integer picoseconds and
// femtojoules: one result for every host.

#ifndef GENSYN_MACHINE_SIMULATOR_H
#define GENSYN_MACHINE_SIMULATOR_H

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Machine/Description.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::mapping {
class Mapping;
class Resident;
class Body;
class Copy;
class Task;
} // namespace gensyn::mapping

namespace gensyn::machine {

/// A task of a core in a simulation with values.
struct TaskValues {
  uint32_t core;
  /// Its position among the core's tasks of the segment.
  uint32_t number;
  const mapping::Task &task;
  /// Of a task that computes.
  const mapping::Body *body = nullptr;
  /// In this host's memory, unless it only starts: source and destinations of a
  /// copy, or operands and results.
  std::span<uint8_t *const> pointers = {};
  /// At its end.
  std::span<const uint64_t> faultWords = {};
};

/// Is told about tasks in an order in which they could run one by one.
class TaskObserver {
public:
  virtual ~TaskObserver() = default;
  /// A repetition of a segment begins; without one, the copies ahead for the
  /// first one, where it has some.
  virtual void beginSegment(const mapping::Mapping &mapping, size_t segment,
                            std::optional<uint32_t> repetition) = 0;
  /// Of the repetition that begins: what is copied into a core's memory, as it
  /// was before the first run.
  virtual void load(uint32_t core, const mapping::Resident &resident,
                    const uint8_t *from) = 0;
  /// A task starts; it moves bytes or computes all at once; it has done so.
  virtual void start(const TaskValues &task) = 0;
  virtual void move(const TaskValues &task) = 0;
  virtual void end(const TaskValues &task) = 0;
};

/// What a simulation with values needs; without it, time and energy alone are
/// simulated.
struct Values {
  /// The plan's buffers in the memory of this host.
  std::span<const Place> places;
  FaultWords *faults = nullptr;
  /// Computes a body. Its arguments are operands, results and fault words,
  /// which are all ones.
  std::function<void(const mapping::Body &, std::span<uint8_t *const>)> call;
  TaskObserver *observer = nullptr;
};

/// Where the time of a core's queue went, in picoseconds.
struct QueueTime {
  int64_t busy = 0;
  /// Waiting for a task of its own core, and for other cores; with `busy` the
  /// time of all segments in which the queue has tasks.
  int64_t waiting = 0, waitingForOthers = 0;
};

struct CoreStatistics {
  QueueTime compute, copy;
  uint64_t bytesIn = 0, bytesOut = 0;
  /// The highest address of its memory that a task used.
  uint64_t memoryPeak = 0;
  /// Femtojoules of its tasks, without signals and standby.
  int64_t energy = 0;
};

/// Parts of a critical path, in picoseconds. The path leads back from the end
/// of the last task of a segment, through the task to the one whose end or
/// signal let it start, and so on to the segment's beginning.
struct PathTime {
  /// Computing: the units; the core's time to start tasks; accesses to operands
  /// that are in place in a shared memory.
  int64_t work = 0, issue = 0, inPlace = 0;
  /// Copying: the core's engine; packets that waited for a port of a shared
  /// memory or for a link, since others or those before them were there;
  /// latencies.
  int64_t engine = 0, memories = 0, links = 0, latencies = 0;
  /// From the end of a task to the start of one that waited for its signal.
  int64_t signals = 0;
  int64_t total() const {
    return work + issue + inPlace + engine + memories + links + latencies +
           signals;
  }
};

/// Of all runs of one launch.
struct LaunchStatistics {
  uint64_t runs = 0;
  /// From the first start of a task to the last end, summed over runs.
  int64_t span = 0;
  /// Summed over cores.
  int64_t compute = 0, copy = 0;
  /// Time that the launch's copies lost by waiting for a link, for the port of
  /// a shared memory: their engines stood still, or their last packets waited.
  int64_t linkWait = 0, memoryWait = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< of shared memories
  int64_t energy = 0;
  uint32_t cores = 0;
  /// Its tasks on the critical paths. Those of all launches add up to the time
  /// of the simulation.
  PathTime path;
};

/// Femtojoules. The parts add up to the total exactly.
struct Energy {
  int64_t units = 0, coreMemories = 0, sharedMemories = 0, links = 0,
          signals = 0, standby = 0;
  int64_t total() const {
    return units + coreMemories + sharedMemories + links + signals + standby;
  }
};

/// What the tasks of a simulation used, as far as it costs energy.
struct EnergyUse {
  /// Of each memory of the machine file; accesses of a shared one in whole
  /// bursts.
  std::vector<uint64_t> bytesRead, bytesWritten;
  /// How often cores of a kind computed a body of the mapping.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> computations;
  uint64_t signals = 0;
};

struct Statistics {
  int64_t time = 0; ///< picoseconds
  /// Of all repetitions, and those of them that were handled one by one: in
  /// counts, one repetition stands for others.
  uint64_t events = 0, handledEvents = 0;
  Energy energy;
  EnergyUse use;
  std::vector<CoreStatistics> cores;
  std::vector<LaunchStatistics> launches;
  /// Bytes and busy picoseconds of each link and of each memory, for a memory
  /// the mean of its ports.
  std::vector<uint64_t> linkBytes, memoryBytes;
  std::vector<int64_t> linkBusy, memoryBusy;
};

/// One task as it ran, for pictures.
struct TraceEvent {
  uint32_t core = 0, launch = 0;
  bool isCopy = false;
  int64_t begin = 0, end = 0;
  /// Its position among the core's tasks of the segment.
  uint32_t number = 0;
};

class Simulator {
public:
  /// Checks the mapping, which may come from a file, against machine and plan,
  /// which are checked: throws a Failure (bad input) that names segment, core
  /// and task.
  static void check(const Description &machine, const plan::Plan &plan,
                    const mapping::Mapping &mapping);
  /// Checks the mapping unless it is. All three must outlive the simulator.
  Simulator(const Description &machine, const plan::Plan &plan,
            const mapping::Mapping &mapping, bool isChecked = false);
  ~Simulator();

  /// Begins to simulate these segments, each given once, without values on
  /// further threads, unless there is a trace. `run` adds what the first run of
  /// each takes, which is the same, with the same failures, whatever runs
  /// before. No more than these are begun once there were so many events.
  void startCounting(std::span<const size_t> segments, uint64_t mostEvents);

  /// Simulates one segment, with all its repetitions, from the end of the one
  /// before. With values the memory of cores is filled with FF before each
  /// repetition; without, one stands for all. Throws a Failure (bug) that
  /// names core, task and byte for a deadlock and, with values, for a read of
  /// bytes of a core's memory that no task wrote, a task that writes what
  /// another one reads or writes while no order of tasks and counters keeps
  /// them apart, even if their times do, and a fault word that is not of its
  /// piece; a Failure (unsupported) if the segment is too long to simulate.
  /// Returns the number of the events that were handled.
  uint64_t run(size_t segment, const Values *values = nullptr);

  const Statistics &statistics() const;
  void setTrace(std::function<void(const TraceEvent &)> trace);

private:
  class State;
  std::unique_ptr<State> state;
};

} // namespace gensyn::machine

#endif
