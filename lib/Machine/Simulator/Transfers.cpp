// Times and energies of tasks, in closed form; see Transfers.h.

#include "Transfers.h"

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
/// And on the memory of its tables.
constexpr size_t mostLoads = size_t(1) << 24;

uint64_t countRows(const mapping::Copy &copy) {
  uint64_t rows = 1;
  for (const mapping::Copy::Dimension &dimension : copy.dimensions())
    rows *= dimension.count();
  return rows;
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

/// Divides what all packets take, and their bytes, among them.
static Load divide(int64_t time, uint64_t bytes, uint32_t packets) {
  Load load{};
  load.time = time / packets;
  load.longer = static_cast<uint32_t>(time % packets);
  load.bytes = bytes / packets;
  load.larger = static_cast<uint32_t>(bytes % packets);
  return load;
}

uint32_t TransferBuilder::makeTransfer(uint32_t kind, const mapping::Copy &copy,
                                       const End &from, const End &to) {
  const Description &machine = subject.machine;
  const uint64_t rows = countRows(copy);
  Transfer transfer{};
  transfer.bytes = copy.row_bytes() * rows;
  transfer.packets = countPackets(machine, copy.row_bytes(), rows);
  transfer.engineStart = estimateEngineStart(machine, kind);
  transfer.engine =
      divide(estimateEngine(machine, kind, copy.row_bytes(), rows),
             transfer.bytes, transfer.packets);
  transfer.firstLoad = static_cast<uint32_t>(program.loads.size());
  if (program.loads.size() + resources.linkBandwidths().size() + 2 > mostLoads)
    failUnsupported("mapping: segment " + std::to_string(program.segment) +
                    ": its copies have too many forms");
  for (int64_t bandwidth : resources.linkBandwidths())
    program.loads.push_back(divide(timeOfBytes(transfer.bytes, bandwidth),
                                   transfer.bytes, transfer.packets));
  for (const End *end : {&from, &to}) {
    const MemoryKind &memory = machine.memories[end->memory];
    const auto ports = static_cast<int64_t>(memory.nodes.size());
    program.loads.push_back(
        end->isShared
            ? divide(timeOfBytes(end->bytes, memory.bandwidth.value / ports),
                     end->bytes, transfer.packets)
            : Load{});
  }
  Cost cost;
  (from.isShared ? cost.sharedMemories : cost.coreMemories) +=
      energyOf(from.bytes, machine.memories[from.memory].readEnergy);
  const auto destinations = uint64_t(1 + copy.others_size());
  (to.isShared ? cost.sharedMemories : cost.coreMemories) += energyOf(
      to.bytes * destinations, machine.memories[to.memory].writeEnergy);
  cost.isCopy = true;
  cost.source = from.memory;
  cost.target = to.memory;
  cost.sourceBytes = from.bytes;
  cost.targetBytes = to.bytes * destinations;
  cost.bytesRead = from.isShared ? from.bytes : 0;
  cost.bytesWritten = to.isShared ? to.bytes : 0;
  transfer.cost = static_cast<uint32_t>(program.costs.size());
  program.costs.push_back(cost);
  program.transfers.push_back(transfer);
  return static_cast<uint32_t>(program.transfers.size() - 1);
}

void TransferBuilder::setCopy(Task &task, const mapping::Copy &copy) {
  const uint32_t kind = subject.machine.cores[task.core].kind;
  const End from = findEnd(task.core, copy, true);
  const End to = findEnd(task.core, copy, false);
  const std::array<uint64_t, 8> key = {
      uint64_t(from.memory) << 1 | uint64_t(from.isShared),
      uint64_t(to.memory) << 1 | uint64_t(to.isShared),
      from.bytes,
      to.bytes,
      kind,
      copy.row_bytes(),
      countRows(copy),
      uint64_t(copy.others_size())};
  auto [found, isNew] = transfers.try_emplace(key);
  if (isNew)
    found->second = makeTransfer(kind, copy, from, to);
  task.cost = found->second;
  const uint32_t packets = program.transfers[task.cost].packets;
  task.ways = ways.findList(program.segment, task.core, copy, packets);
  uint32_t longest = 1;
  for (uint32_t i = 0; i < std::min(task.ways.ways, packets); ++i)
    longest = std::max(longest, wayOf(program, task, i).hops);
  events += uint64_t(packets) * longest;
  if (events > mostEvents)
    failUnsupported("mapping: segment " + std::to_string(program.segment) +
                        ": its copies have more than " +
                        std::to_string(mostEvents) +
                        " packets, counted at each link",
                    "larger packets simulate faster");
}

/// Elements that a body loads, or stores, in all.
int64_t TransferBuilder::addInPlace(const mapping::Compute &compute,
                                    int argument, Cost &cost) {
  const Description &machine = subject.machine;
  const mapping::Body &body =
      subject.mapping.bodies(static_cast<int>(compute.body()));
  const bool isRead = static_cast<uint32_t>(argument) < body.operands();
  const uint32_t number = subject.mapping.memory_of_buffer(
      static_cast<int>(compute.arguments(argument).buffer()));
  const MemoryKind &memory = machine.memories[number];
  const uint64_t burst = std::max<uint64_t>(factor(memory.burst.value), 1);
  // Each element is an access of its own, of a burst; where the body does not
  // say how many there are, each burst is one.
  const uint64_t accesses =
      body.accesses().empty()
          ? uint64_t(dividedUp(body.arguments(argument), memory.burst.value))
          : body.accesses(argument);
  const auto bytes = static_cast<uint64_t>(limited(product(accesses, burst)));
  const int64_t busy =
      timeOfBytes(bytes, memory.bandwidth.value / int64_t(memory.nodes.size()));
  Wide latency = factor(memory.latency.value);
  program.traffic.push_back({resources.firstPort(number), bytes, busy, isRead});
  if (!compute.paths().empty())
    for (uint32_t place :
         subject.mapping.paths(static_cast<int>(compute.paths(argument)))
             .links()) {
      const Link &link = machine.network.links[place];
      const int64_t time = timeOfBytes(bytes, link.bandwidth.value);
      latency += factor(link.latency.value);
      cost.links = limited(static_cast<Wide>(cost.links) +
                           static_cast<Wide>(energyOf(bytes, link.energy)));
      program.traffic.push_back({place, bytes, time, isRead});
    }
  const int64_t energy =
      energyOf(bytes, isRead ? memory.readEnergy : memory.writeEnergy);
  cost.sharedMemories = limited(static_cast<Wide>(cost.sharedMemories) +
                                static_cast<Wide>(energy));
  (isRead ? cost.bytesRead : cost.bytesWritten) += bytes;
  return limited(static_cast<Wide>(busy) + product(latency, accesses));
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
    cost.source = compute.body();
    cost.target = kind;
    found->second = {estimateBody(subject.machine, kind, body),
                     static_cast<uint32_t>(program.costs.size())};
    program.costs.push_back(cost);
  }
  task.duration = found->second.first;
  task.cost = found->second.second;
  bool isInPlace = false;
  for (int i = 0; i < compute.arguments_size(); ++i) {
    isInPlace |=
        compute.arguments(i).memory_case() == mapping::Location::kBuffer;
  }
  if (!isInPlace)
    return;
  Cost cost = program.costs[task.cost];
  cost.firstTraffic = static_cast<uint32_t>(program.traffic.size());
  Wide time = static_cast<Wide>(task.duration);
  for (int i = 0; i < compute.arguments_size(); ++i) {
    if (compute.arguments(i).memory_case() != mapping::Location::kBuffer)
      continue;
    time += static_cast<Wide>(addInPlace(compute, i, cost));
  }
  cost.traffic =
      static_cast<uint32_t>(program.traffic.size()) - cost.firstTraffic;
  task.duration = limited(time);
  task.cost = static_cast<uint32_t>(program.costs.size());
  program.costs.push_back(cost);
}

} // namespace gensyn::machine
