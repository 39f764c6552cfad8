// The energy of a simulation as an interval; see Report.h.

#include "Energy.h"

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

/// The energy of each segment at the machine's numbers, times its runs.
static Energy sumSegments(const MappedProgram &program,
                          const Description &machine,
                          const Statistics &statistics) {
  const mapping::Mapping &mapping = program.getMapping();
  Simulator simulator(machine, program.getPlan(), mapping);
  Energy sum, before;
  for (int i = 0; i < mapping.segments_size(); ++i) {
    const auto &launches = mapping.segments(i).launches();
    const uint64_t runs =
        launches.empty() ? 0 : statistics.launches[launches[0]].runs;
    if (!runs)
      continue;
    simulator.run(static_cast<size_t>(i));
    const Energy after = simulator.statistics().energy;
    for (const EnergyPart &part : energyParts())
      sum.*part.energy = limited(
          factor(sum.*part.energy) +
          product(factor(after.*part.energy - before.*part.energy), runs));
    before = after;
  }
  return sum;
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
  return {
      sumSegments(program, atEnergyEnd(machine, &Quantity::low), statistics),
      sumSegments(program, atEnergyEnd(machine, &Quantity::high), statistics)};
}

Interval energyOf(const MappedProgram &program, const Statistics &statistics) {
  const EnergyEnds ends = energyEndsOf(program, statistics);
  const int64_t total = statistics.energy.total();
  return {total, std::min(ends.low.total(), total),
          std::max(ends.high.total(), total)};
}

} // namespace gensyn::machine
