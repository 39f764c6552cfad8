// Where the energy of a run goes, by parts that add up exactly.

#include "../Energy.h"
#include "Html.h"
#include "PageData.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Estimate.h"

#include <algorithm>
#include <map>

namespace gensyn::machine::page {

namespace {

/// Parts with names, in the order of the machine file.
using Parts = std::vector<std::pair<std::string, int64_t>>;

/// How often each body is computed by each kind of core.
std::map<std::pair<uint32_t, uint32_t>, uint64_t>
countBodies(const PageData &data) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> counts;
  for (const mapping::Segment &segment : data.program.getMapping().segments()) {
    const std::map<uint32_t, uint64_t> runs = countRuns(segment, data.run);
    for (const mapping::Core &core : segment.cores())
      for (const mapping::Task &task : core.tasks())
        if (task.has_compute())
          counts[{task.compute().body(),
                  data.machine().cores[core.core()].kind}] +=
              runs.at(task.launch());
  }
  return counts;
}

Parts sumUnits(const PageData &data, const Description &machine) {
  std::vector<Wide> sums(machine.units.size());
  for (const auto &[key, count] : countBodies(data))
    for (const mapping::Work &work :
         data.program.getMapping().bodies(static_cast<int>(key.first)).work())
      sums[work.unit()] += product(
          factor(estimateWorkEnergy(machine, key.second, work).unit), count);
  Parts parts;
  for (size_t i = 0; i < sums.size(); ++i)
    if (sums[i])
      parts.emplace_back(machine.units[i].name, limited(sums[i]));
  return parts;
}

/// The share of an energy that each power has, rounded so that they add up.
Parts shareOut(const std::vector<std::pair<std::string, Wide>> &powers,
               int64_t energy) {
  Wide all = 0, before = 0, given = 0;
  for (const auto &[name, power] : powers)
    all += power;
  Parts parts;
  for (const auto &[name, power] : powers) {
    if (!power)
      continue;
    before += power;
    const Wide until = factor(energy) * before / all;
    parts.emplace_back(name, static_cast<int64_t>(until - given));
    given = until;
  }
  return parts;
}

Parts splitStandby(const Description &machine, int64_t energy) {
  std::vector<std::pair<std::string, Wide>> powers;
  for (const CoreKind &kind : machine.coreKinds)
    powers.emplace_back("cores " + kind.name, 0);
  std::map<std::string, size_t> known;
  auto add = [&](const std::string &name, int64_t power) {
    const auto [found, isNew] = known.try_emplace(name, powers.size());
    if (isNew)
      powers.emplace_back(name, 0);
    powers[found->second].second += factor(power);
  };
  for (uint32_t core = 0; core < machine.cores.size(); ++core) {
    if (machine.cores[core].isDead)
      continue;
    powers[machine.cores[core].kind].second +=
        factor(machine.kindOf(core).idle.value);
    add(machine.memoryOf(core).name, machine.memoryOf(core).standby.value);
  }
  for (uint32_t memory : machine.sharedMemories()) {
    const MemoryKind &kind = machine.memories[memory];
    add(kind.name.substr(0, kind.name.find('[')), kind.standby.value);
  }
  return shareOut(powers, energy);
}

int64_t sumOf(const Parts &parts) {
  Wide sum = 0;
  for (const auto &[name, energy] : parts)
    sum += factor(energy);
  return limited(sum);
}

class Tree {
public:
  explicit Tree(int64_t most) : most(std::max<int64_t>(most, 1)) {}

  void add(int level, const std::string &name, const Interval &energy,
           int64_t whole) {
    auto at = [&](int64_t value) {
      return 100 * static_cast<double>(value) / static_cast<double>(most);
    };
    rows += "<tr class=\"l" + std::to_string(level) + "\" data-fj=\"" +
            std::to_string(energy.value) + "\">" + cell(name) +
            figureCell(printEnergy(energy.value), Origin::Energy) +
            figureCell(printPercent(static_cast<Wide>(energy.value),
                                    static_cast<Wide>(whole)),
                       Origin::Energy) +
            figureCell(printEnergy(energy.low), Origin::Energy) +
            figureCell(printEnergy(energy.high), Origin::Energy) +
            "<td class=\"bar\"><svg viewBox=\"0 0 100 10\" "
            "preserveAspectRatio=\"none\"><rect class=\"e" +
            std::to_string(level) + "\"" + box(0, 1, at(energy.value), 8) +
            "/><path class=\"whisker\" d=\"M" + coordinate(at(energy.low)) +
            " 5H" + coordinate(at(energy.high)) + "\"/></svg></td></tr>\n";
  }
  std::string print() const { return rows; }

private:
  int64_t most;
  std::string rows;
};

} // namespace

std::string makeEnergy(const PageData &data) {
  const Energy &value = data.run.energy, &low = data.ends.low,
               &high = data.ends.high;
  const Description atLow = atEnergyEnd(data.machine(), &Quantity::low),
                    atHigh = atEnergyEnd(data.machine(), &Quantity::high);
  Tree tree(data.report.totalEnergy.high);
  tree.add(0, "energy of a run", data.report.totalEnergy, value.total());
  /// Parts at the value and at both ends; a part may be 0 at one of them.
  auto addParts = [&](const Parts &parts, const Parts &lows,
                      const Parts &highs) {
    auto find = [](const Parts &list, const std::string &name) {
      for (const auto &[key, energy] : list)
        if (key == name)
          return energy;
      return int64_t(0);
    };
    for (const auto &[name, energy] : parts)
      tree.add(2, name,
               {energy, std::min(find(lows, name), energy),
                std::max(find(highs, name), energy)},
               value.total());
  };
  for (const EnergyPart &part : energyParts()) {
    const int64_t own = value.*part.energy;
    tree.add(1, part.name,
             {own, std::min(low.*part.energy, own),
              std::max(high.*part.energy, own)},
             value.total());
    if (part.energy == &Energy::units) {
      // Sums of very many are cut off, and then do not add up.
      if (const Parts parts = sumUnits(data, data.machine());
          sumOf(parts) == own)
        addParts(parts, sumUnits(data, atLow), sumUnits(data, atHigh));
    } else if (part.energy == &Energy::standby) {
      addParts(splitStandby(data.machine(), own),
               splitStandby(atLow, low.standby),
               splitStandby(atHigh, high.standby));
    }
  }
  return section(
      "energy", "Energy",
      "<div class=\"wide\"><table id=\"energytree\">" +
          headRow({"part", "#energy", "#share", "#low", "#high",
                   "value, and from low to high"}) +
          tree.print() +
          "</table></div>\n<p>Low and high are the ends that the intervals of "
          "all energies and powers in the machine file have together, at the "
          "time of this run. Parts add up exactly.</p>\n");
}

} // namespace gensyn::machine::page
