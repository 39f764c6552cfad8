// Splits the time of a task on the critical path; see CriticalPath.h.

#include "CriticalPath.h"

#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>

namespace gensyn::machine {

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
    path.latencies += left;
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
