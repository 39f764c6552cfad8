// Places tasks one by one; see TaskTimes.h.

#include "TaskTimes.h"

#include "gensyn/Executable/Support/Failure.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gensyn::machine {

constexpr int64_t notStarted = -1;
/// As in a simulation.
constexpr int64_t lastTime = int64_t(1) << 60;

TaskTimes::TaskTimes(const Subject &subject, const Resources &resources,
                     const Program &program, const CopyShapes &shapes)
    : subject(subject), program(program), shapes(shapes),
      states(program.size()), heads(program.heads),
      nextWaiters(program.firstWaiters),
      begins(program.coresOfLaunch.size(), std::numeric_limits<int64_t>::max()),
      ends(program.coresOfLaunch.size()), traffic(resources.size()),
      firstStays(program.heads.size()) {
  counters.resize(nextWaiters.size() - 1);
  for (size_t i = 0; i < states.size(); ++i)
    states[i] = {notStarted, 0, program.tasks[i].conditions, false, 0};
  for (uint32_t i = 0; i < states.size(); ++i)
    if (const Task &task = program.tasks[i]; task.isCopy) {
      size_t &most = firstStays[task.queue];
      most = std::max<size_t>(most, shapes.of(i).crowded);
    }
  size_t count = 0;
  for (size_t &first : firstStays)
    count += std::exchange(first, count);
  stays.resize(count);
}

int64_t TaskTimes::spanOf(size_t launch) const {
  return std::max<int64_t>(ends[launch] - begins[launch], 0);
}

void TaskTimes::push(Event event) {
  if (event.time > lastTime)
    throw Failure(ExitCode::Unsupported, "mapping: segment " +
                                             std::to_string(program.segment) +
                                             " takes more than 13 days");
  events.push(event);
}

void TaskTimes::run() {
  for (uint32_t head : program.heads)
    if (head != noTask)
      startIfReady(head, 0);
  while (!events.empty()) {
    const Event event = events.top();
    events.pop();
    if (event.isSignal) {
      deliverSignals(event.task, event.time);
      continue;
    }
    if (State &state = states[event.task]; state.isMoving) {
      // Copies that came later have taken a part of its resources. A small
      // change is left out, so that there is an end.
      const int64_t end = findMovingEnd(event.task);
      const bool isLonger = end - event.time > (event.time - state.begin) / 64;
      if (isLonger)
        bring(event.task, event.time, end);
      state.end = isLonger ? end : endMoving(event.task, event.time);
      push({state.end, event.task, false});
      continue;
    }
    finish(event.task, event.time);
  }
  if (finished < program.running)
    throw Failure(ExitCode::Bug, "mapping: segment " +
                                     std::to_string(program.segment) +
                                     ": deadlock: tasks wait for each other");
}

void TaskTimes::startIfReady(uint32_t number, int64_t time) {
  const Task &task = program.tasks[number];
  State &state = states[number];
  if (state.conditions || state.begin != notStarted ||
      heads[task.queue] != number)
    return;
  state.begin = time;
  if (!task.isAhead)
    begins[task.launch] = std::min(begins[task.launch], time);
  state.isMoving = task.isCopy;
  state.end = task.isCopy ? startCopy(number, time) : time + task.duration;
  push({state.end, number, false});
}

int64_t TaskTimes::startCopy(uint32_t number, int64_t time) {
  const CopyShape &shape = shapes.of(number);
  const std::span<const Share> shares = shapes.crowdedOf(shape);
  const std::span<Stay> places = staysOf(program.tasks[number], shape);
  for (size_t i = 0; i < shares.size(); ++i) {
    const auto [resource, busy, packet, bytes, isQueue] = shares[i];
    Traffic &there = traffic[resource];
    // Of copies that take turns, one that is there already is served before
    // this one as long as this one at most.
    const int64_t before = std::min(std::max<int64_t>(there.free - time, 0),
                                    limited(Wide(busy) * there.active));
    there.free = std::min(std::max(there.free, time) + busy, lastTime);
    ++there.active;
    ++there.copies;
    there.work += static_cast<Wide>(busy);
    there.starts += Wide(time);
    places[i] = {
        before + busy,         there.copies, there.work, there.starts, 0,
        Wide(busy) << fraction};
  }
  const int64_t end = findMovingEnd(number);
  bring(number, time, end);
  return end;
}

