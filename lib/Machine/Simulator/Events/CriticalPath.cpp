// Splits the time of a task on the critical path; see CriticalPath.h.

#include "CriticalPath.h"

#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>

namespace gensyn::machine {

/// The part of a time that stands to the rest as `part` to `other`.
static int64_t shareOf(int64_t time, Wide part, Wide other) {
  constexpr Wide most = Wide(1) << 60;
  while (part > most || other > most) {
    part /= 2;
    other /= 2;
  }
  return static_cast<int64_t>(static_cast<Wide>(time) * part /
                              std::max<Wide>(part + other, 1));
}

/// The longest one of its packets' ways.
int64_t PathBuilder::latencyOf(const Task &task) const {
  const uint32_t packets = program.transfers[task.cost].packets;
  int64_t most = 0;
  for (uint32_t i = 0; i < std::min(task.ways.ways, packets); ++i)
    most = std::max(most, wayOf(program, task, i).latency);
  return most;
}

void PathBuilder::add(uint32_t number, const TaskRun &run, PathTime &path) {
  const Task &task = program.tasks[number];
  int64_t left = run.end - run.begin;
  auto take = [&](int64_t time, int64_t &sum) {
    time = std::clamp<int64_t>(time, 0, left);
    sum += time;
    left -= time;
  };
  if (task.isCopy) {
    const Transfer &transfer = program.transfers[task.cost];
    take(transfer.engineStart +
             int64_t(transfer.packets) * transfer.engine.time +
             transfer.engine.longer,
         path.engine);
    take(run.waits[1], path.memories);
    take(run.waits[0], path.links);
    take(run.late[0] || run.late[1] ? latencyOf(task) : left, path.latencies);
    // What remains are packets that were late although they were not the last.
    take(shareOf(left, run.late[1], run.late[0]), path.memories);
    path.links += left;
    return;
  }
  const uint32_t kind = subject.machine.cores[task.core].kind;
  const uint32_t place = task.message->compute().body();
  auto [found, isNew] = bodies.try_emplace({place, kind});
  if (isNew) {
    const mapping::Body &body = subject.mapping.bodies(static_cast<int>(place));
    Wide work = 0;
    for (const mapping::Work &item : body.work())
      work += static_cast<Wide>(estimateWork(subject.machine, kind, item));
    found->second = {limited(work), estimateBody(subject.machine, kind, body)};
  }
  const auto [work, all] = found->second;
  take(work, path.work);
  take(all - work, path.issue);
  path.inPlace += left;
}

} // namespace gensyn::machine
