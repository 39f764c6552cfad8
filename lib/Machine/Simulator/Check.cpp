// Checks a mapping's segments, counters and paths; see Check.h.

#include "Check.h"

#include "Binding.h"
#include "CheckTask.h"
#include "Events/EventQueue.h"
#include "Network/Layouts.h"
#include "Network/Routing.h"

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
                         uint32_t number, const mapping::Task &task,
                         uint32_t repetition) {
  std::string text = "segment " + std::to_string(segment);
  if (repetition)
    text += ", repetition " + std::to_string(repetition);
  text += ", core " + std::to_string(core) + ", task " + std::to_string(number);
  const Binding binding(subject.plan,
                        subject.mapping.segments(static_cast<int>(segment)),
                        repetition);
  const uint32_t place = binding.launchOf(task.launch());
  if (place >= static_cast<uint32_t>(subject.plan.launches_size()))
    return text;
  const plan::Launch &launch = subject.plan.launches(static_cast<int>(place));
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
template <class Name>
void checkOrder(const mapping::Segment &segment, uint32_t number,
                const mapping::Task &task, const Name &name) {
  for (uint32_t before : task.after())
    if (before >= number)
      fail(name() + ": it waits for task " + std::to_string(before) +
           ", expected an earlier one");
  auto checkCounter = [&](uint32_t counter) {
    if (counter >= segment.counters())
      fail(name() + ": counter " + std::to_string(counter) +
           ", expected one of " + std::to_string(segment.counters()));
  };
  for (const mapping::Await &await : task.awaits())
    checkCounter(await.counter());
  for (uint32_t counter : task.signals())
    checkCounter(counter);
}

/// Checks what a mapping promises of a copy that is ahead.
template <class Name>
void checkAhead(const mapping::Segment &segment, const mapping::Task &task,
                const Name &name) {
  auto expect = [&](bool is, const char *what) {
    if (!is)
      fail(name() + ": it is ahead, and " + what);
  };
  expect(!segment.repetitions().empty(), "its segment has no repetitions");
  expect(task.has_copy() && task.copy().others().empty() &&
             task.copy().to().memory_case() == mapping::Location::kLocal &&
             task.copy().from().memory_case() == mapping::Location::kBuffer,
         "is no copy from a buffer to the core's memory alone");
  expect(task.signals().empty() && task.awaits().empty(), "has counters");
}

/// No task waits for those that are ahead, in its queue or after them.
template <class Name>
void checkAfterAhead(const mapping::Core &core, const mapping::Task &task,
                     std::vector<bool> &hasAhead, const Name &name) {
  for (uint32_t before : task.after())
    if (core.tasks(static_cast<int>(before)).ahead())
      fail(name() + ": it waits for task " + std::to_string(before) +
           ", which is ahead");
  const size_t queue = task.has_copy() ? 1 + task.copy().channel() : 0;
  if (hasAhead.size() <= queue)
    hasAhead.resize(queue + 1);
  if (hasAhead[queue] && !task.ahead())
    fail(name() + ": it follows a copy that is ahead in its queue");
  hasAhead[queue] = hasAhead[queue] || task.ahead();
}

/// Of a segment, or of a repetition of it.
template <class Launches>
void checkLaunches(const Launches &launches, const std::string &name,
                   std::vector<bool> &isCovered) {
  int64_t last = -1;
  for (uint32_t launch : launches) {
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

/// Checks what a repetition puts in the place of a segment's launches and
/// buffers. Its tasks are then right, as those of the segment are: buffers have
/// the same sizes and lie in the same memories.
void checkRepetition(const Subject &subject, const mapping::Segment &segment,
                     const mapping::Repetition &repetition,
                     const std::string &name,
                     const std::vector<bool> &isWritten,
                     std::vector<bool> &isCovered) {
  const plan::Plan &plan = subject.plan;
  auto expect = [&](int found, int expected, const char *what) {
    if (found != expected)
      fail(name + " has " + std::to_string(found) + " " + what +
           ", its segment has " + std::to_string(expected));
  };
  expect(repetition.launches_size(), segment.launches_size(), "launches");
  expect(repetition.buffers_size(), segment.buffers_size(), "buffers");
  checkLaunches(repetition.launches(), name, isCovered);
  for (int i = 0; i < segment.buffers_size(); ++i) {
    const uint32_t first = segment.buffers(i), other = repetition.buffers(i);
    if (other >= static_cast<uint32_t>(plan.buffers_size()))
      fail(name + " has buffer " + std::to_string(other) +
           ", expected one of " + std::to_string(plan.buffers_size()));
    const auto partner = static_cast<int>(other), own = static_cast<int>(first);
    const plan::Buffer &from = plan.buffers(own), &to = plan.buffers(partner);
    const std::string pair = name + ": buffer " + std::to_string(other) +
                             " in place of buffer " + std::to_string(first) +
                             " ";
    using Place = plan::Buffer::PlaceCase;
    const Place place = to.place_case();
    if ((place == Place::kFault) != (from.place_case() == Place::kFault))
      fail(pair + (place == Place::kFault ? "is" : "is not") + " a fault word");
    if (to.bytes() != from.bytes())
      fail(pair + "has " + std::to_string(to.bytes()) + " bytes, expected " +
           std::to_string(from.bytes()));
    if (subject.mapping.memory_of_buffer(partner) !=
        subject.mapping.memory_of_buffer(own))
      fail(pair + "is in memory " +
           std::to_string(subject.mapping.memory_of_buffer(partner)) +
           ", expected " +
           std::to_string(subject.mapping.memory_of_buffer(own)));
    if (layoutOf(subject.mapping, other) != layoutOf(subject.mapping, first))
      fail(pair + "has another layout");
    if (isWritten[first] &&
        (place == Place::kInput || place == Place::kConstant))
      fail(pair + "is only read, and tasks write it");
  }
}

/// Marks the buffers that a task writes.
void markWritten(const mapping::Mapping &mapping, const mapping::Task &task,
                 std::vector<bool> &isWritten) {
  auto mark = [&](const mapping::Location &location) {
    if (location.memory_case() == mapping::Location::kBuffer)
      isWritten[location.buffer()] = true;
  };
  if (task.has_copy())
    return mark(task.copy().to());
  const mapping::Compute &compute = task.compute();
  const auto operands =
      mapping.bodies(static_cast<int>(compute.body())).operands();
  for (int i = static_cast<int>(operands); i < compute.arguments_size(); ++i)
    mark(compute.arguments(i));
}

void checkRepetitions(const Subject &subject, size_t number,
                      std::vector<bool> &isCovered) {
  const mapping::Segment &segment =
      subject.mapping.segments(static_cast<int>(number));
  const std::string name = "segment " + std::to_string(number);
  const auto &buffers = segment.buffers();
  for (int i = 0; i < buffers.size(); ++i) {
    if (buffers[i] >= static_cast<uint32_t>(subject.plan.buffers_size()))
      fail(name + " has buffer " + std::to_string(buffers[i]) +
           ", expected one of " + std::to_string(subject.plan.buffers_size()));
    if (i && buffers[i] <= buffers[i - 1])
      fail(name + " has buffer " + std::to_string(buffers[i]) + " after " +
           std::to_string(buffers[i - 1]));
  }
  if (segment.repetitions().empty())
    return;
  std::vector<bool> isWritten(static_cast<size_t>(subject.plan.buffers_size()));
  for (const mapping::Core &core : segment.cores())
    for (const mapping::Task &task : core.tasks())
      markWritten(subject.mapping, task, isWritten);
  for (int i = 0; i < segment.repetitions_size(); ++i)
    checkRepetition(subject, segment, segment.repetitions(i),
                    name + ", repetition " + std::to_string(i + 1), isWritten,
                    isCovered);
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
  tasks.setRepetitions(countRepetitions(segment));
  for (const mapping::Core &core : segment.cores()) {
    const uint32_t place = core.core();
    if (place >= cores.size())
      fail(name + ": core " + std::to_string(place) + ", expected one of " +
           std::to_string(cores.size()));
    if (cores[place].isDead || isUsed[place])
      fail(name + ": core " + std::to_string(place) +
           (cores[place].isDead ? " is dead" : " is listed twice"));
    isUsed[place] = true;
    for (int i = 0; i < core.residents_size(); ++i) {
      const mapping::Resident &resident = core.residents(i);
      auto describe = [&] {
        return describeResident(subject, number, place, i);
      };
      if (!std::binary_search(segment.launches().begin(),
                              segment.launches().end(), resident.launch()))
        fail(describe() + ": launch " + std::to_string(resident.launch()) +
             " is not one of its segment");
      tasks.check(describe, place, resident);
    }
    std::vector<bool> hasAhead; // for each queue
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
      checkOrder(segment, taskNumber, task, describe);
      tasks.check(describe, place, task);
      if (task.ahead())
        checkAhead(segment, task, describe);
      checkAfterAhead(core, task, hasAhead, describe);
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
    checkLaunches(mapping.segments(i).launches(),
                  "segment " + std::to_string(i), isCovered);
    checkSegment(subject, static_cast<size_t>(i), tasks);
    checkRepetitions(subject, static_cast<size_t>(i), isCovered);
  }
  checkResidents(subject);
  checkRouting(subject);
  const auto missing = std::find(isCovered.begin(), isCovered.end(), false);
  if (missing != isCovered.end())
    fail("launch " + std::to_string(missing - isCovered.begin()) +
         " is in no segment");
}

} // namespace gensyn::machine
