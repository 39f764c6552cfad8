// Puts a page together; see ReportPage.h.

#include "Html.h"
#include "PageData.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace gensyn::machine {

namespace page {

std::map<uint32_t, uint64_t> countRuns(const mapping::Segment &segment,
                                       const Statistics &statistics) {
  std::map<uint32_t, uint64_t> runs;
  for (int i = 0; i < segment.launches_size(); ++i) {
    uint64_t &own = runs[segment.launches(i)];
    own += statistics.launches[segment.launches(i)].runs;
    for (const mapping::Repetition &repetition : segment.repetitions())
      own += statistics.launches[repetition.launches(i)].runs;
  }
  return runs;
}

/// Cores are shown by chip, or by node where there is one chip.
static std::vector<uint32_t> groupCores(const Description &machine,
                                        std::vector<std::string> &names) {
  constexpr size_t mostGroups = 48;
  std::vector<uint32_t> group(machine.cores.size());
  // Of the nodes with cores, in their order.
  std::vector<uint32_t> number(machine.network.nodes, 0);
  for (const Core &core : machine.cores)
    number[core.node] = 1;
  std::exclusive_scan(number.begin(), number.end(), number.begin(), 0u);
  const bool isByChip = machine.chips > 1;
  uint32_t count = 0;
  for (size_t i = 0; i < group.size(); ++i) {
    group[i] = isByChip ? machine.cores[i].chip : number[machine.cores[i].node];
    count = std::max(count, group[i] + 1);
  }
  const uint32_t each =
      static_cast<uint32_t>((count + mostGroups - 1) / mostGroups);
  std::vector<std::pair<uint32_t, uint32_t>> ends(
      each ? (count + each - 1) / each : 0, {~uint32_t(0), 0});
  for (uint32_t i = 0; i < group.size(); ++i) {
    group[i] /= each;
    auto &[first, last] = ends[group[i]];
    const uint32_t own = isByChip ? machine.cores[i].chip : i;
    first = std::min(first, own);
    last = std::max(last, own);
  }
  const std::string noun = isByChip ? "chip" : "core";
  for (const auto &[first, last] : ends)
    names.push_back(first == last ? noun + " " + std::to_string(first)
                                  : noun + "s " + std::to_string(first) +
                                        " to " + std::to_string(last));
  return group;
}

/// The busiest core, the one with the fullest memory, and one in the middle.
static std::vector<ChosenCore> chooseCores(const PageData &data) {
  std::vector<uint32_t> used;
  const std::vector<CoreStatistics> &cores = data.run.cores;
  for (uint32_t core = 0; core < cores.size(); ++core)
    if (cores[core].compute.busy || cores[core].copy.busy)
      used.push_back(core);
  std::vector<ChosenCore> chosen;
  auto add = [&](uint32_t core, const char *why) {
    if (std::none_of(
            chosen.begin(), chosen.end(),
            [&](const ChosenCore &other) { return other.core == core; }))
      chosen.push_back({core, why});
  };
  if (used.empty())
    return chosen;
  auto computesLess = [&](uint32_t a, uint32_t b) {
    return cores[a].compute.busy < cores[b].compute.busy;
  };
  add(*std::max_element(used.begin(), used.end(), computesLess), "busiest");
  add(*std::max_element(used.begin(), used.end(),
                        [&](uint32_t a, uint32_t b) {
                          return cores[a].memoryPeak < cores[b].memoryPeak;
                        }),
      "fullest memory");
  std::stable_sort(used.begin(), used.end(), computesLess);
  add(used[used.size() / 2], "median");
  return chosen;
}

/// Cores that copy into the memory of one of these cores.
static std::vector<uint32_t> findCopying(const mapping::Mapping &mapping,
                                         const std::vector<uint32_t> &cores) {
  auto isOne = [&](const mapping::Location &location) {
    return location.memory_case() == mapping::Location::kCore &&
           std::find(cores.begin(), cores.end(), location.core()) !=
               cores.end();
  };
  std::set<uint32_t> found;
  for (const mapping::Segment &segment : mapping.segments())
    for (const mapping::Core &core : segment.cores())
      for (const mapping::Task &task : core.tasks())
        if (task.has_copy() && (isOne(task.copy().to()) ||
                                std::any_of(task.copy().others().begin(),
                                            task.copy().others().end(), isOne)))
          found.insert(core.core());
  return {found.begin(), found.end()};
}

PageData::PageData(const MappedProgram &program, const PageContent &content)
    : program(program), content(content),
      run(content.run ? *content.run : simulateRun(program)),
      preparation(simulatePreparation(program)),
      report(makeReport(program, run)), ends(energyEndsOf(program, run)),
      facts(describeMapping(program, run, preparation)),
      numbers(listNumbers(program.getMachine())), plan(program.getMachine()) {
  chosen = chooseCores(*this);
  RunRecord::Parts parts;
  parts.groupOfCore = groupCores(machine(), groups);
  parts.kernels = report.kernels.size();
  parts.groups = groups.size();
  parts.cells = plan.cells.size();
  parts.cellOfCore = plan.cellOfCore;
  parts.kernelOfLaunch.assign(run.launches.size(), ~uint32_t(0));
  for (size_t i = 0; i < report.kernels.size(); ++i)
    for (uint32_t launch : report.kernels[i].launches)
      parts.kernelOfLaunch[launch] = static_cast<uint32_t>(i);
  for (const ChosenCore &core : chosen)
    parts.chosen.push_back(core.core);
  parts.copying = findCopying(program.getMapping(), parts.chosen);
  record.emplace(std::move(parts), run.time);
  // Again, now that it is known which cores to look at.
  (void)simulateRun(program,
                    [&](const TraceEvent &event) { record->add(event); });
}

/// What the script shows of each cell of the floor plan.
static OrderedJson describeCells(const PageData &data) {
  // So that the page stays small.
  constexpr size_t fewCells = 2000;
  const size_t mostKernels = data.plan.cells.size() <= fewCells ? 8 : 3;
  OrderedJson names = OrderedJson::array(), busy = names, copy = names,
              fill = names, energy = names, bytes = names, kernels = names;
  for (size_t i = 0; i < data.plan.cells.size(); ++i) {
    const Cell &cell = data.plan.cells[i];
    Wide computing = 0, copying = 0, used = 0, moved = 0, spent = 0;
    uint64_t most = 0, usable = 1;
    for (uint32_t core : cell.cores) {
      const CoreStatistics &sums = data.run.cores[core];
      computing += factor(sums.compute.busy);
      copying += factor(sums.copy.busy);
      moved += sums.bytesIn + sums.bytesOut;
      spent += factor(sums.energy);
      used = std::max<Wide>(used, sums.memoryPeak);
      most = std::max(most, sums.memoryPeak);
      const MemoryKind &own = data.machine().memoryOf(core);
      usable = factor(own.size.value - own.reserved.value);
    }
    const Wide all =
        factor(data.run.time) * std::max<Wide>(cell.cores.size(), 1);
    // Thousandths.
    auto share = [](Wide part, Wide whole) {
      return whole ? static_cast<uint64_t>(part * 1000 / whole) : 0;
    };
    names.push_back(data.plan.nameOf(data.machine(), cell));
    busy.push_back(share(computing, all));
    copy.push_back(share(copying, all));
    fill.push_back(share(used, std::max<uint64_t>(usable, 1)));
    energy.push_back(limited(spent));
    bytes.push_back(limited(moved));
    std::vector<size_t> order(data.report.kernels.size());
    std::iota(order.begin(), order.end(), size_t(0));
    auto timeOf = [&](size_t kernel) {
      const Busy &own = data.record->inCell(i, kernel);
      return own.compute + own.copy;
    };
    const size_t shown = std::min(mostKernels, order.size());
    std::partial_sort(order.begin(), order.begin() + ptrdiff_t(shown),
                      order.end(), [&](size_t a, size_t b) {
                        return std::pair(-timeOf(a), a) <
                               std::pair(-timeOf(b), b);
                      });
    OrderedJson list = OrderedJson::array();
    for (size_t k = 0; k < shown && timeOf(order[k]); ++k) {
      const Busy &own = data.record->inCell(i, order[k]);
      // Nanoseconds.
      list.push_back({order[k], own.compute / 1000, own.copy / 1000});
    }
    kernels.push_back(list);
  }
  OrderedJson kernelNames = OrderedJson::array();
  for (const KernelReport &kernel : data.report.kernels)
    kernelNames.push_back(nameOf(kernel));
  return {{"time", data.run.time}, {"kernels", kernelNames},
          {"names", names},        {"busy", busy},
          {"copy", copy},          {"fill", fill},
          {"energy", energy},      {"bytes", bytes},
          {"kernelsOf", kernels}};
}

static std::string makeBody(const PageData &data) {
  return makeSummary(data) + makeFloorPlan(data) + makeTimelines(data) +
         makeMemoryMaps(data) + makeRoofline(data) + makeEnergy(data) +
         makeKernels(data) + makeReasons(data) + makeDecisions(data) +
         makeSensitivity(data) +
         makeSources(data.machine(), data.numbers, data.facts.digest);
}

std::string makeDocument(const std::string &title, const std::string &body,
                         const OrderedJson &data) {
  return print({title, body, data, {styleSheet}, {script}});
}

} // namespace page

