// Time, energy and bytes of a run; see EstimateMapping.h.

#include "gensyn/Machine/EstimateMapping.h"

#include "../Accounts.h"
#include "../Binding.h"
#include "../Program.h"
#include "CopyShapes.h"
#include "TaskTimes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace gensyn::machine {

namespace {

/// Counts the runs of segments.
class RunCounter final : public StepMachine {
public:
  explicit RunCounter(const mapping::Mapping &mapping)
      : runs(static_cast<size_t>(mapping.segments_size())) {
    for (int i = 0; i < mapping.segments_size(); ++i)
      if (!mapping.segments(i).launches().empty())
        segments[mapping.segments(i).launches(0)] = static_cast<size_t>(i);
  }

  void launch(int number) override {
    const auto found = segments.find(static_cast<uint32_t>(number));
    if (found != segments.end())
      ++runs[found->second];
  }
  bool flag(uint32_t buffer) override { return true; }
  void copy(uint32_t from, uint32_t to) override {}
  void check(uint32_t ok, uint32_t fault) override {}
  void record(uint32_t fault) override {}
  void setIndex(uint32_t buffer, int64_t value) override {}
  void exchange(uint32_t first, uint32_t second) override {}
  void mergeFaults(int64_t iteration) override {}

  std::vector<uint64_t> runs;

private:
  std::map<uint32_t, size_t> segments;
};

class MappingEstimate {
public:
  explicit MappingEstimate(const Subject &subject)
      : subject(subject), resources(subject.machine),
        ways(this->subject, resources),
        accounts(subject.machine, resources,
                 static_cast<size_t>(subject.plan.launches_size())) {}

  /// All runs of a segment take the same time, and so do its repetitions.
  void add(size_t number, uint64_t runs) {
    int64_t time = 0;
    addSegment(number, [&](const mapping::Segment &segment,
                           const Program &program, const CopyShapes &shapes) {
      time = addTimes(segment, program, shapes, runs);
    });
    const mapping::Segment &segment =
        subject.mapping.segments(static_cast<int>(number));
    uint64_t repetitions = countRepetitions(segment);
    Wide all = 0;
    if (hasAhead(segment)) {
      --repetitions;
      all = Wide(timeOf(number, Phase::Ahead)) +
            Wide(timeOf(number, Phase::Last));
    }
    all += product(factor(time), repetitions);
    time = limited(product(all, runs));
    accounts.addStandby(time);
    Statistics &sums = accounts.statistics;
    sums.time = limited(Wide(sums.time) + Wide(time));
  }

  Statistics finish() { return accounts.finish(); }

private:
  /// What `count` adds counts for each repetition.
  template <class Count> void addSegment(size_t number, const Count &count) {
    const mapping::Segment &segment =
        subject.mapping.segments(static_cast<int>(number));
    std::optional<Accounts> before;
    if (segment.repetitions_size())
      before.emplace(accounts);
    const Program program = makeProgram(subject, resources, ways, number);
    const CopyShapes shapes(subject.machine, resources, program);
    count(segment, program, shapes);
    if (before)
      accounts.repeat(*before, segment, countRepetitions(segment) - 1);
  }

  /// Of the copies that are ahead before the first repetition, or of the last
  /// one.
  int64_t timeOf(size_t number, Phase phase) {
    const Program program =
        makeProgram(subject, resources, ways, number, phase);
    const CopyShapes shapes(subject.machine, resources, program);
    TaskTimes times(subject, resources, program, shapes);
    times.run();
    return times.time();
  }

  /// Returns the time of a repetition.
  int64_t addTimes(const mapping::Segment &segment, const Program &program,
                   const CopyShapes &shapes, uint64_t runs) {
    TaskTimes times(subject, resources, program, shapes);
    times.run();
    for (uint32_t task = 0; task < program.size(); ++task)
      addTask(program, shapes, task, times.durationOf(task), runs);
    for (const CopyShape &shape : shapes.all())
      addShares(shapes, shape, shape.tasks * runs);
    Statistics &sums = accounts.statistics;
    const auto &launches = segment.launches();
    for (int i = 0; i < launches.size(); ++i) {
      LaunchStatistics &launch = sums.launches[launches[i]];
      launch.runs += runs;
      launch.cores = program.coresOfLaunch[static_cast<size_t>(i)];
      launch.span += multiplied(times.spanOf(static_cast<size_t>(i)), runs);
    }
    for (const auto &[core, peak] : program.peaks)
      sums.cores[core].memoryPeak = std::max(sums.cores[core].memoryPeak, peak);
    return times.time();
  }

  static int64_t multiplied(int64_t time, uint64_t runs) {
    return limited(product(factor(time), runs));
  }

  void addTask(const Program &program, const CopyShapes &shapes,
               uint32_t number, int64_t duration, uint64_t runs) {
    const Task &task = program.tasks[number];
    const uint32_t launch = task.message->launch();
    LaunchStatistics &sums = accounts.statistics.launches[launch];
    int64_t &busy = task.isCopy ? sums.copy : sums.compute;
    busy = limited(Wide(busy) + Wide(multiplied(duration, runs)));
    if (const size_t signals = program.signalsOf(number).size())
      accounts.addSignals(launch, signals * runs);
    if (!task.isCopy)
      return accounts.add(program, launch, program.costs[task.cost], runs);
    accounts.add(program, launch,
                 program.costs[program.transfers[task.cost].cost], runs);
    accounts.addLinks(launch, product(shapes.of(number).linkEnergy, runs));
  }

  /// What copies of a shape are to links and ports.
  void addShares(const CopyShapes &shapes, const CopyShape &shape,
                 uint64_t count) {
    for (const Share &share : shapes.sharesOf(shape)) {
      ResourceState &resource = accounts.resources[share.resource];
      resource.bytes += share.bytes * count;
      resource.busy =
          limited(Wide(resource.busy) + product(factor(share.busy), count));
    }
  }

  Subject subject;
  Resources resources;
  Ways ways;
  Accounts accounts;
};

} // namespace

Statistics estimateMapping(const Description &machine, const plan::Plan &plan,
                           const mapping::Mapping &mapping) {
  const Subject subject{machine, plan, mapping};
  checkMapping(subject);
  RunCounter counter(mapping);
  runSteps(plan, counter);
  MappingEstimate estimate(subject);
  for (size_t segment = 0; segment < counter.runs.size(); ++segment)
    if (counter.runs[segment])
      estimate.add(segment, counter.runs[segment]);
  return estimate.finish();
}

} // namespace gensyn::machine
