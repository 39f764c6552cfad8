// Checks a task's addresses, paths and work; see CheckTask.h.

#include "CheckTask.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>
#include <vector>

namespace gensyn::machine {

namespace {

/// "bytes 0 to 15".
std::string describeBytes(__int128 low, __int128 high) {
  auto text = [](__int128 value) {
    // Sums of at most 64-bit products of checked counts; printed exactly where
    // they fit, and as the nearest number where they do not.
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    return std::to_string(
        static_cast<int64_t>(std::clamp<__int128>(value, -most, most)));
  };
  return "bytes " + text(low) + " to " + text(high - 1);
}

/// The distances from a location at which a copy's rows begin and end.
std::pair<__int128, __int128> findSpan(const mapping::Copy &copy, bool isFrom) {
  __int128 low = 0, high = static_cast<__int128>(copy.row_bytes());
  for (const mapping::Copy::Dimension &dimension : copy.dimensions()) {
    const __int128 last =
        static_cast<__int128>(isFrom ? dimension.from_stride()
                                     : dimension.to_stride()) *
        static_cast<__int128>(dimension.count() - 1);
    (last < 0 ? low : high) += last;
  }
  return {low, high};
}

bool isFar(int64_t stride) {
  return stride > mostCopyBytes || stride < -mostCopyBytes;
}

bool contains(std::span<const uint32_t> nodes, uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

bool isInMemoryOfCore(const mapping::Location &location) {
  return location.memory_case() == mapping::Location::kLocal;
}

} // namespace

void TaskCheck::fail(const std::string &text) const {
  failBadInput("mapping: " + (*name)() + ": " + text);
}

void TaskCheck::drop(uint32_t path, const std::string &why) const {
  fail("the flow is dropped: path " + std::to_string(path) + " " + why);
}

void TaskCheck::check(const std::function<std::string()> &taskName,
                      uint32_t coreNumber, const mapping::Task &task) {
  name = &taskName;
  core = coreNumber;
  switch (task.kind_case()) {
  case mapping::Task::kCopy:
    return checkCopy(task.copy());
  case mapping::Task::kCompute:
    return checkCompute(task.compute());
  case mapping::Task::KIND_NOT_SET:
    fail("it neither copies nor computes");
  }
}

void TaskCheck::check(const std::function<std::string()> &taskName,
                      uint32_t coreNumber, const mapping::Resident &resident) {
  name = &taskName;
  core = coreNumber;
  const mapping::Copy &copy = resident.copy();
  if (!copy.others().empty() || !isInMemoryOfCore(copy.to()) ||
      copy.from().memory_case() != mapping::Location::kBuffer)
    fail("it is no copy from a buffer to the core's memory alone");
  mapping::Copy first = copy;
  first.mutable_to()->clear_step();
  checkCopy(first);
  const auto [low, high] = findSpan(copy, false);
  checkLocation(copy.to(), "the destination", true, low, high, true);
  if (copy.to().step() && static_cast<__int128>(copy.to().step()) < high - low)
    fail("a step of " + std::to_string(copy.to().step()) +
         " bytes from repetition to repetition, expected at least " +
         std::to_string(static_cast<int64_t>(high - low)));
}

void TaskCheck::checkCopy(const mapping::Copy &copy) {
  if (copy.dimensions_size() > mostDimensions)
    fail(std::to_string(copy.dimensions_size()) +
         " dimensions of rows, expected at most " +
         std::to_string(mostDimensions));
  Wide bytes = copy.row_bytes();
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    bytes = product(bytes, dimension.count());
  if (bytes < 1 || bytes > Wide(mostCopyBytes))
    fail("a copy of " + std::string(bytes ? "too many" : "0") +
         " bytes, expected 1 to 2^48");
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    if (isFar(dimension.from_stride()) || isFar(dimension.to_stride()))
      fail("a stride of more than 2^48 bytes");
  const auto [fromLow, fromHigh] = findSpan(copy, true);
  checkLocation(copy.from(), "the source", false, fromLow, fromHigh);
  const auto [toLow, toHigh] = findSpan(copy, false);
  forEachDestination(
      copy, [&, low = toLow, high = toHigh](const mapping::Location &to) {
        checkLocation(to, "the destination", true, low, high);
      });
  checkDestinationRows(copy);
  const CopyEngine &engine =
      subject.machine.engines[subject.machine.kindOf(core).engine];
  if (copy.channel() >= factor(engine.channels.value))
    fail("channel " + std::to_string(copy.channel()) +
         " of the copy engine, expected one of " +
         std::to_string(engine.channels.value));
  if (!copy.others().empty())
    checkMulticast(copy);
  else if (!isInMemoryOfCore(copy.from()) || !isInMemoryOfCore(copy.to()))
    checkPath(copy.from(), copy.to(), copy.path());
}

void TaskCheck::checkMulticast(const mapping::Copy &copy) const {
  if (!subject.machine.network.hasMulticast)
    fail("it copies to several cores, and the network of " +
         quote(subject.machine.name) + " has no multicast");
  std::vector<uint32_t> cores;
  forEachDestination(copy, [&](const mapping::Location &to) {
    if (to.memory_case() == mapping::Location::kBuffer)
      fail("one of several destinations is in a buffer, expected cores");
    cores.push_back(isInMemoryOfCore(to) ? core : to.core());
  });
  std::sort(cores.begin(), cores.end());
  const auto twice = std::adjacent_find(cores.begin(), cores.end());
  if (twice != cores.end())
    fail("core " + std::to_string(*twice) + " is its destination twice");
  checkTree(copy);
}

/// The links lead from a node of the source to nodes that no other one leads
/// to, and to those of all destinations.
void TaskCheck::checkTree(const mapping::Copy &copy) const {
  const Network &network = subject.machine.network;
  if (copy.path() >= static_cast<uint32_t>(subject.mapping.paths_size()))
    drop(copy.path(),
         "is none of " + std::to_string(subject.mapping.paths_size()));
  const auto &links =
      subject.mapping.paths(static_cast<int>(copy.path())).links();
  const std::span<const uint32_t> sources = nodesOf(subject, core, copy.from());
  std::vector<uint32_t> reached;
  if (links.empty())
    reached.assign(sources.begin(), sources.end());
  else
    reached.push_back(network.links[links[0]].from);
  if (!contains(sources, reached.front()))
    drop(copy.path(), "begins at node " + std::to_string(reached.front()) +
                          ", which is not the source's");
  for (uint32_t number : links) {
    const Link &link = network.links[number];
    const std::string what = "has link " + std::to_string(number);
    if (!contains(reached, link.from))
      drop(copy.path(), what + " from node " + std::to_string(link.from) +
                            ", which no earlier one leads to");
    if (contains(reached, link.to))
      drop(copy.path(), what + " to node " + std::to_string(link.to) +
                            ", which is reached already");
    if (link.isDead)
      drop(copy.path(),
           "leads over link " + std::to_string(number) + ", which is dead");
    reached.push_back(link.to);
  }
  forEachDestination(copy, [&](const mapping::Location &to) {
    const uint32_t node = nodesOf(subject, core, to).front();
    if (!contains(reached, node))
      drop(copy.path(),
           "does not lead to node " + std::to_string(node) + " of core " +
               std::to_string(isInMemoryOfCore(to) ? core : to.core()));
  });
}

void TaskCheck::checkDestinationRows(const mapping::Copy &copy) const {
  std::vector<std::pair<int64_t, int64_t>> dimensions;
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    if (dimension.count() > 1)
      dimensions.emplace_back(std::abs(dimension.to_stride()),
                              static_cast<int64_t>(dimension.count()));
  std::sort(dimensions.begin(), dimensions.end());
  __int128 span = static_cast<__int128>(copy.row_bytes());
  for (const auto &[stride, count] : dimensions) {
    if (stride < span)
      fail("rows of the destination at a distance of " +
           std::to_string(stride) + " bytes overlap");
    span += static_cast<__int128>(stride) * (count - 1);
  }
}

void TaskCheck::checkCompute(const mapping::Compute &compute) {
  const mapping::Mapping &mapping = subject.mapping;
  if (compute.body() >= static_cast<uint32_t>(mapping.bodies_size()))
    fail("body " + std::to_string(compute.body()) + ", expected one of " +
         std::to_string(mapping.bodies_size()));
  const mapping::Body &body = mapping.bodies(static_cast<int>(compute.body()));
  auto expect = [&](int found, int64_t expected, const char *what) {
    if (found != expected)
      fail(std::to_string(found) + " " + what + ", body " +
           std::to_string(compute.body()) + " has " + std::to_string(expected));
  };
  expect(compute.arguments_size(), body.arguments_size(), "arguments");
  expect(compute.faults_size(), body.faults(), "fault words");
  if (!compute.paths().empty())
    expect(compute.paths_size(), body.arguments_size(), "paths");
  for (int i = 0; i < compute.arguments_size(); ++i) {
    const mapping::Location &location = compute.arguments(i);
    const bool isResult = static_cast<uint32_t>(i) >= body.operands();
    const std::string what = "argument " + std::to_string(i);
    checkLocation(location, what, isResult, 0,
                  static_cast<__int128>(body.arguments(i)), !isResult);
    if (location.memory_case() == mapping::Location::kCore)
      fail(what + " is in another core's memory");
    if (isInMemoryOfCore(location))
      continue;
    const MemoryKind &memory =
        subject.machine.memories[mapping.memory_of_buffer(
            static_cast<int>(location.buffer()))];
    if (!memory.isAddressable)
      fail(what + " is in place in memory " + quote(memory.name) +
           ", which cores cannot address");
    if (compute.paths().empty())
      continue;
    mapping::Location own;
    own.set_local(0);
    isResult ? checkPath(own, location, compute.paths(i))
             : checkPath(location, own, compute.paths(i));
  }
  for (int i = 0; i < compute.faults_size(); ++i)
    checkFault(compute.faults(i), i);
  if (checkedBodies.emplace(compute.body(), subject.machine.cores[core].kind)
          .second)
    for (const mapping::Work &work : body.work())
      checkWork(work);
}

void TaskCheck::checkWork(const mapping::Work &work) const {
  const CoreKind &kind = subject.machine.kindOf(core);
  if (std::find(kind.units.begin(), kind.units.end(), work.unit()) ==
      kind.units.end())
    fail("unit " + std::to_string(work.unit()) +
         " is not one of a core of kind " + quote(kind.name));
  const ComputeUnit &unit = subject.machine.units[work.unit()];
  if (findRate(unit, work))
    return;
  const std::string what =
      quote(work.operation()) + " of " + quote(work.type());
  // Without a depth every accumulator is wide enough.
  mapping::Work shallow = work;
  shallow.set_depth(0);
  if (const Rate *rate = findRate(unit, shallow))
    fail("unit " + quote(unit.name) + " accumulates " +
         std::to_string(rate->accumulator.value) + " bits, too few for " +
         what + " over " + std::to_string(work.depth()) + " products");
  fail("unit " + quote(unit.name) + " has no rate for " + what);
}

void TaskCheck::checkFault(const mapping::Fault &fault, int number) const {
  const std::string what = "fault word " + std::to_string(number);
  if (fault.slot() >= static_cast<uint32_t>(subject.plan.faults_size()))
    fail(what + " is for slot " + std::to_string(fault.slot()) +
         ", expected one of " + std::to_string(subject.plan.faults_size()));
  Wide elements = 1;
  for (const mapping::Fault::Range &range : fault.ranges()) {
    if (range.begin() < 0 || range.size() < 0 || range.extent() < 0 ||
        range.begin() > range.extent() - range.size())
      fail(what + " counts elements " + std::to_string(range.begin()) +
           " and " + std::to_string(range.size()) + " more of " +
           std::to_string(range.extent()));
    elements = product(elements, static_cast<uint64_t>(range.extent()));
  }
  if (elements > Wide(1) << 40)
    fail(what + " counts more than 2^40 elements");
}

void TaskCheck::checkLocation(const mapping::Location &location,
                              const std::string &what, bool isWritten,
                              __int128 low, __int128 high,
                              bool maySteps) const {
  const Description &machine = subject.machine;
  __int128 begin = static_cast<__int128>(location.offset());
  __int128 bytes = 0;
  std::string memory;
  if (location.step() && !(maySteps && isInMemoryOfCore(location)))
    fail(what + " has a step, which is for weights in the core's memory");
  switch (location.memory_case()) {
  case mapping::Location::kLocal:
    begin += static_cast<__int128>(location.local());
    bytes = usableBytes(machine, core);
    memory = "the core's memory";
    if (maySteps)
      high += static_cast<__int128>(location.step()) * (repetitions - 1);
    break;
  case mapping::Location::kCore:
    if (location.core() >= machine.cores.size() ||
        machine.cores[location.core()].isDead)
      fail(what + " is on core " + std::to_string(location.core()) +
           ", which is " +
           (location.core() < machine.cores.size()
                ? "dead"
                : "none of " + std::to_string(machine.cores.size())));
    bytes = usableBytes(machine, location.core());
    memory = "the memory of core " + std::to_string(location.core());
    break;
  case mapping::Location::kBuffer: {
    const plan::Plan &plan = subject.plan;
    if (location.buffer() >= static_cast<uint32_t>(plan.buffers_size()))
      fail(what + " is in buffer " + std::to_string(location.buffer()) +
           ", expected one of " + std::to_string(plan.buffers_size()));
    const auto number = static_cast<int>(location.buffer());
    const plan::Buffer &buffer = plan.buffers(number);
    const uint32_t lies = subject.mapping.memory_of_buffer(number);
    memory = "buffer " + std::to_string(number);
    if (lies >= machine.memories.size() || machine.memories[lies].nodes.empty())
      fail(memory + " is in memory " + std::to_string(lies) +
           ", which is not a shared one");
    if (isWritten && machine.memories[lies].isReadOnly)
      fail(what + " is in memory " + quote(machine.memories[lies].name) +
           ", which is only read");
    using Place = plan::Buffer::PlaceCase;
    const Place place = buffer.place_case();
    if (place == Place::kFault ||
        (isWritten && (place == Place::kInput || place == Place::kConstant)))
      fail(what + " is in " + memory + ", which " +
           (place == Place::kFault ? "is a fault word" : "is only read"));
    bytes = static_cast<__int128>(buffer.bytes());
    break;
  }
  case mapping::Location::MEMORY_NOT_SET:
    fail(what + " is in no memory");
  }
  if (begin + low < 0 || begin + high > bytes)
    fail(what + " is " + describeBytes(begin + low, begin + high) + " of " +
         memory + ", which has " +
         std::to_string(static_cast<uint64_t>(std::max<__int128>(bytes, 0))));
}

void TaskCheck::checkPath(const mapping::Location &from,
                          const mapping::Location &to, uint32_t path) const {
  const mapping::Mapping &mapping = subject.mapping;
  const Network &network = subject.machine.network;
  if (path >= static_cast<uint32_t>(mapping.paths_size()))
    drop(path, "is none of " + std::to_string(mapping.paths_size()));
  const auto &links = mapping.paths(static_cast<int>(path)).links();
  const std::span<const uint32_t> sources = nodesOf(subject, core, from);
  const std::span<const uint32_t> ends = nodesOf(subject, core, to);
  if (links.empty()) {
    if (std::find_first_of(ends.begin(), ends.end(), sources.begin(),
                           sources.end()) == ends.end())
      drop(path, "has no links, and its ends are at different nodes");
    return;
  }
  uint32_t node = network.links[links[0]].from;
  if (!contains(sources, node))
    drop(path, "begins at node " + std::to_string(node) +
                   ", which is not the source's");
  for (uint32_t number : links) {
    const Link &link = network.links[number];
    if (link.from != node)
      drop(path, "continues from node " + std::to_string(link.from) +
                     " after node " + std::to_string(node));
    if (link.isDead)
      drop(path,
           "leads over link " + std::to_string(number) + ", which is dead");
    node = link.to;
  }
  if (!contains(ends, node))
    drop(path, "ends at node " + std::to_string(node) +
                   ", which is not the destination's");
}

} // namespace gensyn::machine
