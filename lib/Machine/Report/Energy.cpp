// The energy of a simulation as an interval; see Report.h.

#include "gensyn/Machine/Report.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Times.h"

namespace gensyn::machine {

/// All numbers that are energies or powers.
template <class Function>
static void forEachEnergy(Description &machine, const Function &function) {
  for (ComputeUnit &unit : machine.units)
    for (Rate &rate : unit.rates)
      function(rate.energy);
  for (MemoryKind &memory : machine.memories) {
    function(memory.readEnergy);
    function(memory.writeEnergy);
    function(memory.standby);
  }
  for (CoreKind &kind : machine.coreKinds)
    function(kind.idle);
  for (Link &link : machine.network.links)
    function(link.energy);
  function(machine.network.signalEnergy);
}

/// The energy of each segment at the machine's numbers, times its runs.
static int64_t sumSegments(const MappedProgram &program,
                           const Description &machine,
                           const Statistics &statistics) {
  const mapping::Mapping &mapping = program.getMapping();
  Simulator simulator(machine, program.getPlan(), mapping);
  Wide sum = 0;
  int64_t before = 0;
  for (int i = 0; i < mapping.segments_size(); ++i) {
    const auto &launches = mapping.segments(i).launches();
    const uint64_t runs =
        launches.empty() ? 0 : statistics.launches[launches[0]].runs;
    if (!runs)
      continue;
    simulator.run(static_cast<size_t>(i));
    const int64_t after = simulator.statistics().energy.total();
    sum += product(static_cast<Wide>(after - before), runs);
    before = after;
  }
  return limited(sum);
}

Interval energyOf(const MappedProgram &program, const Statistics &statistics) {
  const int64_t total = statistics.energy.total();
  Interval interval = {total, total, total};
  Description machine = program.getMachine();
  bool isExact = true;
  forEachEnergy(machine, [&](Quantity &quantity) {
    isExact &= quantity.low == quantity.high;
  });
  if (isExact)
    return interval;
  forEachEnergy(machine,
                [](Quantity &quantity) { quantity.value = quantity.low; });
  interval.low = std::min(sumSegments(program, machine, statistics), total);
  forEachEnergy(machine,
                [](Quantity &quantity) { quantity.value = quantity.high; });
  interval.high = std::max(sumSegments(program, machine, statistics), total);
  return interval;
}

} // namespace gensyn::machine
