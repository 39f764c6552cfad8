// Times and energies of tasks, in closed form; see Transfers.h.

#include "Transfers.h"

#include "EventQueue.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>

namespace gensyn::machine {

namespace {

/// Bounds on the time of a simulation of an untrusted mapping: packets on links
/// and ports (minutes), and rows that are counted one by one (seconds).
constexpr uint64_t mostEvents = uint64_t(1) << 32;
constexpr uint64_t mostCountedRows = uint64_t(1) << 30;

uint64_t countRows(const mapping::Copy &copy) {
  uint64_t rows = 1;
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    rows *= dimension.count();
  return rows;
}

/// Packets contain whole rows, or rows whole packets.
uint32_t countPackets(uint64_t rowBytes, uint64_t rows, uint64_t most) {
  const Wide packets =
      rowBytes >= most
          ? product(rows, static_cast<uint64_t>(
                              dividedUp(rowBytes, static_cast<int64_t>(most))))
          : dividedUp(rows, static_cast<int64_t>(most / rowBytes));
  return static_cast<uint32_t>(std::min<Wide>(packets, Event::mostPackets));
}

int64_t energyOf(uint64_t bytes, const Quantity &perByte) {
  return limited(product(bytes, factor(perByte.value)));
}

} // namespace

/// The bytes of all bursts that each row touches. Memories and buffers begin
/// at a burst.
uint64_t TransferBuilder::countBurstBytes(const Region &region,
                                          uint64_t burst) {
  auto touched = [&](int64_t begin) {
    const uint64_t skipped = static_cast<uint64_t>(begin) % burst;
    return (skipped + static_cast<uint64_t>(region.row) + burst - 1) / burst;
  };
  uint64_t rows = 1;
  bool isAligned = true;
  for (int k = 0; k < region.rank; ++k) {
    const auto [stride, count] = region.dimensions[static_cast<size_t>(k)];
    rows *= static_cast<uint64_t>(count);
    isAligned &= static_cast<uint64_t>(std::abs(stride)) % burst == 0;
  }
  uint64_t bursts = 0;
  if (isAligned) {
    bursts = rows * touched(region.base);
  } else {
    countedRows += rows;
    if (rows > mostCountedRows || countedRows > mostCountedRows)
      failUnsupported("mapping: segment " + std::to_string(program.segment) +
                      ": its copies have more than " +
                      std::to_string(mostCountedRows) +
                      " rows that begin within a burst");
    forEachRow(region, region.base, 0, [&](int64_t begin) {
      bursts += touched(begin);
      return true;
    });
  }
  return static_cast<uint64_t>(limited(product(bursts, burst)));
}

TransferBuilder::End TransferBuilder::findEnd(uint32_t core,
                                              const mapping::Copy &copy,
                                              bool isFrom) {
  const Description &machine = subject.machine;
  const mapping::Location &location = isFrom ? copy.from() : copy.to();
  const uint64_t bytes = copy.row_bytes() * countRows(copy);
  if (location.memory_case() == mapping::Location::kLocal)
    return {machine.kindOf(core).memory, false, bytes};
  if (location.memory_case() == mapping::Location::kCore)
    return {machine.kindOf(location.core()).memory, false, bytes};
  const uint32_t memory =
      subject.mapping.memory_of_buffer(static_cast<int>(location.buffer()));
  const uint64_t burst =
      std::max<uint64_t>(factor(machine.memories[memory].burst.value), 1);
  return {memory, true, countBurstBytes(makeRegion(copy, isFrom), burst)};
}

void TransferBuilder::addStage(int64_t total, const Transfer &transfer,
                               uint32_t resource, bool isPort,
                               int64_t latency) {
  Stage stage{};
  stage.occupancy = total / transfer.packets;
  stage.longer = static_cast<uint32_t>(total % transfer.packets);
  stage.resource = resource;
  stage.isPort = isPort;
  stage.latency = latency;
  program.stages.push_back(stage);
}

/// The shares of all packets are all bytes.
uint64_t TransferBuilder::shareOf(uint64_t bytes, const Transfer &transfer,
                                  const Share &share) {
  auto upTo = [&](uint64_t packets) {
    return static_cast<uint64_t>(Wide(bytes) * packets / transfer.packets);
  };
  return upTo(uint64_t(share.first) + share.packets) - upTo(share.first);
}

void TransferBuilder::addPort(const End &end, uint32_t port,
                              const Transfer &transfer, const Share &share) {
  const MemoryKind &memory = subject.machine.memories[end.memory];
  const auto ports = static_cast<int64_t>(memory.nodes.size());
  addStage(timeOfBytes(end.bytes, memory.bandwidth.value / ports), transfer,
           resources.firstPort(end.memory) + port, true,
           limited(factor(memory.latency.value)));
  const uint64_t bytes = shareOf(end.bytes, transfer, share);
  program.traffic.push_back(
      {true, end.memory, bytes, timeOfBytes(bytes, memory.bandwidth.value)});
}

void TransferBuilder::addLinks(std::span<const uint32_t> links,
                               const Transfer &transfer, const Share &share) {
  const uint64_t bytes = shareOf(transfer.bytes, transfer, share);
  for (uint32_t number : links) {
    const Link &link = subject.machine.network.links[number];
    addStage(timeOfBytes(transfer.bytes, link.bandwidth.value), transfer,
             number, false, limited(factor(link.latency.value)));
    program.traffic.push_back(
        {false, number, bytes, timeOfBytes(bytes, link.bandwidth.value)});
  }
}

std::vector<uint32_t> TransferBuilder::findLinks(uint32_t core,
                                                 const mapping::Copy &copy,
                                                 const End &from, const End &to,
                                                 uint32_t port) const {
  const Description &machine = subject.machine;
  if (copy.from().memory_case() == mapping::Location::kLocal &&
      copy.to().memory_case() == mapping::Location::kLocal)
    return {};
  const auto &given =
      subject.mapping.paths(static_cast<int>(copy.path())).links();
  const std::vector<uint32_t> path(given.begin(), given.end());
  if (from.isShared == to.isShared)
    return path;
  // The end of the path that is the core's, and the port's node.
  const uint32_t node =
      nodesOf(subject, core, from.isShared ? copy.to() : copy.from()).front();
  const uint32_t wanted =
      machine.memories[(from.isShared ? from : to).memory].nodes[port];
  uint32_t reached = node;
  if (!path.empty())
    reached = from.isShared ? machine.network.links[path.front()].from
                            : machine.network.links[path.back()].to;
  if (reached == wanted)
    return path;
  return from.isShared ? machine.route(wanted, node)
                       : machine.route(node, wanted);
}

void TransferBuilder::addWay(const Task &task, const mapping::Copy &copy,
                             const End &from, const End &to,
                             const Transfer &transfer, uint32_t port,
                             const Share &share) {
  const auto first = static_cast<uint32_t>(program.stages.size());
  const std::vector<uint32_t> links =
      findLinks(task.core, copy, from, to, port);
  if (links.size() + 2 > Event::mostStages)
    failUnsupported("mapping: segment " + std::to_string(program.segment) +
                    ": a way of " + std::to_string(links.size()) + " links");
  if (from.isShared)
    addPort(from, port, transfer, share);
  addLinks(links, transfer, share);
  if (to.isShared)
    addPort(to, port, transfer, share);
  Wide latency = 0;
  for (size_t i = program.stages.size(); i-- > first;) {
    latency += static_cast<Wide>(program.stages[i].latency);
    program.stages[i].latencyToEnd = limited(latency);
  }
  program.ways.push_back({first,
                          static_cast<uint32_t>(program.stages.size()) - first,
                          limited(latency)});
}

uint32_t TransferBuilder::makeTransfer(const Task &task,
                                       const mapping::Copy &copy,
                                       const End &from, const End &to,
                                       uint32_t ways) {
  const Description &machine = subject.machine;
  const uint32_t kind = machine.cores[task.core].kind;
  const uint64_t rows = countRows(copy);
  Transfer transfer{};
  transfer.bytes = copy.row_bytes() * rows;
  transfer.packets =
      countPackets(copy.row_bytes(), rows,
                   std::max<uint64_t>(factor(machine.network.packet.value), 1));
  const int64_t engine = estimateEngine(machine, kind, copy.row_bytes(), rows);
  transfer.engineStart = estimateEngineStart(machine, kind);
  transfer.occupancy = engine / transfer.packets;
  transfer.longer = static_cast<uint32_t>(engine % transfer.packets);
  transfer.firstWay = static_cast<uint32_t>(program.ways.size());
  transfer.ways = ways;

  Cost cost;
  cost.firstTraffic = static_cast<uint32_t>(program.traffic.size());
  Share share{};
  for (uint32_t way = 0; way < ways; ++way) {
    // The packets take the ways in turn, from the task's on.
    const uint32_t turn = (way + ways - task.way) % ways;
    share.first += share.packets;
    share.packets = (transfer.packets + ways - 1 - turn) / ways;
    addWay(task, copy, from, to, transfer, way, share);
  }
  cost.traffic =
      static_cast<uint32_t>(program.traffic.size()) - cost.firstTraffic;
  const MemoryKind &source = machine.memories[from.memory];
  const MemoryKind &destination = machine.memories[to.memory];
  (from.isShared ? cost.sharedMemories : cost.coreMemories) +=
      energyOf(from.bytes, source.readEnergy);
  (to.isShared ? cost.sharedMemories : cost.coreMemories) +=
      energyOf(to.bytes, destination.writeEnergy);
  cost.bytesRead = from.isShared ? from.bytes : 0;
  cost.bytesWritten = to.isShared ? to.bytes : 0;
  Wide links = 0;
  for (uint32_t i = 0; i < cost.traffic; ++i) {
    const Traffic &traffic = program.traffic[cost.firstTraffic + i];
    if (!traffic.isMemory)
      links += static_cast<Wide>(energyOf(
          traffic.bytes, machine.network.links[traffic.number].energy));
  }
  cost.links = limited(links);
  transfer.cost = static_cast<uint32_t>(program.costs.size());
  program.costs.push_back(cost);
  program.transfers.push_back(transfer);
  return static_cast<uint32_t>(program.transfers.size() - 1);
}

void TransferBuilder::setCopy(Task &task, const mapping::Copy &copy) {
  const Description &machine = subject.machine;
  const End from = findEnd(task.core, copy, true);
  const End to = findEnd(task.core, copy, false);
  // Accesses are interleaved over the ports of a shared memory by their
  // addresses. Between two shared memories there is one way, the path.
  uint32_t ways = 1;
  if (from.isShared != to.isShared) {
    const mapping::Location &shared = from.isShared ? copy.from() : copy.to();
    const uint64_t packet =
        std::max<uint64_t>(factor(machine.network.packet.value), 1);
    ways = static_cast<uint32_t>(
        machine.memories[(from.isShared ? from : to).memory].nodes.size());
    task.way = static_cast<uint32_t>(
        (shared.buffer() + shared.offset() / packet) % ways);
  }
  const std::array<uint64_t, 10> key = {from.memory,
                                        uint64_t(copy.from().memory_case())
                                                << 32 |
                                            uint64_t(copy.to().memory_case()),
                                        from.bytes,
                                        to.memory,
                                        to.bytes,
                                        copy.path(),
                                        machine.cores[task.core].kind,
                                        copy.row_bytes(),
                                        countRows(copy),
                                        task.way};
  auto [found, isNew] = transfers.try_emplace(key);
  if (isNew)
    found->second = makeTransfer(task, copy, from, to, ways);
  task.cost = found->second;
  const Transfer &transfer = program.transfers[task.cost];
  uint32_t longest = 1;
  for (uint32_t way = 0; way < ways; ++way)
    longest = std::max(longest, program.ways[transfer.firstWay + way].stages);
  events += uint64_t(transfer.packets) * longest;
  if (events > mostEvents)
    failUnsupported("mapping: segment " + std::to_string(program.segment) +
                        ": its copies have more than " +
                        std::to_string(mostEvents) +
                        " packets, counted at each link",
                    "larger packets simulate faster");
}

/// Elements that a body loads, or stores, in all.
static Wide countElements(const mapping::Body &body, const char *operation) {
  Wide elements = 0;
  for (const mapping::Work &work : body.work())
    if (work.operation() == operation)
      elements += work.count();
  return elements;
}

int64_t TransferBuilder::addInPlace(const mapping::Compute &compute,
                                    int argument, uint64_t elements,
                                    Cost &cost) {
  const Description &machine = subject.machine;
  const mapping::Body &body =
      subject.mapping.bodies(static_cast<int>(compute.body()));
  const bool isRead = static_cast<uint32_t>(argument) < body.operands();
  const uint32_t number = subject.mapping.memory_of_buffer(
      static_cast<int>(compute.arguments(argument).buffer()));
  const MemoryKind &memory = machine.memories[number];
  const uint64_t burst = std::max<uint64_t>(factor(memory.burst.value), 1);
  // At least every burst once.
  const Wide accesses = std::max<Wide>(
      elements, dividedUp(body.arguments(argument), memory.burst.value));
  const auto bytes = static_cast<uint64_t>(limited(product(accesses, burst)));
  const int64_t busy =
      timeOfBytes(bytes, memory.bandwidth.value / int64_t(memory.nodes.size()));
  Wide latency = factor(memory.latency.value);
  program.traffic.push_back(
      {true, number, bytes, timeOfBytes(bytes, memory.bandwidth.value)});
  if (!compute.paths().empty())
    for (uint32_t place :
         subject.mapping.paths(static_cast<int>(compute.paths(argument)))
             .links()) {
      const Link &link = machine.network.links[place];
      const int64_t time = timeOfBytes(bytes, link.bandwidth.value);
      latency += factor(link.latency.value);
      cost.links = limited(static_cast<Wide>(cost.links) +
                           static_cast<Wide>(energyOf(bytes, link.energy)));
      program.traffic.push_back({false, place, bytes, time});
    }
  const int64_t energy =
      energyOf(bytes, isRead ? memory.readEnergy : memory.writeEnergy);
  cost.sharedMemories = limited(static_cast<Wide>(cost.sharedMemories) +
                                static_cast<Wide>(energy));
  (isRead ? cost.bytesRead : cost.bytesWritten) += bytes;
  return limited(static_cast<Wide>(busy) +
                 product(latency, static_cast<uint64_t>(limited(accesses))));
}

void TransferBuilder::setCompute(Task &task, const mapping::Compute &compute) {
  const uint32_t kind = subject.machine.cores[task.core].kind;
  const mapping::Body &body =
      subject.mapping.bodies(static_cast<int>(compute.body()));
  auto [found, isNew] =
      bodies.try_emplace(std::make_pair(compute.body(), kind));
  if (isNew) {
    Wide units = 0, memory = 0;
    for (const mapping::Work &work : body.work()) {
      const WorkEnergy energy = estimateWorkEnergy(subject.machine, kind, work);
      units += static_cast<Wide>(energy.unit);
      memory += static_cast<Wide>(energy.memory);
    }
    Cost cost;
    cost.units = limited(units);
    cost.coreMemories = limited(memory);
    found->second = {estimateBody(subject.machine, kind, body),
                     static_cast<uint32_t>(program.costs.size())};
    program.costs.push_back(cost);
  }
  task.duration = found->second.first;
  task.cost = found->second.second;
  std::array<Wide, 2> bytes = {0, 0};
  bool isInPlace = false;
  for (int i = 0; i < compute.arguments_size(); ++i) {
    bytes[static_cast<uint32_t>(i) >= body.operands()] += body.arguments(i);
    isInPlace |=
        compute.arguments(i).memory_case() == mapping::Location::kBuffer;
  }
  if (!isInPlace)
    return;
  // Loads are spread over the operands, and stores over the results, by their
  // bytes.
  Cost cost = program.costs[task.cost];
  cost.firstTraffic = static_cast<uint32_t>(program.traffic.size());
  Wide time = static_cast<Wide>(task.duration);
  for (int i = 0; i < compute.arguments_size(); ++i) {
    if (compute.arguments(i).memory_case() != mapping::Location::kBuffer)
      continue;
    const bool isResult = static_cast<uint32_t>(i) >= body.operands();
    const Wide all = countElements(body, isResult ? "store" : "load");
    const Wide own =
        dividedUp(product(all, body.arguments(i)), limited(bytes[isResult]));
    time += static_cast<Wide>(
        addInPlace(compute, i, static_cast<uint64_t>(limited(own)), cost));
  }
  cost.traffic =
      static_cast<uint32_t>(program.traffic.size()) - cost.firstTraffic;
  task.duration = limited(time);
  task.cost = static_cast<uint32_t>(program.costs.size());
  program.costs.push_back(cost);
}

} // namespace gensyn::machine
