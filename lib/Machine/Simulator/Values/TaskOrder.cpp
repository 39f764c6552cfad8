// Vector clocks of tasks; see TaskOrder.h.

#include "TaskOrder.h"

#include <algorithm>

namespace gensyn::machine {

/// 256 MiB.
constexpr uint64_t mostNumbers = uint64_t(1) << 26;

void TaskOrder::reset(const Program &segment) {
  program = &segment;
  const size_t size = program->size();
  places.assign(size, 0);
  before.assign(size, noTask);
  hasEnded.assign(size, false);
  clocks.assign(size, Clock{{}, 0});
  counters.assign(program->firstWaiters.size() - 1, Counter{{}, 0, 0});
  known.assign(1, std::vector<uint32_t>(program->heads.size()));
  joins.clear();
  isComplete = true;
  numbers = 0;
  for (uint32_t head : program->heads)
    for (uint32_t task = head; task != noTask;) {
      const uint32_t next = program->tasks[task].next;
      if (next != noTask) {
        places[next] = places[task] + 1;
        before[next] = task;
      }
      task = next;
    }
}

void TaskOrder::join(std::vector<uint32_t> &all,
                     std::span<const uint32_t> more) {
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = std::max(all[i], more[i]);
}

uint32_t TaskOrder::add(std::vector<uint32_t> clock) {
  numbers += clock.size();
  if (numbers > mostNumbers) {
    isComplete = false;
    return 0;
  }
  known.push_back(std::move(clock));
  return static_cast<uint32_t>(known.size() - 1);
}

uint32_t TaskOrder::joinKnown(uint32_t first, uint32_t second) {
  if (first == second || !second)
    return first;
  if (!first)
    return second;
  auto [found, isNew] =
      joins.try_emplace(std::minmax(first, second), uint32_t(0));
  if (!isNew)
    return found->second;
  std::vector<uint32_t> all = known[first];
  join(all, known[second]);
  found->second = all == known[first]    ? first
                  : all == known[second] ? second
                                         : add(std::move(all));
  return found->second;
}

TaskOrder::Clock TaskOrder::endOf(uint32_t task) const {
  Clock clock = clocks[task];
  clock.own[program->tasks[task].queue % queuesOfCore] = places[task] + 1;
  return clock;
}

void TaskOrder::joinClock(Clock &clock, const Clock &other) {
  for (size_t queue = 0; queue < queuesOfCore; ++queue)
    clock.own[queue] = std::max(clock.own[queue], other.own[queue]);
  clock.others = joinKnown(clock.others, other.others);
}

void TaskOrder::start(uint32_t number) {
  if (!isComplete)
    return;
  const Task &task = program->tasks[number];
  Clock &clock = clocks[number];
  if (before[number] != noTask)
    joinClock(clock, endOf(before[number]));
  if (program->phase == Phase::Ahead)
    return; // it waits for nothing
  for (uint32_t other : task.message->after())
    joinClock(clock, endOf(number - task.number + other));
}

void TaskOrder::signal(uint32_t number, uint32_t task) {
  if (!isComplete)
    return;
  Counter &counter = counters[number];
  if (counter.ended.empty()) {
    numbers += program->heads.size();
    counter.ended.resize(program->heads.size());
  }
  const Clock clock = endOf(task);
  if (clock.others != counter.joined)
    join(counter.ended, known[clock.others]);
  counter.joined = clock.others;
  const size_t first = program->tasks[task].queue / queuesOfCore * queuesOfCore;
  for (size_t queue = 0; queue < queuesOfCore; ++queue) {
    uint32_t &ended = counter.ended[first + queue];
    ended = std::max(ended, clock.own[queue]);
  }
  counter.snapshot = changed;
}

void TaskOrder::release(uint32_t task, uint32_t number) {
  if (!isComplete)
    return;
  Counter &counter = counters[number];
  if (counter.snapshot == changed)
    counter.snapshot = add(counter.ended);
  clocks[task].others = joinKnown(clocks[task].others, counter.snapshot);
}

bool TaskOrder::isBefore(uint32_t first, uint32_t second) const {
  if (!hasEnded[first])
    return false;
  if (!isComplete)
    return true;
  const Task &task = program->tasks[first];
  const Clock &clock = clocks[second];
  if (task.core == program->tasks[second].core &&
      clock.own[task.queue % queuesOfCore] > places[first])
    return true;
  return known[clock.others][task.queue] > places[first];
}

} // namespace gensyn::machine
