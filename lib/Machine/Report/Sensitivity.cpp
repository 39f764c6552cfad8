// Estimates a mapping at other values of its machine; see Sensitivity.h.

#include "gensyn/Machine/Sensitivity.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Estimate.h"
#include "gensyn/Machine/EstimateMapping.h"
#include "gensyn/Machine/Report.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

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

namespace {

/// Estimates a mapping with some numbers changed.
class Estimator {
public:
  explicit Estimator(const MappedProgram &program) : program(program) {}

  Statistics run() const { return estimate(program.getMachine()); }
  Statistics run(const NumberChange &change) const {
    return estimate(changed({change}));
  }

  /// With other energies and powers, which leave times as they are in `base`.
  Energy sum(const std::vector<NumberChange> &changes,
             const Statistics &base) const {
    return sumEnergy(changed(changes), program.getMapping(), base);
  }

private:
  Description changed(const std::vector<NumberChange> &changes) const {
    const Description &machine = program.getMachine();
    return parseDescription(changeNumbers(machine.text, changes), machine.name);
  }
  Statistics estimate(const Description &machine) const {
    return estimateMapping(machine, program.getPlan(), program.getMapping());
  }

  const MappedProgram &program;
};

} // namespace

/// The part of the energy that a number is a factor of; null for one that is
/// not an energy or a power.
static int64_t Energy::*partOf(const Description &machine,
                               const MachineNumber &number) {
  const std::string &pointer = number.pointer;
  if (number.quantity.unit == Unit::Nanowatts)
    return &Energy::standby;
  if (number.quantity.unit != Unit::Femtojoules &&
      number.quantity.unit != Unit::FemtojoulesPerByte)
    return nullptr;
  if (pointer.starts_with("/units/"))
    return &Energy::units;
  if (pointer == "/network/signal_energy")
    return &Energy::signals;
  if (!pointer.starts_with("/memories/"))
    return &Energy::links;
  // Memories of chips have their chip behind the name.
  std::string name = number.path.substr(0, number.path.rfind('.'));
  if (name.starts_with("memories."))
    name = name.substr(name.find('.') + 1);
  for (const MemoryKind &memory : machine.memories)
    if (memory.name == name || memory.name.starts_with(name + "["))
      return memory.nodes.empty() ? &Energy::coreMemories
                                  : &Energy::sharedMemories;
  return &Energy::sharedMemories;
}

/// The ends of a number's interval, or a tenth less and more.
static Sensitivity makeRow(size_t index, const Quantity &quantity,
                           const Sensitivities &base) {
  Sensitivity row;
  row.number = index;
  row.low = quantity.low;
  row.high = quantity.high;
  if (row.low == row.high) {
    constexpr int64_t part = 10;
    const int64_t tenth = std::max<int64_t>(quantity.value / part, 1);
    row.low = std::max<int64_t>(quantity.value - tenth,
                                std::min<int64_t>(quantity.value, 1));
    row.high = quantity.value + tenth;
  }
  row.timeAtLow = row.timeAtHigh = base.time;
  row.energyAtLow = row.energyAtHigh = base.energy;
  return row;
}

