// The text of a report, and the same as JSON; see Report.h.

#include "gensyn/Executable/Support/TextTable.h"
#include "gensyn/Machine/Report.h"

#include <algorithm>
#include <limits>

namespace gensyn::machine {

namespace {

Wide wide(int64_t value) { return static_cast<Wide>(value); }

/// Of the time in which a kernel's cores had tasks of it, that of computing.
std::string utilisation(const LaunchStatistics &sums) {
  return printPercent(wide(sums.compute), wide(sums.span) * sums.cores);
}

std::string nameOf(const KernelReport &kernel) {
  std::string text = kernel.kernel;
  if (kernel.launches.size() > 1)
    text += " and " + std::to_string(kernel.launches.size() - 1) + " more";
  return text;
}

constexpr size_t mostRows = 24, mostSentences = 3;

std::string printKernels(const RunReport &report) {
  TextTable columns(1);
  columns.add({"kernel", "time", "share", "bound by", "cores", "busy", "read",
               "written", "energy"});
  size_t number = 0;
  int64_t others = 0;
  for (const KernelReport &kernel : report.kernels) {
    const LaunchStatistics &sums = kernel.sums;
    const int64_t time = sums.path.total();
    if (++number > mostRows) {
      others += time;
      continue;
    }
    columns.add({nameOf(kernel), printTime(time),
                 printPercent(wide(time), wide(report.time)),
                 time ? boundOf(sums.path).name : "others",
                 std::to_string(sums.cores), utilisation(sums),
                 printBytes(sums.bytesRead), printBytes(sums.bytesWritten),
                 printEnergy(sums.energy)});
  }
  if (number > mostRows)
    columns.add({std::to_string(number - mostRows) + " others",
                 printTime(others),
                 printPercent(wide(others), wide(report.time))});
  return columns.print();
}

std::string printTotals(const RunReport &report) {
  TextTable time(1), cores(1), energy(1), use(1);
  time.add({"time", printTime(report.time)});
  for (const PathPart &part : pathParts())
    if (const int64_t own = report.path.*part.time)
      time.add({std::string("  ") + part.name, printTime(own),
                printPercent(wide(own), wide(report.time))});
  const Wide all = wide(report.time) * report.cores;
  const Wide used = report.computing + report.waiting + report.waitingForOthers;
  cores.add({"cores", std::to_string(report.cores)});
  cores.add({"  computing", printPercent(report.computing, all)});
  cores.add({"  waiting for their copies", printPercent(report.waiting, all)});
  cores.add({"  waiting for other cores",
             printPercent(report.waitingForOthers, all)});
  cores.add({"  without tasks", printPercent(all - std::min(all, used), all)});
  energy.add({"energy", printEnergy(report.totalEnergy)});
  const Energy &parts = report.energy;
  for (const EnergyPart &part : energyParts())
    energy.add({std::string("  ") + part.name, printEnergy(parts.*part.energy),
                printPercent(wide(parts.*part.energy), wide(parts.total()))});
  use.add({"moved", "", ""});
  constexpr size_t mostMemories = 8;
  size_t memories = 0;
  for (const ResourceUse &memory : report.memories)
    if (memory.bytes && memories++ < mostMemories)
      use.add({"  " + memory.name, printBytes(memory.bytes),
               "busy " + printPercent(wide(memory.busy), wide(report.time))});
  if (memories > mostMemories)
    use.add({"  and " + std::to_string(memories - mostMemories) +
             " more memories"});
  if (report.busiestLink.bytes)
    use.add({"  busiest " + report.busiestLink.name,
             printBytes(report.busiestLink.bytes),
             "busy " + printPercent(wide(report.busiestLink.busy),
                                    wide(report.time))});
  return time.print() + "\n" + cores.print() + "\n" + energy.print() + "\n" +
         use.print();
}

OrderedJson toJson(const PathTime &path) {
  OrderedJson parts;
  for (const PathPart &part : pathParts())
    parts[part.key] = path.*part.time;
  return parts;
}

OrderedJson toJson(const ResourceUse &use) {
  return {{"name", use.name}, {"bytes", use.bytes}, {"busy", use.busy}};
}

/// A sum over cores.
uint64_t numberOf(Wide picoseconds) {
  return static_cast<uint64_t>(
      std::min<Wide>(picoseconds, std::numeric_limits<uint64_t>::max()));
}

} // namespace

std::string printLimits(const RunReport &report) {
  std::string text = "What limits\n";
  size_t number = 0;
  for (const KernelReport &kernel : report.kernels) {
    const PathTime &path = kernel.sums.path;
    if (!path.total() || number++ == mostSentences)
      break;
    const PathPart &bound = boundOf(path);
    PathTime others = path;
    others.*bound.time = 0;
    const PathPart &second = boundOf(others);
    text += "  " + nameOf(kernel);
    if (!kernel.operation.empty())
      text += " (" + kernel.operation + ")";
    text += " takes " + printPercent(wide(path.total()), wide(report.time)) +
            " of the time: for " +
            printPercent(wide(path.*bound.time), wide(path.total())) +
            " of that, " + bound.meaning;
    // A fifth of the time.
    if (others.*second.time > path.total() / 5)
      text += ", and for " +
              printPercent(wide(others.*second.time), wide(path.total())) +
              ", " + second.meaning;
    text += ".";
    if (kernel.sums.cores < report.cores)
      text += " It has tasks on " + std::to_string(kernel.sums.cores) + " of " +
              std::to_string(report.cores) + " cores.";
    text += "\n";
  }
  return text;
}

std::string printReport(const RunReport &report) {
  return printKernels(report) + "\n" + printTotals(report) + "\n" +
         printLimits(report);
}

OrderedJson toJson(const Energy &energy) {
  OrderedJson parts;
  for (const EnergyPart &part : energyParts())
    parts[part.key] = energy.*part.energy;
  return parts;
}

OrderedJson toJson(const RunReport &report) {
  OrderedJson kernels = OrderedJson::array(), memories = OrderedJson::array();
  for (const KernelReport &kernel : report.kernels) {
    const LaunchStatistics &sums = kernel.sums;
    kernels.push_back({{"kernel", kernel.kernel},
                       {"operation", kernel.operation},
                       {"launches", kernel.launches},
                       {"runs", sums.runs},
                       {"picoseconds", sums.path.total()},
                       {"path", toJson(sums.path)},
                       {"bound", boundOf(sums.path).key},
                       {"span", sums.span},
                       {"cores", sums.cores},
                       {"compute", sums.compute},
                       {"copy", sums.copy},
                       {"link_wait", sums.linkWait},
                       {"memory_wait", sums.memoryWait},
                       {"bytes_read", sums.bytesRead},
                       {"bytes_written", sums.bytesWritten},
                       {"femtojoules", sums.energy}});
  }
  for (const ResourceUse &memory : report.memories)
    memories.push_back(toJson(memory));
  return {{"event", "simulation"},
          {"picoseconds", report.time},
          {"path", toJson(report.path)},
          {"cores", report.cores},
          {"core_picoseconds",
           {{"computing", numberOf(report.computing)},
            {"waiting", numberOf(report.waiting)},
            {"waiting_for_others", numberOf(report.waitingForOthers)}}},
          {"femtojoules", toJson(report.totalEnergy)},
          {"energy", toJson(report.energy)},
          {"shared_memories", memories},
          {"busiest_link", toJson(report.busiestLink)},
          {"kernels", kernels}};
}

} // namespace gensyn::machine
