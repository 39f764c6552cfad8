// Builds the tables of a segment; see Program.h.

#include "Program.h"

#include "Binding.h"
#include "Transfers.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace gensyn::machine {

namespace {

class ProgramBuilder {
public:
  ProgramBuilder(const Subject &subject, const Resources &resources, Ways &ways,
                 size_t number, Phase phase)
      : subject(subject),
        segment(subject.mapping.segments(static_cast<int>(number))),
        transfers(subject, resources, ways, program) {
    program.segment = number;
    program.phase = phase;
    program.ways = &ways;
    program.portLoad = resources.sourceLoad();
  }

  Program build() {
    std::vector<const mapping::Core *> cores;
    for (const mapping::Core &core : segment.cores())
      cores.push_back(&core);
    std::sort(cores.begin(), cores.end(),
              [](const mapping::Core *a, const mapping::Core *b) {
                return a->core() < b->core();
              });
    program.coresOfLaunch.resize(static_cast<size_t>(segment.launches_size()));
    lastCores.assign(program.coresOfLaunch.size(), noTask);
    ends.resize(subject.machine.cores.size());
    size_t count = 1;
    for (const mapping::Core *core : cores)
      count += static_cast<size_t>(core->tasks_size());
    program.tasks.reserve(count);
    for (const mapping::Core *core : cores)
      addCore(*core);
    for (uint32_t core = 0; core < ends.size(); ++core)
      if (ends[core])
        program.peaks[core] = ends[core] - 1;
    // The ends of the tables.
    Task last{};
    last.firstDependent = static_cast<uint32_t>(program.dependents.size());
    last.firstSignal = static_cast<uint32_t>(program.signals.size());
    program.tasks.push_back(last);
    sortWaiters();
    return std::move(program);
  }

private:
  void addCore(const mapping::Core &core);
  void addTask(const mapping::Core &core, uint32_t number);
  void addConditions(Task &task, uint32_t place);
  void addDependents(const mapping::Core &core, uint32_t first);
  void usePeak(uint32_t core, Region region);
  void sortWaiters();

