// Times and energies in closed form; see Estimate.h.

#include "gensyn/Machine/Estimate.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Times.h"
#include "gensyn/Numerics/ElementType.h"

#include <algorithm>
#include <set>

namespace gensyn::machine {

namespace {

bool isContraction(const mapping::Work &work) {
  return work.operation() == "multiply_add";
}

Wide countPoints(const mapping::Work &work) {
  if (!isContraction(work))
    return work.count();
  return product(product(product(work.count(), work.rows()), work.columns()),
                 work.depth());
}

/// True if the sum of a contraction's products is that of the element type.
bool holdsSum(const Rate &rate, const mapping::Work &work) {
  const int64_t bits = rate.accumulator.value;
  const auto type = elementTypeFromName(work.type());
  if (!isContraction(work) || !type || !isInteger(*type) || bits == 0 ||
      bits == bitWidth(*type))
    return true;
  if (bits < 1 || bits > 90)
    return bits > 90;
  const int width = bitWidth(*type);
  const Wide greatest =
      isSignedInteger(*type) ? Wide(1) << (width - 1) : (Wide(1) << width) - 1;
  if (width > 32)
    return false;
  return product(greatest * greatest, work.depth()) < Wide(1) << (bits - 1);
}

int64_t hertzOf(const Description &machine, uint32_t clock) {
  return machine.clocks[clock].frequency.value;
}

/// Throws a Failure if the unit has no rate: the caller did not check it.
const Rate &rateOf(const Description &machine, const mapping::Work &work) {
  if (work.unit() < machine.units.size())
    if (const Rate *rate = findRate(machine.units[work.unit()], work))
      return *rate;
  throw Failure(ExitCode::Bug, "no rate for " + work.operation() + " of " +
                                   work.type() + " on unit " +
                                   std::to_string(work.unit()));
}

int64_t timeOn(const Description &machine, const ComputeUnit &unit,
               const Rate &rate, const mapping::Work &work) {
  // Done on the way of other work.
  if (rate.cycles.value == 0)
    return 0;
  const Wide cycles = countMillicycles(rate, work) + factor(unit.start.value);
  return timeOfCycles(cycles, hertzOf(machine, unit.clock));
}

} // namespace

const Rate *findRate(const ComputeUnit &unit, const mapping::Work &work) {
  for (const Rate &rate : unit.rates) {
    const auto &types = rate.types;
    if (rate.operation == work.operation() &&
        (types.empty() ||
         std::find(types.begin(), types.end(), work.type()) != types.end()) &&
        holdsSum(rate, work))
      return &rate;
  }
  return nullptr;
}

std::vector<std::string> listTypesOfProductsAlone(const Description &machine) {
  std::set<std::string> types;
  for (const CoreKind &kind : machine.coreKinds) {
    std::set<std::string> own, operations;
    for (uint32_t unit : kind.units)
      for (const Rate &rate : machine.units[unit].rates) {
        operations.insert(rate.operation);
        if (rate.operation == "multiply_add")
          own.insert(rate.types.begin(), rate.types.end());
      }
    if (operations == std::set<std::string>{"load", "multiply_add", "store"})
      types.merge(own);
  }
  return {types.begin(), types.end()};
}

int64_t estimateWork(const Description &machine, uint32_t kind,
                     const mapping::Work &work) {
  const Rate &rate = rateOf(machine, work);
  return timeOn(machine, machine.units[work.unit()], rate, work);
}

int64_t estimateBody(const Description &machine, uint32_t kind,
                     const mapping::Body &body) {
  const CoreKind &core = machine.coreKinds[kind];
  const uint32_t clock = core.units.empty()
                             ? machine.engines[core.engine].clock
                             : machine.units[core.units.front()].clock;
  Wide time = static_cast<Wide>(
      timeOfCycles(factor(core.issue.value), hertzOf(machine, clock)));
  for (const mapping::Work &work : body.work())
    time += static_cast<Wide>(estimateWork(machine, kind, work));
  return limited(time);
}

uint32_t chooseUnit(const Description &machine, uint32_t kind,
                    const mapping::Work &work) {
  uint32_t best = noUnit;
  int64_t shortest = 0;
  for (uint32_t number : machine.coreKinds[kind].units) {
    const ComputeUnit &unit = machine.units[number];
    const Rate *rate = findRate(unit, work);
    if (!rate)
      continue;
    const int64_t time = timeOn(machine, unit, *rate, work);
    if (best != noUnit && time >= shortest)
      continue;
    best = number;
    shortest = time;
  }
  return best;
}

WorkEnergy estimateWorkEnergy(const Description &machine, uint32_t kind,
                              const mapping::Work &work) {
  const Rate &rate = rateOf(machine, work);
  WorkEnergy energy;
  energy.unit = limited(product(countPoints(work), factor(rate.energy.value)));
  const bool isLoad = work.operation() == "load";
  if (!isLoad && work.operation() != "store")
    return energy;
  const MemoryKind &memory = machine.memories[machine.coreKinds[kind].memory];
  const auto type = elementTypeFromName(work.type());
  const uint64_t bytes =
      type ? static_cast<uint64_t>(byteWidth(*type)) : uint64_t(1);
  const Quantity &perByte = isLoad ? memory.readEnergy : memory.writeEnergy;
  energy.memory =
      limited(product(product(work.count(), bytes), factor(perByte.value)));
  return energy;
}

int64_t estimateEngineStart(const Description &machine, uint32_t kind) {
  const CopyEngine &engine = machine.engines[machine.coreKinds[kind].engine];
  return timeOfCycles(factor(engine.start.value),
                      hertzOf(machine, engine.clock));
}

int64_t estimateEngine(const Description &machine, uint32_t kind,
                       uint64_t rowBytes, uint64_t rows) {
  const CopyEngine &engine = machine.engines[machine.coreKinds[kind].engine];
  // A cycle has 1000 millicycles, and a byte 1000 millibytes.
  const Wide moving = dividedUp(product(product(rowBytes, rows), 1'000'000),
                                engine.bandwidth.value);
  const Wide cycles = product(rows, factor(engine.row.value)) + moving;
  return timeOfCycles(cycles, hertzOf(machine, engine.clock));
}

uint64_t burstBytes(const MemoryKind &memory, uint64_t rowBytes,
                    uint64_t rows) {
  const uint64_t burst = std::max<uint64_t>(factor(memory.burst.value), 1);
  return static_cast<uint64_t>(std::min<Wide>(
      product(dividedUp(rowBytes, memory.burst.value) * burst, rows),
      ~uint64_t(0)));
}

uint32_t countPackets(const Description &machine, uint64_t rowBytes,
                      uint64_t rows) {
  const uint64_t most =
      std::max<uint64_t>(factor(machine.network.packet.value), 1);
  const Wide packets =
      rowBytes >= most
          ? product(rows, static_cast<uint64_t>(
                              dividedUp(rowBytes, static_cast<int64_t>(most))))
          : dividedUp(rows, static_cast<int64_t>(
                                most / std::max<uint64_t>(rowBytes, 1)));
  return static_cast<uint32_t>(std::clamp<Wide>(packets, 1, Wide(mostPackets)));
}

/// Picoseconds in which the ports of a shared memory move a copy's bytes: they
/// take turns, and one packet is at one port.
static int64_t estimatePorts(const MemoryKind &memory, uint64_t bytes,
                             uint32_t packets) {
  const auto ports =
      static_cast<int64_t>(std::max<size_t>(memory.nodes.size(), 1));
  const Wide atOne = dividedUp(
      product(bytes, static_cast<uint64_t>(dividedUp(packets, ports))),
      packets);
  return timeOfBytes(static_cast<uint64_t>(limited(atOne)),
                     memory.bandwidth.value / ports);
}

int64_t estimateCopy(const Description &machine, uint32_t core, uint32_t memory,
                     uint64_t rowBytes, uint64_t rows, uint32_t concurrentCores,
                     std::span<const uint32_t> path) {
  const uint32_t kind = machine.cores[core].kind;
  const MemoryKind &shared = machine.memories[memory];
  Wide latency = factor(shared.latency.value);
  int64_t moving = estimateEngine(machine, kind, rowBytes, rows);
  const uint64_t own = burstBytes(shared, rowBytes, rows);
  moving =
      std::max(moving, estimatePorts(shared, own,
                                     countPackets(machine, rowBytes, rows)));
  const Wide all = product(own, std::max<uint32_t>(concurrentCores, 1));
  moving = std::max(moving, timeOfBytes(static_cast<uint64_t>(limited(all)),
                                        shared.bandwidth.value));
  const auto bytes = static_cast<uint64_t>(limited(product(rowBytes, rows)));
  for (uint32_t number : path) {
    const Link &link = machine.network.links[number];
    moving = std::max(moving, timeOfBytes(bytes, link.bandwidth.value));
    latency += factor(link.latency.value);
  }
  return limited(latency +
                 static_cast<Wide>(estimateEngineStart(machine, kind)) +
                 static_cast<Wide>(moving));
}

int64_t estimateCopyEnergy(const Description &machine, uint32_t core,
                           uint32_t memory, bool isRead, uint64_t rowBytes,
                           uint64_t rows, std::span<const uint32_t> path) {
  const MemoryKind &shared = machine.memories[memory];
  const MemoryKind &own = machine.memoryOf(core);
  const Wide bytes = product(rowBytes, rows);
  const Wide bursts = burstBytes(shared, rowBytes, rows);
  auto energyOf = [](Wide moved, const Quantity &perByte) {
    return product(moved, factor(perByte.value));
  };
  Wide energy = isRead ? energyOf(bursts, shared.readEnergy) +
                             energyOf(bytes, own.writeEnergy)
                       : energyOf(bursts, shared.writeEnergy) +
                             energyOf(bytes, own.readEnergy);
  for (uint32_t number : path)
    energy += energyOf(bytes, machine.network.links[number].energy);
  return limited(energy);
}

} // namespace gensyn::machine
