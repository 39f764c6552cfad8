// Simulates the values of a segment; see CoreMemories.h.

#include "CoreMemories.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace gensyn::machine {

/// Copies the rows of the dimensions from `first` on.
static void copyRows(const mapping::Copy &copy, int first, uint8_t *to,
                     const uint8_t *from) {
  if (first == copy.dimensions_size()) {
    std::memcpy(to, from, copy.row_bytes());
    return;
  }
  const mapping::Copy::Dimension &dimension = copy.dimensions(first);
  for (int64_t i = 0; i < static_cast<int64_t>(dimension.count()); ++i)
    copyRows(copy, first + 1, to + i * dimension.to_stride(),
             from + i * dimension.from_stride());
}

void CoreMemories::reset(const Program &segment, const Bindings &bound,
                         const Values &given, bool hasAhead) {
  program = &segment;
  bindings = &bound;
  values = &given;
  if (values->places.size() != static_cast<size_t>(subject.plan.buffers_size()))
    throw Failure(ExitCode::Bug,
                  "a simulation with values of " +
                      std::to_string(values->places.size()) + " buffers of " +
                      std::to_string(subject.plan.buffers_size()));
  if (hasAhead)
    keepAhead();
  else
    for (const auto &[core, used] : program->peaks)
      memories[core].reset(factor(subject.machine.memoryOf(core).size.value),
                           used);
  if (values->observer)
    values->observer->beginSegment(
        subject.mapping, program->segment,
        program->phase == Phase::Ahead
            ? std::nullopt
            : std::optional(bindings->own.repetition()));
  loadResidents();
  history.reset(memories.size(), values->places.size());
  order.reset(*program);
}

void CoreMemories::keepAhead() {
  std::map<uint32_t, std::vector<std::pair<int64_t, int64_t>>> kept;
  for (const auto &[core, used] : program->peaks)
    kept[core];
  for (size_t i = 0; i < program->size(); ++i) {
    const Task &task = program->tasks[i];
    if (!task.isAhead)
      continue;
    const Region region = makeRegion(task.message->copy(), false);
    forEachRow(region, region.base, 0, [&](int64_t begin) {
      kept[task.core].emplace_back(begin, begin + region.row);
      return true;
    });
  }
  for (auto &[core, rows] : kept) {
    std::sort(rows.begin(), rows.end());
    memories[core].keep(rows);
  }
}

void CoreMemories::loadResidents() {
  const Binding &binding = bindings->own;
  for (const mapping::Core &core :
       subject.mapping.segments(static_cast<int>(program->segment)).cores())
    for (const mapping::Resident &resident : core.residents()) {
      const mapping::Copy &copy = resident.copy();
      const mapping::Location &from = copy.from(), &to = copy.to();
      WrittenBytes &memory = memories[core.core()];
      const uint8_t *bytes =
          values->places[binding.bufferOf(from.buffer())].begin + from.offset();
      copyRows(copy, 0,
               memory.data() + to.local() + to.offset() +
                   to.step() * binding.repetition(),
               bytes);
      if (values->observer)
        values->observer->load(core.core(), resident, bytes);
      const Region region = makeResidentRegion(resident, binding.repetition());
      forEachRow(region, region.base, 0, [&](int64_t begin) {
        memory.write(begin, region.row);
        return true;
      });
    }
}

void CoreMemories::fail(uint32_t number, const std::string &text) const {
  const Task &task = program->tasks[number];
  throw Failure(ExitCode::Bug,
                describeTask(subject, program->segment, task.core, task.number,
                             *task.message, bindingOf(number).repetition()) +
                    ": " + text);
}

uint32_t CoreMemories::memoryOf(uint32_t core,
                                const mapping::Location &location) const {
  switch (location.memory_case()) {
  case mapping::Location::kLocal:
    return core;
  case mapping::Location::kCore:
    return location.core();
  default:
    return Access::host;
  }
}

