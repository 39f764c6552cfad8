// Which tasks a segment's time consists of.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_EVENTS_CRITICALPATH_H
#define GENSYN_LIB_MACHINE_SIMULATOR_EVENTS_CRITICALPATH_H

#include "../Program.h"

#include "gensyn/Machine/Simulator.h"
#include "gensyn/Machine/Times.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace gensyn::machine {

/// A task as it ran.
struct TaskRun {
  int64_t begin, end;
  /// Times in which a copy waited for links, and for ports.
  std::array<int64_t, 2> waits;
  /// The same of packets on their way that others overtook, summed over them.
  std::array<Wide, 2> late;
};

/// Splits the times of tasks on the path.
class PathBuilder {
public:
  PathBuilder(const Subject &subject, const Program &program)
      : subject(subject), program(program) {}

  /// Adds a task's times to those of its launch.
  void add(uint32_t task, const TaskRun &run, PathTime &path);

private:
  int64_t latencyOf(const Task &task) const;

  const Subject &subject;
  const Program &program;
  /// Of bodies on kinds of cores: the times of the work, and of all but
  /// accesses in place.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<int64_t, int64_t>> bodies;
};

} // namespace gensyn::machine

#endif
