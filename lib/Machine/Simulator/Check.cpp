// Checks a mapping's segments, counters and paths; see Check.h.

#include "Check.h"

#include "CheckTask.h"
#include "EventQueue.h"
#include "Layouts.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>
#include <vector>

namespace gensyn::machine {

int64_t usableBytes(const Description &machine, uint32_t core) {
  const MemoryKind &memory = machine.memoryOf(core);
  return std::max<int64_t>(memory.size.value - memory.reserved.value, 0);
}

std::string describeTask(const Subject &subject, size_t segment, uint32_t core,
                         uint32_t number, const mapping::Task &task) {
  std::string text = "segment " + std::to_string(segment) + ", core " +
                     std::to_string(core) + ", task " + std::to_string(number);
  if (task.launch() >= static_cast<uint32_t>(subject.plan.launches_size()))
    return text;
  const plan::Launch &launch =
      subject.plan.launches(static_cast<int>(task.launch()));
  text += " (";
  if (!launch.operation().empty())
    text += launch.operation() + ", ";
  return text + "kernel " + launch.kernel() + ")";
}

Region makeRegion(const mapping::Location &location, uint64_t bytes) {
  Region region;
  region.base = static_cast<int64_t>(location.offset());
  if (location.memory_case() == mapping::Location::kLocal)
    region.base += static_cast<int64_t>(location.local());
  region.row = static_cast<int64_t>(bytes);
  return region;
}

Region makeRegion(const mapping::Copy &copy, bool isFrom) {
  if (!isFrom)
    return makeDestinationRegion(copy, copy.to());
  Region region = makeRegion(copy.from(), copy.row_bytes());
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    region.add(dimension.from_stride(),
               static_cast<int64_t>(dimension.count()));
  return region;
}

Region makeDestinationRegion(const mapping::Copy &copy,
                             const mapping::Location &destination) {
  Region region = makeRegion(destination, copy.row_bytes());
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    region.add(dimension.to_stride(), static_cast<int64_t>(dimension.count()));
  return region;
}

std::span<const uint32_t> nodesOf(const Subject &subject, uint32_t core,
                                  const mapping::Location &location) {
  const Description &machine = subject.machine;
  if (location.memory_case() == mapping::Location::kCore)
    return {&machine.cores[location.core()].node, 1};
  if (location.memory_case() == mapping::Location::kLocal)
    return {&machine.cores[core].node, 1};
  return machine
      .memories[subject.mapping.memory_of_buffer(
          static_cast<int>(location.buffer()))]
      .nodes;
}

namespace {

[[noreturn]] void fail(const std::string &text) {
  failBadInput("mapping: " + text);
}

void checkPaths(const Subject &subject) {
  const size_t links = subject.machine.network.links.size();
  for (int i = 0; i < subject.mapping.paths_size(); ++i) {
    const auto &path = subject.mapping.paths(i).links();
    // A copy has a stage for each link, and one for each memory.
    if (static_cast<uint64_t>(path.size()) + 2 > Event::mostStages)
      fail("path " + std::to_string(i) + " has " + std::to_string(path.size()) +
           " links, expected at most " + std::to_string(Event::mostStages - 2));
    for (uint32_t link : path)
      if (link >= links)
        fail("path " + std::to_string(i) + " has link " + std::to_string(link) +
             ", expected one of " + std::to_string(links));
  }
}

void checkBodies(const mapping::Mapping &mapping) {
  for (int i = 0; i < mapping.bodies_size(); ++i) {
    const mapping::Body &body = mapping.bodies(i);
    if (body.accesses_size() != 0 &&
        body.accesses_size() != body.arguments_size())
      fail("body " + std::to_string(i) + " has accesses of " +
           std::to_string(body.accesses_size()) + " among " +
           std::to_string(body.arguments_size()) + " arguments");
    if (body.operands() > static_cast<uint32_t>(body.arguments_size()))
      fail("body " + std::to_string(i) + " has " +
           std::to_string(body.operands()) + " operands among " +
           std::to_string(body.arguments_size()) + " arguments");
    for (uint64_t bytes : body.arguments())
      if (bytes > uint64_t(mostCopyBytes))
        fail("body " + std::to_string(i) + " has an argument of " +
             std::to_string(bytes) + " bytes, expected at most 2^48");
  }
}

/// Checks what a task waits for and signals.
void checkOrder(const mapping::Segment &segment, uint32_t number,
                const mapping::Task &task, const std::string &name) {
  for (uint32_t before : task.after())
    if (before >= number)
      fail(name + ": it waits for task " + std::to_string(before) +
           ", expected an earlier one");
  auto checkCounter = [&](uint32_t counter) {
    if (counter >= segment.counters())
      fail(name + ": counter " + std::to_string(counter) +
           ", expected one of " + std::to_string(segment.counters()));
  };
  for (const mapping::Await &await : task.awaits())
    checkCounter(await.counter());
  for (uint32_t counter : task.signals())
    checkCounter(counter);
}

void checkLaunches(const mapping::Segment &segment, int number,
                   std::vector<bool> &isCovered) {
  const std::string name = "segment " + std::to_string(number);
  int64_t last = -1;
  for (uint32_t launch : segment.launches()) {
    if (launch >= isCovered.size())
      fail(name + " has launch " + std::to_string(launch) +
           ", expected one of " + std::to_string(isCovered.size()));
    if (isCovered[launch] || static_cast<int64_t>(launch) <= last)
      fail(name + " has launch " + std::to_string(launch) +
           (isCovered[launch] ? ", which another one has, too"
                              : " after " + std::to_string(last)));
    isCovered[launch] = true;
    last = launch;
  }
}

void checkSegment(const Subject &subject, size_t number, TaskCheck &tasks) {
  const mapping::Segment &segment =
      subject.mapping.segments(static_cast<int>(number));
  const std::string name = "segment " + std::to_string(number);
  const std::vector<Core> &cores = subject.machine.cores;
  // Numbers of tasks and counters have 32 bits, and each counter takes memory.
  constexpr uint32_t mostCounters = uint32_t(1) << 24;
  if (segment.counters() > mostCounters)
    fail(name + " has " + std::to_string(segment.counters()) +
         " counters, expected at most " + std::to_string(mostCounters));
  std::vector<bool> isUsed(cores.size());
  for (const mapping::Core &core : segment.cores()) {
    const uint32_t place = core.core();
    if (place >= cores.size())
      fail(name + ": core " + std::to_string(place) + ", expected one of " +
           std::to_string(cores.size()));
    if (cores[place].isDead || isUsed[place])
      fail(name + ": core " + std::to_string(place) +
           (cores[place].isDead ? " is dead" : " is listed twice"));
    isUsed[place] = true;
    for (int i = 0; i < core.tasks_size(); ++i) {
      const mapping::Task &task = core.tasks(i);
      const auto taskNumber = static_cast<uint32_t>(i);
      auto describe = [&] {
        return describeTask(subject, number, place, taskNumber, task);
      };
      if (!std::binary_search(segment.launches().begin(),
                              segment.launches().end(), task.launch()))
        fail(describe() + ": launch " + std::to_string(task.launch()) +
             " is not one of its segment");
      if (!task.after().empty() || !task.awaits().empty() ||
          !task.signals().empty())
        checkOrder(segment, taskNumber, task, describe());
      tasks.check(describe, place, task);
    }
  }
}

} // namespace

void checkMapping(const Subject &subject) {
  const auto &[machine, plan, mapping] = subject;
  if (mapping.version() != mappingVersion)
    fail("version " + std::to_string(mapping.version()) + ", expected " +
         std::to_string(mappingVersion));
  if (mapping.memory_of_buffer_size() != plan.buffers_size())
    fail(std::to_string(mapping.memory_of_buffer_size()) +
         " memories of buffers, the plan has " +
         std::to_string(plan.buffers_size()) + " buffers");
  checkPaths(subject);
  checkBodies(mapping);
  checkLayouts(subject);
  TaskCheck tasks(subject);
  std::vector<bool> isCovered(static_cast<size_t>(plan.launches_size()));
  for (int i = 0; i < mapping.segments_size(); ++i) {
    checkLaunches(mapping.segments(i), i, isCovered);
    checkSegment(subject, static_cast<size_t>(i), tasks);
  }
  const auto missing = std::find(isCovered.begin(), isCovered.end(), false);
  if (missing != isCovered.end())
    fail("launch " + std::to_string(missing - isCovered.begin()) +
         " is in no segment");
}

} // namespace gensyn::machine
