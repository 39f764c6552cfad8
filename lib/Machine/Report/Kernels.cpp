// Sums up the statistics of a simulation; see Report.h.

#include "gensyn/Machine/Report.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <map>
#include <set>

namespace gensyn::machine {

std::span<const PathPart> pathParts() {
  static constexpr PathPart parts[] = {
      {&PathTime::work, "compute", "compute", "its cores compute"},
      {&PathTime::issue, "issue", "issue", "its cores start tasks"},
      {&PathTime::inPlace, "in place", "in_place",
       "its cores access operands in a shared memory one by one"},
      {&PathTime::engine, "copy engine", "copy_engine",
       "copy engines of its cores move data"},
      {&PathTime::memories, "shared memory", "shared_memory",
       "its copies wait for ports of a shared memory"},
      {&PathTime::links, "links", "links", "its copies wait for links"},
      {&PathTime::latencies, "latency", "latency",
       "its copies wait for latencies of memories and links"},
      {&PathTime::signals, "signals", "signals",
       "its cores wait for signals to arrive"},
  };
  return parts;
}

const PathPart &boundOf(const PathTime &path) {
  const std::span<const PathPart> parts = pathParts();
  return *std::max_element(parts.begin(), parts.end(),
                           [&](const PathPart &a, const PathPart &b) {
                             return path.*a.time < path.*b.time;
                           });
}

static void add(PathTime &sum, const PathTime &path) {
  for (const PathPart &part : pathParts())
    sum.*part.time += path.*part.time;
}

static void add(LaunchStatistics &sum, const LaunchStatistics &launch) {
  sum.runs += launch.runs;
  sum.span += launch.span;
  sum.compute += launch.compute;
  sum.copy += launch.copy;
  sum.linkWait += launch.linkWait;
  sum.memoryWait += launch.memoryWait;
  sum.bytesRead += launch.bytesRead;
  sum.bytesWritten += launch.bytesWritten;
  sum.energy += launch.energy;
  sum.cores = std::max(sum.cores, launch.cores);
  add(sum.path, launch.path);
}

/// The bodies of each launch, which are equal for equal kernels.
static std::vector<std::set<uint32_t>>
bodiesOfLaunches(const MappedProgram &program) {
  std::vector<std::set<uint32_t>> bodies(
      static_cast<size_t>(program.getPlan().launches_size()));
  for (const mapping::Segment &segment : program.getMapping().segments()) {
    for (const mapping::Core &core : segment.cores())
      for (const mapping::Task &task : core.tasks())
        if (task.has_compute())
          bodies[task.launch()].insert(task.compute().body());
    for (const mapping::Repetition &repetition : segment.repetitions())
      for (int i = 0; i < segment.launches_size(); ++i)
        bodies[repetition.launches(i)] = bodies[segment.launches(i)];
  }
  return bodies;
}

static std::vector<KernelReport> groupKernels(const MappedProgram &program,
                                              const Statistics &statistics) {
  std::vector<KernelReport> kernels;
  std::map<std::set<uint32_t>, size_t> known;
  const std::vector<std::set<uint32_t>> bodies = bodiesOfLaunches(program);
  for (uint32_t launch = 0; launch < bodies.size(); ++launch) {
    const LaunchStatistics &sums = statistics.launches[launch];
    if (!sums.runs)
      continue;
    auto [found, isNew] = known.try_emplace(bodies[launch], kernels.size());
    if (isNew) {
      const plan::Launch &first =
          program.getPlan().launches(static_cast<int>(launch));
      kernels.push_back({first.kernel(), first.operation(), {}, {}});
    }
    KernelReport &kernel = kernels[found->second];
    kernel.launches.push_back(launch);
    add(kernel.sums, sums);
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelReport &a, const KernelReport &b) {
                     return a.sums.path.total() > b.sums.path.total();
                   });
  return kernels;
}

RunReport makeReport(const MappedProgram &program,
                     const Statistics &statistics) {
  const Description &machine = program.getMachine();
  RunReport report;
  report.time = statistics.time;
  report.kernels = groupKernels(program, statistics);
  for (const KernelReport &kernel : report.kernels)
    add(report.path, kernel.sums.path);
  for (uint32_t core = 0; core < machine.cores.size(); ++core) {
    report.cores += !machine.cores[core].isDead;
    const QueueTime &compute = statistics.cores[core].compute;
    report.computing += static_cast<Wide>(compute.busy);
    report.waiting += static_cast<Wide>(compute.waiting);
    report.waitingForOthers += static_cast<Wide>(compute.waitingForOthers);
  }
  report.energy = statistics.energy;
  report.totalEnergy = energyOf(program, statistics);
  for (uint32_t memory : machine.sharedMemories())
    report.memories.push_back({machine.memories[memory].name,
                               statistics.memoryBytes[memory],
                               statistics.memoryBusy[memory]});
  for (size_t i = 0; i < machine.network.links.size(); ++i)
    if (const Link &link = machine.network.links[i];
        statistics.linkBusy[i] > report.busiestLink.busy)
      report.busiestLink = {"link from node " + std::to_string(link.from) +
                                " to node " + std::to_string(link.to),
                            statistics.linkBytes[i], statistics.linkBusy[i]};
  return report;
}

} // namespace gensyn::machine
