// Runs the events of one segment.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_EVENTS_EVENTLOOP_H
#define GENSYN_LIB_MACHINE_SIMULATOR_EVENTS_EVENTLOOP_H

#include "../Accounts.h"
#include "../Binding.h"
#include "../Program.h"
#include "EventQueue.h"

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
    int64_t begin, lastAfter, end;
    /// As in TaskRun.
    int64_t waits[2];
    Wide late[2];
    uint32_t conditions;
    /// The task whose end or signal let it start; noTask: none.
    uint32_t cause;
  };
  struct Queue {
    uint32_t head;
    int64_t free;
  };
  /// A copy that runs. They are adjacent, as one runs in each queue.
  struct Copy {
    /// When what is known so far of it will have arrived.
    int64_t end;
    /// Times in which packets waited for links and for ports.
    int64_t waits[2];
    /// As in TaskRun.
    Wide late[2];
    Wide linkEnergy;
    /// Of a branch of a tree, in which the last packet waited.
    int64_t longest;
    int64_t engineTime;
    /// Bytes of a packet; the first `larger` have one more.
    uint64_t bytes;
    uint32_t engineLonger, larger, firstLoad;
    /// All, and those that have not arrived.
    uint32_t packets, left;
    Ways::List ways;
  };
  /// A packet on its way: what an event changes is in one place.
  struct Packet {
    Walk walk;
    /// As in Copy.
    int64_t end;
    uint32_t copy, firstLoad;
    /// Ends of its way at which it is not yet.
    uint32_t ends;
    bool isLast;
  };

  void push(Event event);
  /// Brings what a coming event needs near to the processor.
  void fetch(const Event &event) const;
  void fetchResource(const Event &event) const;
  /// Handles an event of a packet. Returns true if `event` is now the one that
  /// follows from it, which may be the next one of all.
  bool handlePacket(Event &event);
  /// Puts a packet on its way, and orders the next one of its copy.
  void issue(const Event &event, Packet &packet, int64_t start, bool isPort);
  /// Adds what a packet waited that is on its way.
  void addWait(const Event &event, const Packet &packet, int64_t wait,
               bool isPort);
  bool sendOn(Event &event, Packet &packet, int64_t start, int64_t latency);
  uint32_t addPacket(uint32_t copy, uint64_t number);
  /// A packet has arrived at all ends of its way.
  void removePacket(uint32_t place, uint32_t task);
  uint32_t placeOf(const Copy &copy, uint64_t packet) const;
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
  std::vector<Copy> copies; ///< of each queue
  std::vector<Packet> packets;
  std::vector<uint32_t> unused; ///< among the packets
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
