// Sums over the cores and memories of a machine.

#include "Units.h"
#include "gensyn/Machine/DescribeMachine.h"

#include <algorithm>

namespace gensyn::machine {

static int64_t saturate(Wide value) {
  return int64_t(std::min<Wide>(value, INT64_MAX));
}

static void add(Interval &sum, const Interval &part) {
  sum.value = saturate(Wide(sum.value) + part.value);
  sum.low = saturate(Wide(sum.low) + part.low);
  sum.high = saturate(Wide(sum.high) + part.high);
}

static Interval intervalOf(const Quantity &number) {
  return {number.value, number.low, number.high};
}

Totals totalsOf(const Description &machine) {
  Totals totals;
  totals.cores = machine.cores.size();
  for (uint32_t i = 0; i < machine.cores.size(); ++i) {
    totals.deadCores += machine.cores[i].isDead;
    add(totals.coreMemory, intervalOf(machine.memoryOf(i).size));
  }
  for (uint32_t i : machine.sharedMemories()) {
    add(totals.sharedMemory, intervalOf(machine.memories[i].size));
    add(totals.sharedBandwidth, intervalOf(machine.memories[i].bandwidth));
  }
  for (const Source &source : machine.sources) {
    totals.numbers += source.numbers;
    if (source.kind == Source::Kind::Assumed)
      totals.assumed += source.numbers;
  }
  return totals;
}

/// The first rate of a unit for contractions of a type; null if it has none.
static const Rate *findRate(const ComputeUnit &unit, const std::string &type) {
  for (const Rate &rate : unit.rates)
    if (rate.operation == "multiply_add" &&
        (rate.types.empty() || std::find(rate.types.begin(), rate.types.end(),
                                         type) != rate.types.end()))
      return &rate;
  return nullptr;
}

static int64_t perSecond(Wide points, int64_t hertz, int64_t millicycles) {
  // At most 2^49 * 10^15.
  return saturate(points * hertz * 1000 / std::max<int64_t>(millicycles, 1));
}

Interval peakOf(const Description &machine, const std::string &type) {
  std::vector<Interval> ofKind(machine.coreKinds.size());
  for (size_t i = 0; i < ofKind.size(); ++i)
    for (uint32_t number : machine.coreKinds[i].units) {
      const ComputeUnit &unit = machine.units[number];
      const Rate *rate = findRate(unit, type);
      if (!rate)
        continue;
      const Quantity &clock = machine.clocks[unit.clock].frequency;
      auto consider = [&](Wide points, const Quantity &cycles) {
        const Interval peak = {perSecond(points * 2, clock.value, cycles.value),
                               perSecond(points * 2, clock.low, cycles.high),
                               perSecond(points * 2, clock.high, cycles.low)};
        if (peak.value > ofKind[i].value)
          ofKind[i] = peak;
      };
      for (const Arrangement &own : rate->arrangements)
        consider(Wide(own.points()), own.cycles);
      if (rate->arrangements.empty())
        consider(Wide(rate->step[0]) * rate->step[1] * rate->step[2],
                 rate->cycles);
    }
  Interval sum;
  for (const Core &core : machine.cores)
    add(sum, ofKind[core.kind]);
  return sum;
}

} // namespace gensyn::machine
