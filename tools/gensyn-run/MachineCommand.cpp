// machine: lists the machines that models are mapped to, or describes one.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Support/TextTable.h"
#include "gensyn/Machine/ReportPage.h"

#include <algorithm>

namespace gensyn::run {

static OrderedJson describeJson(const machine::Description &machine) {
  const machine::Totals totals = machine::totalsOf(machine);
  OrderedJson peaks;
  for (const char *type : {"i8", "f32", "f64"})
    peaks[type] = machine::toJson(machine::peakOf(machine, type));
  return {{"machine", machine.name},
          {"about", machine.about},
          {"chips", machine.chips},
          {"cores", totals.cores},
          {"dead_cores", totals.deadCores},
          {"core_memory", machine::toJson(totals.coreMemory)},
          {"shared_memory", machine::toJson(totals.sharedMemory)},
          {"shared_bandwidth", machine::toJson(totals.sharedBandwidth)},
          {"peak", peaks},
          {"numbers", totals.numbers},
          {"assumed_numbers", totals.assumed}};
}

/// "name  about", with the names in a column.
static void listMachines(const Options &options) {
  const std::vector<std::string> names = machine::listMachines();
  size_t width = 0;
  for (const std::string &name : names)
    width = std::max(width, name.size());
  for (const std::string &name : names) {
    const machine::Description machine = machine::findMachine(name);
    if (options.json)
      printRecord(describeJson(machine));
    else if (!options.quiet)
      printLine(name + std::string(width - name.size() + 2, ' ') +
                machine.about);
  }
}

static std::string describeNumbers(const machine::Description &machine) {
  TextTable table(SIZE_MAX);
  table.add({"number", "value", "kind", "source"});
  for (const machine::MachineNumber &number : machine::listNumbers(machine)) {
    const machine::Source &source = machine.sources[number.quantity.source];
    table.add({number.path, machine::printQuantity(number.quantity),
               std::string(machine::nameOf(source.kind)), source.title});
  }
  return table.print();
}

static OrderedJson numbersToJson(const machine::Description &machine) {
  OrderedJson numbers = OrderedJson::array();
  for (const machine::MachineNumber &number : machine::listNumbers(machine))
    numbers.push_back(machine::toJson(machine, number));
  return {{"machine", machine.name}, {"numbers", numbers}};
}

ExitCode runMachine(const Options &options) {
  if (options.machine.empty()) {
    listMachines(options);
    return ExitCode::Ok;
  }
  const machine::Description machine = machine::findMachine(options.machine);
  if (options.json) {
    printRecord(options.numbers ? numbersToJson(machine)
                                : describeJson(machine));
  } else if (!options.quiet) {
    printLines(options.numbers ? describeNumbers(machine)
                               : machine::describe(machine));
  }
  return ExitCode::Ok;
}

} // namespace gensyn::run
