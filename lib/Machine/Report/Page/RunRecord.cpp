// See RunRecord.h.

#include "RunRecord.h"

#include <algorithm>

namespace gensyn::machine::page {

RunRecord::RunRecord(Parts given, int64_t time)
    : parts(std::move(given)),
      step(std::max<int64_t>((time + intervals - 1) / intervals, 1)) {
  Track empty;
  empty.intervals.resize(intervals);
  kernels.assign(parts.kernels, empty);
  groups.assign(parts.groups, empty);
  cells.resize(parts.cells * parts.kernels);
  for (uint32_t core : parts.copying)
    tasks[core];
  for (uint32_t core : parts.chosen)
    tasks[core].isChosen = true;
}

void RunRecord::add(Track &track, const TraceEvent &event) const {
  track.begin = std::min(track.begin, event.begin);
  track.end = std::max(track.end, event.end);
  int64_t number = std::min(event.begin / step, intervals - 1);
  for (; number < intervals && number * step < event.end; ++number) {
    Busy &busy = track.intervals[static_cast<size_t>(number)];
    const int64_t first = std::max(event.begin, number * step);
    const int64_t last = std::min(event.end, (number + 1) * step);
    (event.isCopy ? busy.copy : busy.compute) +=
        std::max<int64_t>(last - first, 0);
  }
}

void RunRecord::add(const TraceEvent &event) {
  const uint32_t kernel = parts.kernelOfLaunch[event.launch];
  if (kernel >= parts.kernels)
    return;
  add(kernels[kernel], event);
  add(groups[parts.groupOfCore[event.core]], event);
  Busy &busy = cells[parts.cellOfCore[event.core] * parts.kernels + kernel];
  (event.isCopy ? busy.copy : busy.compute) += event.end - event.begin;
  if (const auto found = tasks.find(event.core);
      found != tasks.end() && (found->second.isChosen || event.isCopy))
    found->second.events.push_back(event);
}

} // namespace gensyn::machine::page