void CoreMemories::addAccess(uint32_t task, const mapping::Location &location,
                             Region region, bool isWrite, int argument) {
  if (!region.row)
    return;
  const uint32_t memory = memoryOf(program->tasks[task].core, location);
  uint32_t buffer = 0;
  if (memory == Access::host) {
    buffer = bindingOf(task).bufferOf(location.buffer());
    const Place &place = values->places[buffer];
    if (isWrite && !place.writable)
      fail(task, "it writes buffer " + std::to_string(buffer) +
                     ", which is only read");
    region.base +=
        static_cast<int64_t>(reinterpret_cast<uintptr_t>(place.begin));
  }
  region.normalize();
  accesses.push_back({region, region.begin(), region.end(), task, argument,
                      isWrite, memory, buffer});
}

void CoreMemories::findAccesses(uint32_t number) {
  const mapping::Task &task = *program->tasks[number].message;
  accesses.clear();
  if (task.has_copy()) {
    addAccess(number, task.copy().from(), makeRegion(task.copy(), true), false,
              -1);
    forEachDestination(task.copy(), [&](const mapping::Location &to) {
      addAccess(number, to, makeDestinationRegion(task.copy(), to), true, -1);
    });
    return;
  }
  const mapping::Compute &compute = task.compute();
  const mapping::Body &body =
      subject.mapping.bodies(static_cast<int>(compute.body()));
  for (int i = 0; i < compute.arguments_size(); ++i) {
    const mapping::Location &location = compute.arguments(i);
    Region region = makeRegion(location, body.arguments(i));
    region.base +=
        static_cast<int64_t>(location.step() * bindingOf(number).repetition());
    addAccess(number, location, region,
              static_cast<uint32_t>(i) >= body.operands(), i);
  }
}

std::string CoreMemories::describeByte(const Access &access,
                                       int64_t address) const {
  std::string text;
  if (access.memory == Access::host) {
    const auto begin = static_cast<int64_t>(
        reinterpret_cast<uintptr_t>(values->places[access.buffer].begin));
    text = "byte " + std::to_string(address - begin) + " of buffer " +
           std::to_string(access.buffer);
  } else {
    text = "byte " + std::to_string(address) + " of core " +
           std::to_string(access.memory) + "'s memory";
  }
  if (access.argument < 0)
    return text;
  return text + " (byte " + std::to_string(address - access.begin) +
         " of argument " + std::to_string(access.argument) + ")";
}

void CoreMemories::checkWritten(const Access &access) {
  if (access.memory == Access::host || access.isWrite)
    return;
  const WrittenBytes &memory = memories[access.memory];
  forEachRow(access.region, access.region.base, 0, [&](int64_t begin) {
    if (const auto byte = memory.findUnwritten(begin, access.region.row))
      fail(access.task,
           "it reads " + describeByte(access, *byte) + ", which no task wrote");
    return true;
  });
}

void CoreMemories::checkOrder(const Access &access) {
  const auto conflict = history.findConflict(access, order);
  if (!conflict)
    return;
  const Access &other = *conflict->other;
  const Task &task = program->tasks[other.task];
  const std::string name = "core " + std::to_string(task.core) + ", task " +
                           std::to_string(task.number);
  fail(access.task,
       std::string("it ") + (access.isWrite ? "writes " : "reads ") +
           describeByte(access, conflict->byte) +
           (order.isInFlight(other.task)
                ? " while " + name + (other.isWrite ? " writes" : " reads") +
                      " it"
                : " without waiting for " + name + ", which " +
                      (other.isWrite ? "writes" : "reads") + " it"));
}

void CoreMemories::checkWithin(const Access &access, const Access &other) {
  // A body may write a result over an operand, in place.
  if (access.memory != other.memory ||
      (access.argument >= 0 && !other.isWrite && access.begin == other.begin &&
       access.end == other.end))
    return;
  if (const auto byte = AccessHistory::findByte(access, other))
    fail(access.task, std::string("it ") +
                          (access.isWrite ? "writes " : "reads ") +
                          describeByte(access, *byte) + ", which it also " +
                          (other.isWrite ? "writes" : "reads"));
}

TaskValues CoreMemories::valuesOf(uint32_t number) const {
  const Task &task = program->tasks[number];
  TaskValues values{task.core, task.number, *task.message};
  if (!task.isCopy)
    values.body = &subject.mapping.bodies(
        static_cast<int>(task.message->compute().body()));
  return values;
}

