// The order of tasks, against paths in the graph of what waits for what.

#include "Simulator/Values/TaskOrder.h"
#include "../MappingBuilder.h"
#include "Simulator/Program.h"

#include "gensyn/Numerics/SplitMix64.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;
using namespace gensyn::machine;

namespace {

constexpr uint32_t cores = 4, tasks = 8, counters = 5;

/// Tasks of two queues on each core. Counter i gets signals of tasks with a
/// number of at most i, and tasks with a greater number wait for all of them.
Mapped makeRandom(SplitMix64 &random) {
  Mapped mapped(cores);
  mapped.segment().set_counters(counters);
  const uint32_t body = mapped.body(1, {}, 0);
  std::vector<uint32_t> signals(counters);
  for (uint32_t number = 0; number < tasks; ++number)
    for (uint32_t core = 0; core < cores; ++core) {
      TaskBuilder task = random() % 2
                             ? mapped.compute(core, body, {})
                             : mapped.copy(core, local(0), local(64), 8, 0);
      for (uint32_t before = 0; before < number; ++before)
        if (random() % 8 == 0)
          task.after(before);
      for (uint32_t counter = 0; counter < counters; ++counter) {
        if (random() % 6)
          continue;
        if (number <= counter) {
          ++signals[counter];
          task.signals(counter);
        } else if (signals[counter]) {
          task.awaits(counter, signals[counter]);
        }
      }
    }
  return mapped;
}

/// Runs the tasks of a program in a random order that fits, in any number at
/// once.
class RandomRun {
public:
  RandomRun(const Program &program, SplitMix64 &random)
      : program(program), random(random), states(program.size()),
        values(program.firstWaiters.size() - 1) {
    order.reset(program);
    while (step())
      ;
  }

  TaskOrder order;
  size_t ended = 0;

private:
  enum class State : uint8_t { Waiting, Running, Ended, Seen };

  bool isReady(uint32_t number) const {
    const Task &task = program.tasks[number];
    const uint32_t first = number - task.number;
    for (uint32_t other = first; other < number; ++other)
      if (program.tasks[other].queue == task.queue &&
          states[other] < State::Ended)
        return false;
    for (uint32_t other : task.message->after())
      if (states[first + other] < State::Ended)
        return false;
    for (const mapping::Await &await : task.message->awaits())
      if (values[await.counter()] < await.value())
        return false;
    return true;
  }

  /// Starts or ends a task, or lets others see that it has ended.
  bool step() {
    std::vector<uint32_t> ready;
    for (uint32_t task = 0; task < states.size(); ++task)
      if (states[task] == State::Running || states[task] == State::Ended ||
          (states[task] == State::Waiting && isReady(task)))
        ready.push_back(task);
    if (ready.empty())
      return false;
    const uint32_t task = ready[random() % ready.size()];
    switch (states[task]) {
    case State::Waiting:
      order.start(task);
      break;
    case State::Running:
      order.end(task);
      ++ended;
      break;
    default:
      for (uint32_t counter : program.signalsOf(task)) {
        order.signal(counter, task);
        ++values[counter];
        for (const Waiter &waiter : program.waiters)
          if (waiter.counter == counter && waiter.value == values[counter])
            order.release(waiter.task, counter);
      }
    }
    states[task] = static_cast<State>(static_cast<int>(states[task]) + 1);
    return true;
  }

  const Program &program;
  SplitMix64 &random;
  std::vector<State> states;
  std::vector<uint32_t> values;
};

/// before[a][b]: a path leads from a to b.
std::vector<std::vector<bool>> findPaths(const Program &program) {
  const size_t size = program.size();
  std::vector<std::vector<bool>> before(size, std::vector<bool>(size));
  for (uint32_t a = 0; a < size; ++a) {
    if (program.tasks[a].next != noTask)
      before[a][program.tasks[a].next] = true;
    for (uint32_t b : program.dependentsOf(a))
      before[a][b] = true;
    for (uint32_t counter : program.signalsOf(a))
      for (const Waiter &waiter : program.waiters)
        if (waiter.counter == counter)
          before[a][waiter.task] = true;
  }
  for (size_t k = 0; k < size; ++k)
    for (size_t a = 0; a < size; ++a)
      for (size_t b = 0; b < size; ++b)
        if (before[a][k] && before[k][b])
          before[a][b] = true;
  return before;
}

TEST(TaskOrder, IsThatOfPaths) {
  SplitMix64 random(3);
  size_t ordered = 0, unordered = 0;
  for (int i = 0; i < 300; ++i) {
    const Mapped mapped = makeRandom(random);
    const Subject subject{mapped.machine, mapped.plan, mapped.mapping};
    const Resources resources(mapped.machine);
    Ways ways(subject, resources);
    const Program program = makeProgram(subject, resources, ways, 0);
    const auto before = findPaths(program);
    const RandomRun run(program, random);
    ASSERT_EQ(run.ended, program.size());
    for (uint32_t a = 0; a < program.size(); ++a)
      for (uint32_t b = 0; b < program.size(); ++b) {
        ASSERT_EQ(run.order.isBefore(a, b), before[a][b])
            << "mapping " << i << ", tasks " << a << " and " << b;
        ++(before[a][b] ? ordered : unordered);
      }
  }
  EXPECT_GT(ordered, 30'000u);
  EXPECT_GT(unordered, 30'000u);
}

} // namespace