  const Subject &subject;
  const mapping::Segment &segment;
  Program program;
  TransferBuilder transfers;
  /// For each launch, the last core that has a task of it.
  std::vector<uint32_t> lastCores;
  /// Of each core of the machine, one more than its peak; 0: it has none.
  std::vector<uint64_t> ends;
  /// The last tasks of the queues of the core.
  std::array<uint32_t, queuesOfCore> tails{};
};

void ProgramBuilder::usePeak(uint32_t core, Region region) {
  region.normalize();
  uint64_t &end = ends[core];
  end = std::max(end, static_cast<uint64_t>(region.end()) + 1);
}

void ProgramBuilder::addConditions(Task &task, uint32_t place) {
  task.conditions = static_cast<uint32_t>(task.message->after_size());
  for (const mapping::Await &await : task.message->awaits()) {
    if (!await.value())
      continue;
    ++task.conditions;
    program.waiters.push_back({await.counter(), await.value(), place});
  }
}

void ProgramBuilder::addTask(const mapping::Core &core, uint32_t number) {
  const mapping::Task &message = core.tasks(static_cast<int>(number));
  Task task{};
  task.message = &message;
  task.core = core.core();
  task.number = number;
  task.isCopy = message.has_copy();
  const uint32_t queue = task.isCopy ? 1 + message.copy().channel() : 0;
  task.queue =
      queuesOfCore * static_cast<uint32_t>(program.cores.size() - 1) + queue;
  task.next = noTask;
  task.firstSignal = static_cast<uint32_t>(program.signals.size());
  program.signals.insert(program.signals.end(), message.signals().begin(),
                         message.signals().end());
  task.isAhead = message.ahead();
  const auto place = static_cast<uint32_t>(program.tasks.size());
  if (program.phase != Phase::Ahead)
    addConditions(task, place);
  if (task.isCopy)
    transfers.setCopy(task, message.copy());
  else
    transfers.setCompute(task, message.compute());

  auto use = [&](const mapping::Location &location, const Region &region) {
    if (location.memory_case() == mapping::Location::kLocal)
      usePeak(core.core(), region);
    else if (location.memory_case() == mapping::Location::kCore)
      usePeak(location.core(), region);
  };
  if (task.isCopy) {
    use(message.copy().from(), makeRegion(message.copy(), true));
    forEachDestination(message.copy(), [&](const mapping::Location &to) {
      use(to, makeDestinationRegion(message.copy(), to));
    });
  } else {
    const mapping::Compute &compute = message.compute();
    const mapping::Body &body =
        subject.mapping.bodies(static_cast<int>(compute.body()));
    for (int i = 0; i < compute.arguments_size(); ++i)
      use(compute.arguments(i),
          makeRegion(compute.arguments(i), body.arguments(i)));
  }

  if (program.phase == Phase::All ||
      task.isAhead == (program.phase == Phase::Ahead)) {
    uint32_t &tail = tails[queue];
    if (tail == noTask)
      program.heads[task.queue] = place;
    else
      program.tasks[tail].next = place;
    tail = place;
    ++program.running;
  }
  const auto &launches = segment.launches();
  task.launch = static_cast<uint32_t>(
      std::lower_bound(launches.begin(), launches.end(), message.launch()) -
      launches.begin());
  if (lastCores[task.launch] != core.core())
    ++program.coresOfLaunch[task.launch];
  lastCores[task.launch] = core.core();
  program.tasks.push_back(task);
}

/// Inverts the lists of what tasks of a core wait for.
void ProgramBuilder::addDependents(const mapping::Core &core, uint32_t first) {
  std::vector<uint32_t> counts(static_cast<size_t>(core.tasks_size()) + 1);
  for (const mapping::Task &task : core.tasks())
    for (uint32_t before : task.after())
      ++counts[before];
  auto place = static_cast<uint32_t>(program.dependents.size());
  for (size_t i = 0; i < counts.size() - 1; ++i) {
    program.tasks[first + i].firstDependent = place;
    place += std::exchange(counts[i], place);
  }
  program.dependents.resize(place);
  for (int i = 0; i < core.tasks_size(); ++i)
    for (uint32_t before : core.tasks(i).after())
      program.dependents[counts[before]++] = first + static_cast<uint32_t>(i);
}

void ProgramBuilder::addCore(const mapping::Core &core) {
  const auto first = static_cast<uint32_t>(program.tasks.size());
  program.cores.push_back(core.core());
  program.heads.insert(program.heads.end(), queuesOfCore, noTask);
  tails.fill(noTask);
  for (const mapping::Resident &resident : core.residents())
    for (uint32_t i = 0; i < countRepetitions(segment); ++i)
      usePeak(core.core(), makeResidentRegion(resident, i));
  for (int i = 0; i < core.tasks_size(); ++i)
    addTask(core, static_cast<uint32_t>(i));
  addDependents(core, first);
}

void ProgramBuilder::sortWaiters() {
  std::vector<Waiter> &waiters = program.waiters;
  std::sort(waiters.begin(), waiters.end(),
            [](const Waiter &a, const Waiter &b) {
              return std::tie(a.counter, a.value, a.task) <
                     std::tie(b.counter, b.value, b.task);
            });
  program.firstWaiters.resize(size_t(segment.counters()) + 1);
  size_t place = 0;
  for (uint32_t counter = 0; counter <= segment.counters(); ++counter) {
    while (place < waiters.size() && waiters[place].counter < counter)
      ++place;
    program.firstWaiters[counter] = static_cast<uint32_t>(place);
  }
}

} // namespace

Program makeProgram(const Subject &subject, const Resources &resources,
                    Ways &ways, size_t segment, Phase phase) {
  return ProgramBuilder(subject, resources, ways, segment, phase).build();
}

} // namespace gensyn::machine
