// Sums up energies and bytes; see Accounts.h.

#include "Accounts.h"

#include <algorithm>

namespace gensyn::machine {

Accounts::Accounts(const Description &machine, size_t launches)
    : machine(machine), launches(launches) {
  statistics.cores.resize(machine.cores.size());
  statistics.launches.resize(launches);
  statistics.linkBytes.resize(machine.network.links.size());
  statistics.linkBusy.resize(machine.network.links.size());
  statistics.memoryBytes.resize(machine.memories.size());
  statistics.memoryBusy.resize(machine.memories.size());
  for (uint32_t core = 0; core < machine.cores.size(); ++core)
    if (!machine.cores[core].isDead)
      power += Wide(factor(machine.kindOf(core).idle.value)) +
               factor(machine.memoryOf(core).standby.value);
  for (const MemoryKind &memory : machine.memories)
    if (!memory.nodes.empty())
      power += factor(memory.standby.value);
}

void Accounts::add(const Program &program, uint32_t launch, const Cost &cost) {
  auto wide = [](int64_t value) { return static_cast<Wide>(value); };
  units += wide(cost.units);
  coreMemories += wide(cost.coreMemories);
  sharedMemories += wide(cost.sharedMemories);
  links += wide(cost.links);
  launches[launch] += wide(cost.units) + wide(cost.coreMemories) +
                      wide(cost.sharedMemories) + wide(cost.links);
  LaunchStatistics &sums = statistics.launches[launch];
  sums.bytesRead += cost.bytesRead;
  sums.bytesWritten += cost.bytesWritten;
  for (uint32_t i = 0; i < cost.traffic; ++i) {
    const Traffic &traffic = program.traffic[cost.firstTraffic + i];
    auto &bytes =
        traffic.isMemory ? statistics.memoryBytes : statistics.linkBytes;
    auto &busy = traffic.isMemory ? statistics.memoryBusy : statistics.linkBusy;
    bytes[traffic.number] += traffic.bytes;
    busy[traffic.number] += traffic.busy;
  }
}

void Accounts::addSignals(uint32_t launch, uint64_t count) {
  const Wide energy =
      product(count, factor(machine.network.signalEnergy.value));
  signals += energy;
  launches[launch] += energy;
}

const Statistics &Accounts::finish() {
  // Far more than any machine needs, and six of them still fit together.
  constexpr Wide most = Wide(1) << 60;
  auto narrow = [](Wide value) {
    return static_cast<int64_t>(value < most ? value : most);
  };
  Energy &energy = statistics.energy;
  energy.units = narrow(units);
  energy.coreMemories = narrow(coreMemories);
  energy.sharedMemories = narrow(sharedMemories);
  energy.links = narrow(links);
  energy.signals = narrow(signals);
  energy.standby = narrow(standby / 1'000'000);
  for (size_t i = 0; i < launches.size(); ++i)
    statistics.launches[i].energy = narrow(launches[i]);
  return statistics;
}

} // namespace gensyn::machine