/// Calls `act` with each number below `count`, on several threads.
static void forEachInParallel(size_t count,
                              const std::function<void(size_t)> &act) {
  // Each has tables of all tasks.
  constexpr unsigned mostThreads = 8;
  const size_t threads = std::min<size_t>(
      count, std::clamp(std::thread::hardware_concurrency(), 1u, mostThreads));
  std::atomic<size_t> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  auto work = [&] {
    try {
      for (size_t number; (number = next++) < count;)
        act(number);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      error = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < threads; ++i)
    others.emplace_back(work);
  work();
  for (std::thread &other : others)
    other.join();
  if (error)
    std::rethrow_exception(error);
}

/// A part of the energy is a sum of products with its numbers, and no number is
/// in two parts: one of each part is changed at once, to one other value.
static void
findEnergies(const Estimator &estimator, const Statistics &statistics,
             const std::vector<MachineNumber> &numbers,
             const std::map<int64_t, std::vector<Sensitivity *>> &rowsOfPart) {
  const std::span<const EnergyPart> parts = energyParts();
  const Energy &base = statistics.energy;
  size_t rounds = 0;
  for (const auto &[part, rows] : rowsOfPart)
    rounds = std::max(rounds, rows.size());
  auto valueOf = [&](const Sensitivity &row) {
    const int64_t value = numbers[row.number].quantity.value;
    return row.low != value ? row.low : row.high;
  };
  std::vector<Energy> sums(rounds);
  forEachInParallel(rounds, [&](size_t round) {
    std::vector<NumberChange> changes;
    for (const auto &[part, rows] : rowsOfPart)
      if (round < rows.size())
        changes.push_back(
            {&numbers[rows[round]->number], valueOf(*rows[round])});
    sums[round] = estimator.sum(changes, statistics);
  });
  for (size_t round = 0; round < rounds; ++round) {
    const Energy &found = sums[round];
    for (const auto &[part, rows] : rowsOfPart) {
      if (round >= rows.size())
        continue;
      Sensitivity &row = *rows[round];
      const auto member = parts[static_cast<size_t>(part)].energy;
      const auto change =
          static_cast<double>(found.*member - base.*member) /
          static_cast<double>(valueOf(row) -
                              numbers[row.number].quantity.value);
      auto at = [&](int64_t value) {
        const int64_t more = value - numbers[row.number].quantity.value;
        return value == valueOf(row)
                   ? found.*member - base.*member
                   : std::llround(change * static_cast<double>(more));
      };
      row.energyAtLow += at(row.low);
      row.energyAtHigh += at(row.high);
    }
  }
}

/// Times and energies at both ends of a number that is neither an energy nor a
/// power. Returns the problem of a value at which the mapping cannot run.
static std::string findTimes(const Estimator &estimator,
                             const MachineNumber &number, Sensitivity &row) {
  std::string problem;
  for (auto [value, time, energy] :
       {std::tuple(row.low, &row.timeAtLow, &row.energyAtLow),
        std::tuple(row.high, &row.timeAtHigh, &row.energyAtHigh)}) {
    if (value == number.quantity.value)
      continue;
    try {
      const Statistics found = estimator.run(NumberChange{&number, value});
      *time = found.time;
      *energy = found.energy.total();
    } catch (const Failure &failure) {
      if (problem.empty())
        problem = "Not known for " + number.path + " = " +
                  printQuantity(value, number.quantity.unit) + ": " +
                  failure.what();
    }
  }
  return problem;
}

Sensitivities findSensitivities(const MappedProgram &program,
                                const std::vector<MachineNumber> &numbers) {
  const Description &machine = program.getMachine();
  const Estimator estimator(program);
  Sensitivities result;
  const Statistics base = estimator.run();
  result.time = base.time;
  result.energy = base.energy.total();
  const std::set<std::string> unused = listUnused(program);
  std::map<int64_t, std::vector<Sensitivity *>> rowsOfPart;
  std::vector<Sensitivity *> timed;
  result.numbers.reserve(numbers.size());
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
    Sensitivity &row =
        result.numbers.emplace_back(makeRow(i, quantity, result));
    if (const auto part = partOf(machine, number)) {
      const std::span<const EnergyPart> parts = energyParts();
      const auto found =
          std::find_if(parts.begin(), parts.end(), [&](const EnergyPart &one) {
            return one.energy == part;
          });
      rowsOfPart[found - parts.begin()].push_back(&row);
      continue;
    }
    timed.push_back(&row);
  }
  std::vector<std::string> problems(timed.size());
  forEachInParallel(timed.size(), [&](size_t i) {
    problems[i] = findTimes(estimator, numbers[timed[i]->number], *timed[i]);
  });
  for (const std::string &problem : problems)
    if (result.problem.empty())
      result.problem = problem;
  findEnergies(estimator, base, numbers, rowsOfPart);
  return result;
}

} // namespace gensyn::machine
