// The energy of a simulation as an interval; see Report.h.

#include "Energy.h"

#include "gensyn/Machine/EstimateMapping.h"
#include "gensyn/Machine/Report.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Times.h"

namespace gensyn::machine {

/// All numbers that are energies or powers.
template <class Machine, class Function>
static void forEachEnergy(Machine &machine, const Function &function) {
  for (auto &unit : machine.units)
    for (auto &rate : unit.rates)
      function(rate.energy);
  for (auto &memory : machine.memories) {
    function(memory.readEnergy);
    function(memory.writeEnergy);
    function(memory.standby);
  }
  for (auto &kind : machine.coreKinds)
    function(kind.idle);
  for (auto &link : machine.network.links)
    function(link.energy);
  function(machine.network.signalEnergy);
}

std::span<const EnergyPart> energyParts() {
  static constexpr EnergyPart parts[] = {
      {&Energy::units, "units", "units"},
      {&Energy::coreMemories, "memories of cores", "core_memories"},
      {&Energy::sharedMemories, "shared memories", "shared_memories"},
      {&Energy::links, "links", "links"},
      {&Energy::signals, "signals", "signals"},
      {&Energy::standby, "standby", "standby"},
  };
  return parts;
}

Description atEnergyEnd(const Description &machine, int64_t Quantity::*end) {
  Description result = machine;
  forEachEnergy(result,
                [&](Quantity &quantity) { quantity.value = quantity.*end; });
  return result;
}

EnergyEnds energyEndsOf(const MappedProgram &program,
                        const Statistics &statistics) {
  const Description &machine = program.getMachine();
  bool isExact = true;
  forEachEnergy(machine, [&](const Quantity &quantity) {
    isExact &= quantity.low == quantity.high;
  });
  if (isExact)
    return {statistics.energy, statistics.energy};
  auto sumAt = [&](int64_t Quantity::*end) {
    return sumEnergy(atEnergyEnd(machine, end), program.getMapping(),
                     statistics);
  };
  return {sumAt(&Quantity::low), sumAt(&Quantity::high)};
}

Interval energyOf(const MappedProgram &program, const Statistics &statistics) {
  const EnergyEnds ends = energyEndsOf(program, statistics);
  const int64_t total = statistics.energy.total();
  return {total, std::min(ends.low.total(), total),
          std::max(ends.high.total(), total)};
}

} // namespace gensyn::machine