std::string makePage(const MappedProgram &program, const PageContent &content) {
  const page::PageData data(program, content);
  const std::string title =
      (content.model.empty() ? "A mapping" : content.model) + " on " +
      data.machine().name;
  return page::makeDocument(title, page::makeBody(data),
                            page::describeCells(data));
}

OrderedJson toJson(const Description &machine, const MachineNumber &number) {
  const Quantity &quantity = number.quantity;
  const Source &source = machine.sources[quantity.source];
  return {{"number", number.path},       {"pointer", number.pointer},
          {"value", quantity.value},     {"low", quantity.low},
          {"high", quantity.high},       {"unit", unitName(quantity.unit)},
          {"kind", nameOf(source.kind)}, {"source", source.title}};
}

OrderedJson makePageJson(const MappedProgram &program,
                         const PageContent &content) {
  const page::PageData data(program, content);
  OrderedJson numbers = OrderedJson::array(), rows = numbers,
              decisions = numbers;
  for (const MachineNumber &number : data.numbers)
    numbers.push_back(toJson(data.machine(), number));
  OrderedJson sensitivity;
  if (content.hasSensitivity) {
    const Sensitivities found = findSensitivities(program, data.numbers);
    for (const Sensitivity &row : found.numbers)
      rows.push_back({{"number", data.numbers[row.number].path},
                      {"low", row.low},
                      {"high", row.high},
                      {"picoseconds", {row.timeAtLow, row.timeAtHigh}},
                      {"femtojoules", {row.energyAtLow, row.energyAtHigh}}});
    sensitivity = {{"picoseconds", found.time},
                   {"femtojoules", found.energy},
                   {"numbers", rows}};
  }
  for (const Decision &decision : content.decisions)
    decisions.push_back({{"without", decision.name},
                         {"problem", decision.problem},
                         {"picoseconds", decision.time},
                         {"femtojoules", decision.energy},
                         {"bytes", decision.bytes}});
  return {{"model", content.model},
          {"machine", data.machine().name},
          {"mapping_digest", data.facts.digest},
          {"simulation", toJson(data.report)},
          {"energy_low", toJson(data.ends.low)},
          {"energy_high", toJson(data.ends.high)},
          {"notes", notesToJson(program)},
          {"cores", page::describeCells(data)},
          {"decisions", decisions},
          {"sensitivity", sensitivity},
          {"numbers", numbers}};
}

} // namespace gensyn::machine
