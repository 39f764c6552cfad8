// Searches a mapping for the tasks that make a value; see Writers.h.

#include "gensyn/Machine/Writers.h"

#include "Check.h"

#include <functional>

namespace gensyn::machine {

namespace {

using Visit = std::function<void(size_t segment, uint32_t core, uint32_t number,
                                 const mapping::Task &task)>;

void forEachTask(const mapping::Mapping &mapping, const Visit &visit) {
  for (int i = 0; i < mapping.segments_size(); ++i)
    for (const mapping::Core &core : mapping.segments(i).cores())
      for (int k = 0; k < core.tasks_size(); ++k)
        visit(static_cast<size_t>(i), core.core(), static_cast<uint32_t>(k),
              core.tasks(k));
}

bool isIn(const mapping::Location &location, uint32_t buffer) {
  return location.memory_case() == mapping::Location::kBuffer &&
         location.buffer() == buffer;
}

bool contains(Region region, uint64_t byte) {
  region.normalize();
  Region single;
  single.base = static_cast<int64_t>(byte);
  single.row = 1;
  return findCommonByte(region, single).has_value();
}

bool writes(const mapping::Mapping &mapping, const mapping::Task &task,
            uint32_t buffer, uint64_t byte) {
  if (task.has_copy())
    return isIn(task.copy().to(), buffer) &&
           contains(makeRegion(task.copy(), false), byte);
  const mapping::Compute &compute = task.compute();
  const mapping::Body &body = mapping.bodies(static_cast<int>(compute.body()));
  for (int i = static_cast<int>(body.operands()); i < compute.arguments_size();
       ++i)
    if (isIn(compute.arguments(i), buffer) &&
        contains(makeRegion(compute.arguments(i), body.arguments(i)), byte))
      return true;
  return false;
}

bool counts(const mapping::Fault &fault, uint64_t element) {
  for (int k = fault.ranges_size(); k--;) {
    const mapping::Fault::Range &range = fault.ranges(k);
    const auto extent = static_cast<uint64_t>(range.extent());
    const uint64_t index = extent ? element % extent : 0;
    const auto begin = static_cast<uint64_t>(range.begin());
    if (index < begin || index - begin >= static_cast<uint64_t>(range.size()))
      return false;
    element = extent ? element / extent : element;
  }
  return element == 0;
}

} // namespace

std::string findWriter(const Description &machine, const plan::Plan &plan,
                       const mapping::Mapping &mapping, uint32_t buffer,
                       uint64_t byte) {
  const mapping::Task *last = nullptr;
  size_t lastSegment = 0;
  uint32_t lastCore = 0, lastNumber = 0;
  forEachTask(mapping, [&](size_t segment, uint32_t core, uint32_t number,
                           const mapping::Task &task) {
    if (!writes(mapping, task, buffer, byte) ||
        (last && segment == lastSegment && task.launch() < last->launch()))
      return;
    last = &task;
    lastSegment = segment;
    lastCore = core;
    lastNumber = number;
  });
  return last ? describeTask({machine, plan, mapping}, lastSegment, lastCore,
                             lastNumber, *last)
              : std::string();
}

std::vector<std::string> findFaultCounters(const Description &machine,
                                           const plan::Plan &plan,
                                           const mapping::Mapping &mapping,
                                           uint32_t slot, uint64_t element) {
  std::vector<std::string> found;
  forEachTask(mapping, [&](size_t segment, uint32_t core, uint32_t number,
                           const mapping::Task &task) {
    for (const mapping::Fault &fault : task.compute().faults())
      if (fault.slot() == slot && counts(fault, element))
        found.push_back(describeTask({machine, plan, mapping}, segment, core,
                                     number, task));
  });
  return found;
}

} // namespace gensyn::machine
