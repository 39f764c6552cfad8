// The energy of what was simulated or estimated, at other numbers.

#include "gensyn/Machine/EstimateMapping.h"

#include "Accounts.h"

#include "gensyn/Machine/Estimate.h"

namespace gensyn::machine {

Energy sumEnergy(const Description &machine, const mapping::Mapping &mapping,
                 const Statistics &statistics) {
  const EnergyUse &use = statistics.use;
  Wide units = 0, cores = 0, shared = 0, links = 0;
  for (const auto &[key, count] : use.computations) {
    const auto [body, kind] = key;
    Wide unit = 0, memory = 0;
    for (const mapping::Work &work :
         mapping.bodies(static_cast<int>(body)).work()) {
      const WorkEnergy energy = estimateWorkEnergy(machine, kind, work);
      unit += static_cast<Wide>(energy.unit);
      memory += static_cast<Wide>(energy.memory);
    }
    units += product(factor(limited(unit)), count);
    cores += product(factor(limited(memory)), count);
  }
  for (size_t i = 0; i < machine.memories.size(); ++i) {
    const MemoryKind &memory = machine.memories[i];
    (memory.nodes.empty() ? cores : shared) +=
        product(use.bytesRead[i], factor(memory.readEnergy.value)) +
        product(use.bytesWritten[i], factor(memory.writeEnergy.value));
  }
  for (size_t i = 0; i < machine.network.links.size(); ++i)
    links += product(statistics.linkBytes[i],
                     factor(machine.network.links[i].energy.value));
  // As in a simulation.
  auto narrow = [](Wide value) {
    return static_cast<int64_t>(std::min(value, Wide(1) << 60));
  };
  Energy energy;
  energy.units = narrow(units);
  energy.coreMemories = narrow(cores);
  energy.sharedMemories = narrow(shared);
  energy.links = narrow(links);
  energy.signals =
      narrow(product(use.signals, factor(machine.network.signalEnergy.value)));
  energy.standby = narrow(
      product(standbyPower(machine), factor(statistics.time)) / 1'000'000);
  return energy;
}

} // namespace gensyn::machine
