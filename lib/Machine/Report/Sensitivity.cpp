// Estimates a mapping at other values of its machine; see Sensitivity.h.

#include "gensyn/Machine/Sensitivity.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/EstimateMapping.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace gensyn::machine {

std::vector<std::vector<bool>> findUsedRates(const MappedProgram &program) {
  const Description &machine = program.getMachine();
  std::vector<std::vector<bool>> used;
  for (const ComputeUnit &unit : machine.units)
    used.emplace_back(unit.rates.size());
  for (const mapping::Body &body : program.getMapping().bodies())
    for (const mapping::Work &work : body.work()) {
      if (work.unit() >= machine.units.size())
        continue;
      const ComputeUnit &unit = machine.units[work.unit()];
      if (const Rate *rate = findRate(unit, work))
        used[work.unit()][static_cast<size_t>(rate - unit.rates.data())] = true;
    }
  return used;
}

double elasticity(int64_t costAtLow, int64_t costAtHigh, int64_t low,
                  int64_t high) {
  if (costAtLow <= 0 || costAtHigh <= 0 || low >= high)
    return 0;
  // A number that may be 0 has no logarithm there.
  const double least = std::max<double>(static_cast<double>(low),
                                        static_cast<double>(high) * 1e-3);
  return std::log(static_cast<double>(costAtHigh) /
                  static_cast<double>(costAtLow)) /
         std::log(static_cast<double>(high) / least);
}

/// Pointers to the numbers of rates that no body uses.
static std::set<std::string> listUnused(const MappedProgram &program) {
  std::set<std::string> pointers;
  const auto used = findUsedRates(program);
  for (size_t unit = 0; unit < used.size(); ++unit)
    for (size_t rate = 0; rate < used[unit].size(); ++rate)
      if (!used[unit][rate])
        for (const char *key : {"cycles", "energy"})
          pointers.insert("/units/" + std::to_string(unit) + "/rates/" +
                          std::to_string(rate) + "/" + key);
  return pointers;
}

Sensitivities findSensitivities(const MappedProgram &program,
                                const std::vector<MachineNumber> &numbers) {
  const Description &machine = program.getMachine();
  auto estimate = [&](const Description &changed) {
    return estimateMapping(changed, program.getPlan(), program.getMapping());
  };
  Sensitivities result;
  const Statistics base = estimate(machine);
  result.time = base.time;
  result.energy = base.energy.total();
  const std::set<std::string> unused = listUnused(program);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const MachineNumber &number = numbers[i];
    const Quantity &quantity = number.quantity;
    const bool isBound = quantity.unit == Unit::Bits ||
                         number.pointer.ends_with("/size") ||
                         number.pointer.ends_with("/reserved");
    if (isBound || unused.contains(number.pointer)) {
      result.without.push_back(i);
      continue;
    }
    Sensitivity row;
    row.number = i;
    row.low = quantity.low;
    row.high = quantity.high;
    if (row.low == row.high) {
      constexpr int64_t part = 10;
      const int64_t tenth = std::max<int64_t>(quantity.value / part, 1);
      row.low = std::max<int64_t>(quantity.value - tenth,
                                  std::min<int64_t>(quantity.value, 1));
      row.high = quantity.value + tenth;
    }
    for (auto [value, time, energy] :
         {std::tuple(row.low, &row.timeAtLow, &row.energyAtLow),
          std::tuple(row.high, &row.timeAtHigh, &row.energyAtHigh)}) {
      *time = result.time;
      *energy = result.energy;
      if (value == quantity.value)
        continue;
      const NumberChange change = {&number, value};
      const Statistics found = estimate(parseDescription(
          changeNumbers(machine.text, {&change, 1}), machine.name));
      *time = found.time;
      *energy = found.energy.total();
    }
    result.numbers.push_back(row);
  }
  return result;
}

} // namespace gensyn::machine