int64_t TaskTimes::findMovingEnd(uint32_t number) {
  const CopyShape &shape = shapes.of(number);
  const std::span<const Share> shares = shapes.crowdedOf(shape);
  const std::span<Stay> places = staysOf(program.tasks[number], shape);
  const int64_t begin = states[number].begin, end = states[number].end;
  int64_t moving = shape.moving;
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].isQueue)
      continue;
    const Traffic &there = traffic[shares[i].resource];
    Stay &stay = places[i];
    if (there.copies != stay.copies && end > begin) {
      // Copies that came since then take turns with this one: each is served
      // before it as long as the rest of this one then was, at most, without
      // the packet that waited already.
      const Wide copies = there.copies - stay.copies;
      const Wide ends = copies * Wide(end);
      const Wide starts = there.starts - stay.starts;
      Wide rests = Wide(shares[i].busy) * (ends > starts ? ends - starts : 0) /
                   Wide(end - begin);
      rests -= std::min(rests, copies * Wide(shares[i].packet));
      const Wide work = there.work - stay.work;
      stay.taken = limited(Wide(stay.taken) + std::min(work, rests));
      stay.copies = there.copies;
      stay.work = there.work;
      stay.starts = there.starts;
    }
    moving = std::max(moving, stay.taken);
  }
  return begin + moving;
}

void TaskTimes::advance(Traffic &there, int64_t time) {
  const Wide passed = Wide(time - there.now);
  const Wide all = there.waiting + there.coming * passed;
  there.waiting = all - std::min(all, passed << fraction);
  there.now = time;
}

void TaskTimes::bring(uint32_t number, int64_t time, int64_t end) {
  const CopyShape &shape = shapes.of(number);
  const std::span<const Share> shares = shapes.crowdedOf(shape);
  const std::span<Stay> places = staysOf(program.tasks[number], shape);
  const Wide passed = Wide(time - states[number].since);
  const Wide left = Wide(std::max<int64_t>(end - time, 1));
  for (size_t i = 0; i < shares.size(); ++i) {
    Traffic &there = traffic[shares[i].resource];
    Stay &stay = places[i];
    stay.rest -= std::min(stay.rest, stay.coming * passed);
    advance(there, time);
    there.coming -= stay.coming;
    stay.coming = stay.rest / left;
    there.coming += stay.coming;
  }
  states[number].since = time;
}

int64_t TaskTimes::endMoving(uint32_t number, int64_t time) {
  const CopyShape &shape = shapes.of(number);
  const std::span<const Share> shares = shapes.crowdedOf(shape);
  const std::span<Stay> places = staysOf(program.tasks[number], shape);
  State &state = states[number];
  const Wide passed = Wide(time - state.since);
  int64_t end = std::max(time, state.begin + shape.longest);
  for (size_t i = 0; i < shares.size(); ++i) {
    Traffic &there = traffic[shares[i].resource];
    const Stay &stay = places[i];
    --there.active;
    advance(there, time);
    there.coming -= stay.coming;
    // What the division of the rest has left.
    there.waiting += stay.rest - std::min(stay.rest, stay.coming * passed);
    if (shares[i].isQueue)
      end = std::max(
          end, time + std::min(limited(there.waiting >> fraction), lastTime));
  }
  state.isMoving = false;
  return end + shape.start + shape.latency;
}

void TaskTimes::finish(uint32_t number, int64_t time) {
  const Task &task = program.tasks[number];
  states[number].end = time;
  latest = std::max(latest, time);
  if (!task.isAhead)
    ends[task.launch] = std::max(ends[task.launch], time);
  ++finished;
  if (!program.signalsOf(number).empty())
    push({time + limited(factor(subject.machine.network.signal.value)), number,
          true});
  heads[task.queue] = task.next;
  for (uint32_t dependent : program.dependentsOf(number))
    --states[dependent].conditions;
  for (uint32_t dependent : program.dependentsOf(number))
    startIfReady(dependent, time);
  if (task.next != noTask)
    startIfReady(task.next, time);
}

void TaskTimes::deliverSignals(uint32_t number, int64_t time) {
  for (uint32_t counter : program.signalsOf(number)) {
    const uint32_t value = ++counters[counter];
    uint32_t &next = nextWaiters[counter];
    const uint32_t last = program.firstWaiters[counter + 1];
    for (; next < last && program.waiters[next].value <= value; ++next) {
      const uint32_t waiter = program.waiters[next].task;
      --states[waiter].conditions;
      startIfReady(waiter, time);
    }
  }
}

} // namespace gensyn::machine
