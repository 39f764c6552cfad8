// The discrete events of a segment; see EventLoop.h.

#include "EventLoop.h"

#include "../Values/CoreMemories.h"
#include "CriticalPath.h"

#include "gensyn/Executable/Support/Failure.h"

#include <algorithm>
#include <limits>

namespace gensyn::machine {

/// Thirteen days: sums with the longest time of a task or transfer still fit.
constexpr int64_t lastTime = int64_t(1) << 60;
constexpr int64_t notStarted = -1;

[[noreturn]] static void failTooLong(size_t segment) {
  throw Failure(ExitCode::Unsupported,
                "mapping: segment " + std::to_string(segment) +
                    " ends more than 13 days after the beginning");
}

EventLoop::EventLoop(const Subject &subject, const Program &program,
                     const Bindings &bindings, Accounts &accounts,
                     CoreMemories *memories, const Trace &trace)
    : subject(subject), program(program), bindings(bindings),
      accounts(accounts), memories(memories), trace(trace),
      states(program.size()), copies(program.heads.size()),
      latest(accounts.statistics.time) {
  for (size_t i = 0; i < states.size(); ++i) {
    states[i].begin = notStarted;
    states[i].lastAfter = latest;
    states[i].conditions = program.tasks[i].conditions;
  }
  for (uint32_t head : program.heads)
    queues.push_back({head, latest});
  nextWaiters = program.firstWaiters;
  counters.resize(nextWaiters.size() - 1);
  begins.assign(program.coresOfLaunch.size(),
                std::numeric_limits<int64_t>::max());
  ends.assign(program.coresOfLaunch.size(), latest);
}

void EventLoop::requireTime(size_t segment, Wide time) {
  if (time > Wide(lastTime))
    failTooLong(segment);
}

void EventLoop::push(Event event) {
  if (event.time > lastTime)
    failTooLong(program.segment);
  events.push(event);
}

void EventLoop::run() {
  const int64_t begin = latest;
  for (const Queue &queue : queues)
    if (queue.head != noTask)
      startIfReady(queue.head, begin);
  while (!events.empty()) {
    Event event = events.first();
    events.pop([&](const Event &other, bool isToday) {
      isToday ? fetchResource(other) : fetch(other);
    });
    ++count;
    if (event.stage() < Event::signal) {
      // What follows at once needs no place in the queue.
      while (handlePacket(event)) {
        if (!events.empty() && events.first().order() < event.order()) {
          push(event);
          break;
        }
        ++count;
      }
    } else if (event.stage() == Event::end) {
      cause = event.task();
      finish(event.task(), event.time);
    } else {
      cause = event.task();
      deliverSignals(event.task(), event.time);
    }
  }
  if (finished < program.running)
    failDeadlock();
  closeQueues();
  addPath();
  accounts.addStandby(latest - begin);
  accounts.statistics.time = latest;
  accounts.statistics.events += count;
  accounts.statistics.handledEvents += count;
}

/// Most of the time of an event is that of waiting for the memory of this host.
void EventLoop::fetch(const Event &event) const {
  if (event.stage() >= Event::signal) {
    __builtin_prefetch(&program.tasks[event.task()]);
    __builtin_prefetch(&states[event.task()], 1);
  } else if (event.hop == noHop) {
    __builtin_prefetch(&copies[event.place].engineTime, 1);
    __builtin_prefetch(&copies[event.place].ways, 1);
  } else {
    __builtin_prefetch(&packets[event.place], 1);
    __builtin_prefetch(&program.ways->hopAt(event.hop));
  }
}

/// What `fetch` brought tells what else is needed.
void EventLoop::fetchResource(const Event &event) const {
  if (event.hop != noHop)
    __builtin_prefetch(
        &accounts.resources[program.ways->hopAt(event.hop).resource], 1);
  else if (event.stage() < Event::signal) {
    const Copy &copy = copies[event.place];
    program.ways->fetch(copy.ways.list, placeOf(copy, event.packet()));
  }
}

uint32_t EventLoop::placeOf(const Copy &copy, uint64_t packet) const {
  // A division takes longer than the rest of an event.
  const uint64_t turn = copy.ways.turn + packet;
  if (turn < copy.ways.ways)
    return static_cast<uint32_t>(turn);
  return copy.ways.ways == 1 ? 0 : static_cast<uint32_t>(turn % copy.ways.ways);
}

uint32_t EventLoop::addPacket(uint32_t number, uint64_t packet) {
  if (unused.empty()) {
    unused.push_back(static_cast<uint32_t>(packets.size()));
    packets.emplace_back();
  }
  const uint32_t place = unused.back();
  unused.pop_back();
  Copy &copy = copies[number];
  Packet &state = packets[place];
  Wide energy;
  const int64_t latency = program.ways->begin(
      copy.ways.list, placeOf(copy, packet), state.walk, energy);
  copy.linkEnergy += Wide(copy.bytes + (packet < copy.larger)) * energy;
  // Not before its engine has moved it; `issue` adds when that is.
  state.end = latency + copy.engineTime + (packet < copy.engineLonger);
  state.copy = number;
  state.firstLoad = copy.firstLoad;
  state.ends = state.walk.leaves;
  state.isLast = packet + 1 == copy.packets;
  return place;
}

void EventLoop::removePacket(uint32_t place, uint32_t task) {
  const Packet &packet = packets[place];
  Copy &copy = copies[packet.copy];
  copy.end = std::max(copy.end, packet.end);
  unused.push_back(place);
  if (--copy.left == 0)
    push(Event::at(copy.end, task, Event::end));
}

bool EventLoop::handlePacket(Event &event) {
  const uint64_t number = event.packet();
  const auto stage = static_cast<uint32_t>(event.stage());
  if (stage == 0) {
    event.place = addPacket(event.place, number);
    packets[event.place].end += event.time;
    event.hop = packets[event.place].walk.offset;
  }
  Packet &packet = packets[event.place];
  const Hop &hop = program.ways->hopAt(event.hop);
  const Load &load = program.loads[packet.firstLoad + hop.load];
  ResourceState &resource = accounts.resources[hop.resource];
  const int64_t start = std::max(event.time, resource.free);
  if (start > lastTime)
    failTooLong(program.segment);
  const int64_t time = load.time + (number < load.longer);
  resource.free = start + time;
  resource.busy += time;
  resource.bytes += load.bytes + (number < load.larger);
  packet.end = std::max(packet.end, start + time + hop.latencyToEnd +
                                        packet.walk.latencyAfter);
  const bool isPort = hop.load >= program.portLoad;
  if (stage == 0)
    issue(event, packet, start, isPort);
  else if (start != event.time)
    addWait(event, packet, start - event.time, isPort);
  return sendOn(event, packet, start, hop.latency);
}

void EventLoop::issue(const Event &event, Packet &packet, int64_t start,
                      bool isPort) {
  Copy &copy = copies[packet.copy];
  if (packet.isLast) {
    copy.waits[isPort] += start - event.time;
    return;
  }
  // The engine has the next packet ready when it has moved this one, and issues
  // it when this one is on its way: a copy has one packet that waits, so that
  // concurrent copies take turns. What it loses is the time in which its engine
  // stands still.
  const int64_t moved =
      event.time + copy.engineTime + (event.packet() < copy.engineLonger);
  const int64_t wait = std::max<int64_t>(start - moved, 0);
  copy.waits[isPort] += wait;
  push({moved + wait, event.key + Event::nextPacket, packet.copy, noHop});
}

void EventLoop::addWait(const Event &event, const Packet &packet, int64_t wait,
                        bool isPort) {
  const auto stage = static_cast<uint32_t>(event.stage());
  Copy &copy = copies[packet.copy];
  if (!packet.isLast) {
    const uint32_t leaves = program.ways->leavesOf(packet.walk, stage);
    copy.late[isPort] += leaves == packet.walk.leaves
                             ? Wide(wait)
                             : Wide(wait) * leaves / packet.walk.leaves;
    return;
  }
  // The copy loses what its last packet waits; on the branches of a tree, the
  // longest waiting.
  if (stage >= packet.walk.stem) {
    const int64_t longest = std::max(copy.longest, wait);
    wait = longest - copy.longest;
    copy.longest = longest;
  }
  copy.waits[isPort] += wait;
}

/// Sends a packet from a hop, which it has begun to take at a time, to those
/// that follow. As in handlePacket.
bool EventLoop::sendOn(Event &event, Packet &packet, int64_t start,
                       int64_t latency) {
  const auto stage = static_cast<uint32_t>(event.stage());
  auto pushOthers = [&](uint32_t hop, int64_t time) {
    while ((hop = program.ways->nextBeside(packet.walk, hop)) != noTask)
      push({time, event.key + (hop - stage), event.place,
            packet.walk.offset + hop});
  };
  // Those that begin a tree at its source; the first one is known by then.
  if (stage == 0 && packet.walk.stem == 0)
    pushOthers(0, start);
  const uint32_t next = program.ways->goOn(packet.walk, stage);
  if (next != noTask) {
    pushOthers(next, start + latency);
    event = {start + latency, event.key + (next - stage), event.place,
             packet.walk.offset + next};
    return true;
  }
  if (--packet.ends == 0)
    removePacket(event.place, event.task());
  return false;
}

void EventLoop::startIfReady(uint32_t task, int64_t time) {
  const TaskState &state = states[task];
  if (state.conditions == 0 && state.begin == notStarted &&
      queues[program.tasks[task].queue].head == task)
    start(task, time);
}

void EventLoop::start(uint32_t number, int64_t time) {
  const Task &task = program.tasks[number];
  TaskState &state = states[number];
  const Queue &queue = queues[task.queue];
  CoreStatistics &core = accounts.statistics.cores[task.core];
  QueueTime &sums = task.isCopy ? core.copy : core.compute;
  const int64_t own = std::clamp(state.lastAfter, queue.free, time);
  sums.waiting += own - queue.free;
  sums.waitingForOthers += time - own;
  state.begin = time;
  state.cause = cause;
  if (!task.isAhead)
    begins[task.launch] = std::min(begins[task.launch], time);
  if (memories)
    memories->begin(number);
  if (task.isCopy)
    startCopy(number, time);
  else
    push(Event::at(time + task.duration, number, Event::end));
}

void EventLoop::startCopy(uint32_t number, int64_t time) {
  const Task &task = program.tasks[number];
  const Transfer &transfer = program.transfers[task.cost];
  const int64_t issued = time + transfer.engineStart;
  Copy &copy = copies[task.queue];
  copy = {issued,
          {},
          {},
          0,
          0,
          transfer.engine.time,
          transfer.engine.bytes,
          transfer.engine.longer,
          transfer.engine.larger,
          transfer.firstLoad,
          transfer.packets,
          transfer.packets,
          task.ways};
  if (program.ways->find(task.ways.list, placeOf(copy, 0)).hops)
    return push(Event::at(issued, number, 0, task.queue));
  // Within the core's memory the engine alone is busy.
  const int64_t moving =
      static_cast<int64_t>(transfer.packets) * transfer.engine.time +
      transfer.engine.longer;
  push(Event::at(issued + moving, number, Event::end));
}

void EventLoop::countTask(const Task &task, const TaskState &state,
                          int64_t time) {
  Statistics &statistics = accounts.statistics;
  const int64_t taken = time - state.begin;
  CoreStatistics &core = statistics.cores[task.core];
  (task.isCopy ? core.copy : core.compute).busy += taken;
  const uint32_t launch = launchOf(task);
  LaunchStatistics &sums = statistics.launches[launch];
  (task.isCopy ? sums.copy : sums.compute) += taken;
  if (task.isCopy) {
    const Copy &own = copies[task.queue];
    accounts.addLinks(launch, own.linkEnergy);
    sums.linkWait += own.waits[0];
    sums.memoryWait += own.waits[1];
    const mapping::Copy &copy = task.message->copy();
    const uint64_t bytes = program.transfers[task.cost].bytes;
    auto addBytes = [&](const mapping::Location &location, bool isOut) {
      if (location.memory_case() == mapping::Location::kBuffer)
        return;
      const bool isOwn = location.memory_case() == mapping::Location::kLocal;
      CoreStatistics &owner =
          statistics.cores[isOwn ? task.core : location.core()];
      (isOut ? owner.bytesOut : owner.bytesIn) += bytes;
    };
    addBytes(copy.from(), true);
    forEachDestination(
        copy, [&](const mapping::Location &to) { addBytes(to, false); });
  }
  const Cost &cost =
      program
          .costs[task.isCopy ? program.transfers[task.cost].cost : task.cost];
  accounts.add(program, launch, cost);
  core.energy = limited(factor(core.energy) + Wide(factor(cost.units)) +
                        factor(cost.coreMemories) +
                        factor(cost.sharedMemories) + factor(cost.links) +
                        (task.isCopy ? copies[task.queue].linkEnergy : 0));
  if (trace)
    trace({task.core, launch, task.isCopy, state.begin, time, task.number});
}

void EventLoop::finish(uint32_t number, int64_t time) {
  const Task &task = program.tasks[number];
  if (time > latest || last == noTask)
    last = number;
  latest = std::max(latest, time);
  TaskState &state = states[number];
  state.end = time;
  if (task.isCopy) {
    const Copy &copy = copies[task.queue];
    std::copy_n(copy.waits, 2, state.waits);
    std::copy_n(copy.late, 2, state.late);
  }
  if (!task.isAhead)
    ends[task.launch] = std::max(ends[task.launch], time);
  ++finished;
  if (memories)
    memories->end(number);
  countTask(task, state, time);
  const std::span<const uint32_t> signals = program.signalsOf(number);
  if (!signals.empty()) {
    accounts.addSignals(launchOf(task), signals.size());
    push(Event::at(time + limited(factor(subject.machine.network.signal.value)),
                   number, Event::signal));
  }
  Queue &queue = queues[task.queue];
  queue.free = time;
  queue.head = task.next;
  for (uint32_t dependent : program.dependentsOf(number)) {
    states[dependent].lastAfter = time;
    --states[dependent].conditions;
  }
  for (uint32_t dependent : program.dependentsOf(number))
    startIfReady(dependent, time);
  if (task.next != noTask)
    startIfReady(task.next, time);
}

void EventLoop::deliverSignals(uint32_t number, int64_t time) {
  for (uint32_t counter : program.signalsOf(number)) {
    const uint32_t value = ++counters[counter];
    if (memories)
      memories->order.signal(counter, number);
    uint32_t &next = nextWaiters[counter];
    const uint32_t last = program.firstWaiters[counter + 1];
    for (; next < last && program.waiters[next].value <= value; ++next) {
      const uint32_t waiter = program.waiters[next].task;
      if (memories)
        memories->order.release(waiter, counter);
      --states[waiter].conditions;
      startIfReady(waiter, time);
    }
  }
}

void EventLoop::closeQueues() {
  Statistics &statistics = accounts.statistics;
  for (size_t i = 0; i < queues.size(); ++i) {
    if (program.heads[i] == noTask)
      continue;
    CoreStatistics &core = statistics.cores[program.cores[i / queuesOfCore]];
    QueueTime &sums = i % queuesOfCore ? core.copy : core.compute;
    const int64_t free = queues[i].free;
    int64_t own = free;
    for (size_t k = 0; k < queuesOfCore; ++k)
      own = std::max(own, queues[i / queuesOfCore * queuesOfCore + k].free);
    sums.waiting += own - free;
    sums.waitingForOthers += latest - own;
  }
  for (const auto &[core, peak] : program.peaks)
    statistics.cores[core].memoryPeak =
        std::max(statistics.cores[core].memoryPeak, peak);
  // Before the first repetition launches only have copies that are ahead.
  for (uint32_t i = 0; program.phase != Phase::Ahead && i < ends.size(); ++i) {
    LaunchStatistics &sums = statistics.launches[bindings.own.launch(i)];
    ++sums.runs;
    sums.cores = program.coresOfLaunch[i];
    if (sums.cores)
      sums.span += ends[i] - begins[i];
  }
}

void EventLoop::addPath() {
  PathBuilder builder(subject, program);
  for (uint32_t number = last; number != noTask;) {
    const TaskState &state = states[number];
    PathTime &path =
        accounts.statistics.launches[launchOf(program.tasks[number])].path;
    builder.add(number,
                {state.begin,
                 state.end,
                 {state.waits[0], state.waits[1]},
                 {state.late[0], state.late[1]}},
                path);
    number = state.cause;
    if (number != noTask)
      path.signals += state.begin - states[number].end;
  }
}

std::string EventLoop::describeWait(uint32_t number) const {
  const Task &task = program.tasks[number];
  // Tasks of a core are adjacent, and those that have started are no longer in
  // their queue or at its head.
  const uint32_t first = number - task.number;
  auto hasEnded = [&](uint32_t before) {
    uint32_t waiting = queues[program.tasks[first + before].queue].head;
    while (waiting != noTask && waiting != first + before)
      waiting = program.tasks[waiting].next;
    return waiting == noTask;
  };
  for (uint32_t before : task.message->after())
    if (!hasEnded(before))
      return "task " + std::to_string(before) + " to end";
  for (const mapping::Await &await : task.message->awaits()) {
    if (counters[await.counter()] >= await.value())
      continue;
    const auto all = static_cast<uint64_t>(std::count(
        program.signals.begin(), program.signals.end(), await.counter()));
    return "counter " + std::to_string(await.counter()) + " to reach " +
           std::to_string(await.value()) + ", " +
           (all < await.value()
                ? "but only " + std::to_string(all) + " tasks signal it"
                : "which is at " + std::to_string(counters[await.counter()]));
  }
  return "nothing";
}

void EventLoop::failDeadlock() const {
  uint32_t first = noTask;
  for (const Queue &queue : queues)
    first = std::min(first, queue.head);
  const Task &task = program.tasks[first];
  throw Failure(ExitCode::Bug,
                describeTask(subject, program.segment, task.core, task.number,
                             *task.message,
                             bindings.of(task.isAhead).repetition()) +
                    ": deadlock: it waits for " + describeWait(first));
}

} // namespace gensyn::machine
