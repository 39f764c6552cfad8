// Runs the events of one segment.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_EVENTLOOP_H
#define GENSYN_LIB_MACHINE_SIMULATOR_EVENTLOOP_H

#include "Accounts.h"
#include "Binding.h"
#include "EventQueue.h"
#include "Program.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gensyn::machine {

class CoreMemories;

class EventLoop {
public:
  using Trace = std::function<void(const TraceEvent &)>;

  /// Without `memories` only time and energy are simulated.
  EventLoop(const Subject &subject, const Program &program,
            const Bindings &bindings, Accounts &accounts,
            CoreMemories *memories, const Trace &trace);

  /// Throws a Failure (bug) if tasks wait for each other.
  void run();

  /// Throws a Failure (unsupported) if a time is too late to simulate.
  static void requireTime(size_t segment, Wide time);

private:
  struct TaskState {
    int64_t begin, lastAfter;
    /// Of a copy that runs: when what is known so far of it will have arrived;
    /// then of every task. Times in which packets waited for links and for
    /// ports.
    int64_t end;
    int64_t waits[2];
    Wide linkEnergy;
    /// As in TaskRun.
    Wide late[2];
    /// Ends of ways at which packets are not yet.
    uint64_t ends;
    /// Of a branch of a tree, in which the last packet waited.
    int64_t longest;
    uint32_t transfer;
    Ways::List ways;
    uint32_t conditions;
    /// The task whose end or signal let it start; noTask: none.
    uint32_t cause;
  };
  struct Queue {
    uint32_t head;
    int64_t free;
  };

  void push(Event event);
  /// Handles an event of a packet. Returns true if `event` is now the one that
  /// follows from it, which may be the next one of all.
  bool handlePacket(Event &event);
  Way findWay(const TaskState &state, uint64_t packet) const;
  bool sendOn(Event &event, TaskState &state, const Way &way, int64_t start,
              int64_t latency);
  void startIfReady(uint32_t task, int64_t time);
  void start(uint32_t task, int64_t time);
  void startCopy(uint32_t task, int64_t time);
  void finish(uint32_t task, int64_t time);
  void deliverSignals(uint32_t task, int64_t time);
  void countTask(const Task &task, const TaskState &state, int64_t time);
  void closeQueues();
  void addPath();
  uint32_t launchOf(const Task &task) const {
    return bindings.of(task.isAhead).launch(task.launch);
  }
  [[noreturn]] void failDeadlock() const;
  std::string describeWait(uint32_t task) const;

  const Subject &subject;
  const Program &program;
  const Bindings &bindings;
  Accounts &accounts;
  CoreMemories *memories;
  const Trace &trace;
  EventQueue events;
  std::vector<TaskState> states;
  std::vector<Queue> queues;
  /// The value of each counter, and the first waiter that has not been served.
  std::vector<uint32_t> counters, nextWaiters;
  /// The first start and the last end of each launch's tasks.
  std::vector<int64_t> begins, ends;
  /// Of the event that is handled, and of the last task so far.
  uint32_t cause = noTask, last = noTask;
  size_t finished = 0;
  uint64_t count = 0;
  int64_t latest;
};

} // namespace gensyn::machine

#endif
