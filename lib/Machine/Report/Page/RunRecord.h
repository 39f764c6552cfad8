// What happened in a run, in as many intervals as a picture has room for.

#ifndef GENSYN_LIB_MACHINE_REPORT_PAGE_RUNRECORD_H
#define GENSYN_LIB_MACHINE_REPORT_PAGE_RUNRECORD_H

#include "gensyn/Machine/Report.h"

#include <cstdint>
#include <map>
#include <vector>

namespace gensyn::machine::page {

/// Picoseconds that cores compute and copy; of several cores the sums.
struct Busy {
  int64_t compute = 0, copy = 0;
};

/// Busy times over the time of a run.
struct Track {
  std::vector<Busy> intervals;
  int64_t begin = INT64_MAX, end = 0; ///< of the first and last task
};

/// Collects the tasks of a simulation. Cores are taken together to groups, for
/// timelines, and to cells, for the floor plan.
class RunRecord {
public:
  static constexpr int64_t intervals = 240;

  struct Parts {
    size_t kernels = 0, groups = 0, cells = 0;
    /// The kernel of each launch; the group and the cell of each core.
    std::vector<uint32_t> kernelOfLaunch, groupOfCore, cellOfCore;
    /// Cores of which every task is kept.
    std::vector<uint32_t> chosen;
    /// Cores of which every copy is kept.
    std::vector<uint32_t> copying;
  };

  RunRecord(Parts parts, int64_t time);

  void add(const TraceEvent &event);

  /// Picoseconds of an interval.
  int64_t width() const { return step; }
  const Track &kernel(size_t index) const { return kernels[index]; }
  const Track &group(size_t index) const { return groups[index]; }
  const Busy &inCell(size_t cell, size_t kernel) const {
    return cells[cell * parts.kernels + kernel];
  }
  /// In the order of their ends; of a core that is not chosen its copies.
  const std::vector<TraceEvent> &tasksOf(uint32_t core) const {
    return tasks.at(core).events;
  }
  const Parts &getParts() const { return parts; }

private:
  void add(Track &track, const TraceEvent &event) const;

  Parts parts;
  int64_t step;
  std::vector<Track> kernels, groups;
  std::vector<Busy> cells;
  struct Tasks {
    bool isChosen = false;
    std::vector<TraceEvent> events;
  };
  std::map<uint32_t, Tasks> tasks;
};

} // namespace gensyn::machine::page

#endif