void CoreMemories::begin(uint32_t number) {
  order.start(number);
  findAccesses(number);
  for (size_t i = 0; i < accesses.size(); ++i) {
    checkWritten(accesses[i]);
    checkOrder(accesses[i]);
    for (size_t k = 0; k < i; ++k)
      checkWithin(accesses[i], accesses[k]);
  }
  for (const Access &access : accesses)
    history.add(access, order);
  if (values->observer)
    values->observer->start(valuesOf(number));
}

uint8_t *CoreMemories::pointerTo(uint32_t task,
                                 const mapping::Location &location) {
  const uint32_t memory = memoryOf(program->tasks[task].core, location);
  if (memory == Access::host)
    return values->places[bindingOf(task).bufferOf(location.buffer())].begin +
           location.offset();
  const uint64_t local = location.memory_case() == mapping::Location::kLocal
                             ? location.local()
                             : 0;
  return memories[memory].data() + local + location.offset() +
         location.step() * bindingOf(task).repetition();
}

void CoreMemories::end(uint32_t number) {
  const Task &task = program->tasks[number];
  arguments.clear();
  faultWords.clear();
  if (task.isCopy) {
    const mapping::Copy &copy = task.message->copy();
    arguments.push_back(pointerTo(number, copy.from()));
    forEachDestination(copy, [&](const mapping::Location &to) {
      arguments.push_back(pointerTo(number, to));
    });
  } else {
    for (const mapping::Location &location :
         task.message->compute().arguments())
      arguments.push_back(pointerTo(number, location));
  }
  TaskValues moved = valuesOf(number);
  moved.pointers = arguments;
  if (values->observer)
    values->observer->move(moved);
  if (!task.isCopy)
    compute(number);
  else
    for (size_t to = 1; to < arguments.size(); ++to)
      copyRows(task.message->copy(), 0, arguments[to], arguments[0]);
  if (values->observer) {
    moved.pointers = arguments;
    moved.faultWords = faultWords;
    values->observer->end(moved);
  }
  order.end(number);
  findAccesses(number);
  for (const Access &access : accesses)
    if (access.isWrite && access.memory != Access::host)
      forEachRow(access.region, access.region.base, 0, [&](int64_t begin) {
        memories[access.memory].write(begin, access.region.row);
        return true;
      });
}

void CoreMemories::compute(uint32_t number) {
  const Task &task = program->tasks[number];
  const mapping::Compute &compute = task.message->compute();
  const mapping::Body &body =
      subject.mapping.bodies(static_cast<int>(compute.body()));
  faultWords.assign(body.faults(), ~uint64_t(0));
  for (uint64_t &word : faultWords)
    arguments.push_back(reinterpret_cast<uint8_t *>(&word));
  values->call(body, arguments);
  recordFaults(number, compute, faultWords);
}

void CoreMemories::recordFaults(uint32_t number,
                                const mapping::Compute &compute,
                                std::span<const uint64_t> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == ~uint64_t(0))
      continue;
    const mapping::Fault &fault = compute.faults(static_cast<int>(i));
    // Row-major in the piece to row-major in the whole.
    uint64_t rest = words[i], element = 0, scale = 1;
    for (int k = fault.ranges_size(); k--;) {
      const mapping::Fault::Range &range = fault.ranges(k);
      const auto size = static_cast<uint64_t>(range.size());
      const uint64_t index = size ? rest % size : 0;
      rest = size ? rest / size : rest;
      element += (static_cast<uint64_t>(range.begin()) + index) * scale;
      scale *= static_cast<uint64_t>(range.extent());
    }
    if (rest)
      fail(number, "fault word " + std::to_string(i) + " has element " +
                       std::to_string(words[i]) +
                       ", which is not in its piece");
    if (!values->faults)
      fail(number, "fault word " + std::to_string(i) +
                       " is lost: the run has no fault words");
    values->faults->record(size_t(bindingOf(number).faultOf(fault.slot())),
                           element);
  }
}

} // namespace gensyn::machine
