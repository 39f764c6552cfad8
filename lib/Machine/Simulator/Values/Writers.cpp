// Searches a mapping for the tasks that make a value; see Writers.h.

#include "gensyn/Machine/Writers.h"

#include "../Binding.h"
#include "../Check.h"

#include <functional>

namespace gensyn::machine {

namespace {

using Visit =
    std::function<void(size_t segment, const Binding &binding, uint32_t core,
                       uint32_t number, const mapping::Task &task)>;

/// Visits the tasks of all repetitions in their order.
void forEachTask(const plan::Plan &plan, const mapping::Mapping &mapping,
                 const Visit &visit) {
  for (int i = 0; i < mapping.segments_size(); ++i) {
    const mapping::Segment &segment = mapping.segments(i);
    for (uint32_t number = 0; number < countRepetitions(segment); ++number) {
      const Binding binding(plan, segment, number);
      for (const mapping::Core &core : segment.cores())
        for (int k = 0; k < core.tasks_size(); ++k)
          visit(static_cast<size_t>(i), binding, core.core(),
                static_cast<uint32_t>(k), core.tasks(k));
    }
  }
}

bool contains(Region region, uint64_t byte) {
  region.normalize();
  Region single;
  single.base = static_cast<int64_t>(byte);
  single.row = 1;
  return findCommonByte(region, single).has_value();
}

bool writes(const mapping::Mapping &mapping, const Binding &binding,
            const mapping::Task &task, uint32_t buffer, uint64_t byte) {
  auto isIn = [&](const mapping::Location &location) {
    return location.memory_case() == mapping::Location::kBuffer &&
           binding.bufferOf(location.buffer()) == buffer;
  };
  if (task.has_copy())
    return isIn(task.copy().to()) &&
           contains(makeRegion(task.copy(), false), byte);
  const mapping::Compute &compute = task.compute();
  const mapping::Body &body = mapping.bodies(static_cast<int>(compute.body()));
  for (int i = static_cast<int>(body.operands()); i < compute.arguments_size();
       ++i)
    if (isIn(compute.arguments(i)) &&
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
  uint32_t lastRepetition = 0, lastCore = 0, lastNumber = 0;
  forEachTask(plan, mapping,
              [&](size_t segment, const Binding &binding, uint32_t core,
                  uint32_t number, const mapping::Task &task) {
                if (!writes(mapping, binding, task, buffer, byte) ||
                    (last && segment == lastSegment &&
                     binding.repetition() == lastRepetition &&
                     task.launch() < last->launch()))
                  return;
                last = &task;
                lastSegment = segment;
                lastRepetition = binding.repetition();
                lastCore = core;
                lastNumber = number;
              });
  return last ? describeTask({machine, plan, mapping}, lastSegment, lastCore,
                             lastNumber, *last, lastRepetition)
              : std::string();
}

std::vector<std::string> findFaultCounters(const Description &machine,
                                           const plan::Plan &plan,
                                           const mapping::Mapping &mapping,
                                           uint32_t slot, uint64_t element) {
  std::vector<std::string> found;
  forEachTask(plan, mapping,
              [&](size_t segment, const Binding &binding, uint32_t core,
                  uint32_t number, const mapping::Task &task) {
                for (const mapping::Fault &fault : task.compute().faults())
                  if (binding.faultOf(fault.slot()) == slot &&
                      counts(fault, element))
                    found.push_back(describeTask({machine, plan, mapping},
                                                 segment, core, number, task,
                                                 binding.repetition()));
              });
  return found;
}

} // namespace gensyn::machine
