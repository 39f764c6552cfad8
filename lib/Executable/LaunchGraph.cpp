// See LaunchGraph.h.

#include "gensyn/Executable/StepAccess.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <map>

namespace gensyn {

namespace {

/// Who accessed the bytes of one memory last.
class MemoryHistory {
public:
  /// Adds to `waits` the steps whose accesses an access of `step` must follow,
  /// and takes note of it.
  void access(uint32_t step, uint64_t begin, uint64_t end, bool isWrite,
              std::vector<uint32_t> &waits) {
    split(begin);
    split(end);
    auto at = segments.lower_bound(begin);
    for (uint64_t next = begin; next < end;) {
      if (at == segments.end() || at->first > next) {
        const uint64_t stop =
            at == segments.end() ? end : std::min(end, at->first);
        at = segments.emplace_hint(at, next, Segment{stop, none, {}});
      }
      Segment &segment = at->second;
      // The readers of a value have waited for its writer.
      if (isWrite && !segment.readers.empty())
        waits.insert(waits.end(), segment.readers.begin(),
                     segment.readers.end());
      else if (segment.writer != none)
        waits.push_back(segment.writer);
      next = segment.end;
      if (isWrite) {
        at = segments.erase(at);
      } else {
        if (segment.readers.empty() || segment.readers.back() != step)
          segment.readers.push_back(step);
        ++at;
      }
    }
    if (isWrite)
      segments[begin] = {end, step, {}};
  }

private:
  static constexpr uint32_t none = ~uint32_t(0);
  struct Segment {
    uint64_t end;
    uint32_t writer;
    std::vector<uint32_t> readers; ///< since it was written, ascending
  };

  void split(uint64_t place) {
    auto after = segments.upper_bound(place);
    if (after == segments.begin())
      return;
    auto at = std::prev(after);
    if (at->first == place || at->second.end <= place)
      return;
    Segment upper = at->second;
    at->second.end = place;
    segments.emplace_hint(after, place, std::move(upper));
  }

  std::map<uint64_t, Segment> segments;
};

} // namespace

/// Lists the steps, with no order.
static LaunchGraph listSteps(const plan::Plan &plan) {
  LaunchGraph graph;
  if (plan.steps().empty())
    for (int i = 0; i < plan.launches_size(); ++i)
      if (!plan.launches(i).prepares())
        graph.launches.push_back(i);
  for (const plan::Step &step : plan.steps())
    graph.launches.push_back(step.has_launch() ? int(step.launch()) : -1);
  graph.predecessors.resize(graph.launches.size());
  return graph;
}

LaunchGraph makeChain(const plan::Plan &plan) {
  LaunchGraph graph = listSteps(plan);
  for (uint32_t step = 1; step < graph.size(); ++step)
    graph.predecessors[step] = {step - 1};
  return graph;
}

LaunchGraph findLaunchGraph(const plan::Plan &plan, Reuse reuse) {
  const auto accesses = findAccesses(plan, reuse);
  if (!accesses)
    return makeChain(plan);
  LaunchGraph graph = listSteps(plan);
  Ancestors ancestors(graph.size());
  std::map<int64_t, MemoryHistory> memories;
  std::vector<uint32_t> waits;
  for (uint32_t step = 0; step < graph.size(); ++step) {
    waits.clear();
    // What it writes is not what it reads.
    for (bool isWrite : {false, true})
      for (const MemoryAccess &access : (*accesses)[step])
        if (access.isWrite == isWrite)
          memories[access.span.memory].access(step, access.span.begin,
                                              access.span.end, isWrite, waits);
    std::sort(waits.begin(), waits.end(), std::greater<>());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    std::vector<uint32_t> &predecessors = graph.predecessors[step];
    for (uint32_t before : waits) {
      if (before == step || ancestors.has(step, before))
        continue;
      ancestors.add(step, before);
      predecessors.push_back(before);
    }
    std::reverse(predecessors.begin(), predecessors.end());
  }
  return graph;
}

std::vector<uint32_t> findDepths(const LaunchGraph &graph) {
  std::vector<uint32_t> depths;
  for (const std::vector<uint32_t> &predecessors : graph.predecessors) {
    uint32_t most = 0;
    for (uint32_t before : predecessors)
      most = std::max(most, depths[before]);
    depths.push_back(most + 1);
  }
  return depths;
}

} // namespace gensyn
