// Prints a machine as a table.

#include "gensyn/Machine/DescribeMachine.h"

#include "Units.h"
#include "gensyn/Executable/Support/TextTable.h"
#include "gensyn/Machine/MachineNumbers.h"

#include <algorithm>

namespace gensyn::machine {

/// Columns to the left, as far into the line as everything below a title.
static TextTable makeTable() { return TextTable(SIZE_MAX, 2); }

static std::string print(const Interval &interval, Unit unit) {
  std::string text = printQuantity(interval.value, unit);
  if (interval.low != interval.high)
    text += " [" + printQuantity(interval.low, unit) + ", " +
            printQuantity(interval.high, unit) + "]";
  return text;
}

static std::string print(const Quantity &number) {
  return printQuantity(number);
}

static std::string printOperations(int64_t perSecond) {
  // The prefixes of hertz.
  std::string text = printQuantity(perSecond, Unit::Hertz);
  text.resize(text.size() - 2);
  return text + "op/s";
}

static std::string printOperations(const Interval &interval) {
  std::string text = printOperations(interval.value);
  if (interval.low != interval.high)
    text += " [" + printOperations(interval.low) + ", " +
            printOperations(interval.high) + "]";
  return text;
}

/// Memories of the same numbers, as those of the chips of a board.
static bool isLike(const MemoryKind &one, const MemoryKind &other) {
  auto isSame = [](const Quantity &a, const Quantity &b) {
    return a.value == b.value && a.low == b.low && a.high == b.high;
  };
  return one.nodes.empty() == other.nodes.empty() &&
         isSame(one.size, other.size) &&
         isSame(one.bandwidth, other.bandwidth) &&
         isSame(one.latency, other.latency);
}

static std::string printMemories(const Description &machine) {
  TextTable table = makeTable();
  table.add({"memory", "size", "reserved", "bandwidth", "latency", "read"});
  const std::vector<MemoryKind> &memories = machine.memories;
  for (size_t i = 0; i < memories.size();) {
    size_t end = i + 1;
    while (end < memories.size() && isLike(memories[i], memories[end]))
      ++end;
    const MemoryKind &memory = memories[i];
    std::string name = memory.name;
    if (end - i > 1)
      name += " and " + std::to_string(end - i - 1) + " more";
    const bool isShared = !memory.nodes.empty();
    table.add({name, print(memory.size), print(memory.reserved),
               isShared ? print(memory.bandwidth) : "of each core",
               isShared ? print(memory.latency) : "",
               print(memory.readEnergy)});
    i = end;
  }
  return table.print();
}

static std::string printRate(const Rate &rate) {
  std::string text = rate.operation;
  const auto print = [](std::span<const int64_t> step) {
    std::string own;
    for (int64_t extent : step)
      own += (own.empty() ? " " : "x") + std::to_string(extent);
    return own;
  };
  if (!rate.arrangements.empty())
    text += print(rate.arrangements.front().step);
  if (const size_t more = rate.arrangements.size(); more > 1)
    text += " and " + std::to_string(more - 1) + " more";
  if (rate.step != std::array<int64_t, 3>{1, 1, 1})
    text += print(rate.step);
  return text;
}

/// Types of a rate; one without any is for those that no earlier rate has.
static std::string printTypes(const ComputeUnit &unit, size_t index) {
  const Rate &rate = unit.rates[index];
  std::string text;
  for (const std::string &type : rate.types)
    text += (text.empty() ? "" : " ") + type;
  if (!text.empty())
    return text;
  const bool hasEarlier = std::any_of(
      unit.rates.begin(), unit.rates.begin() + ptrdiff_t(index),
      [&](const Rate &other) { return other.operation == rate.operation; });
  return hasEarlier ? "others" : "all";
}

static std::string printUnits(const Description &machine) {
  TextTable table = makeTable();
  table.add({"unit", "operation", "types", "cost", "energy"});
  for (const ComputeUnit &unit : machine.units)
    for (size_t i = 0; i < unit.rates.size(); ++i)
      table.add({unit.name, printRate(unit.rates[i]), printTypes(unit, i),
                 print(unit.rates[i].cycles), print(unit.rates[i].energy)});
  return table.print();
}

static std::string printCores(const Description &machine) {
  std::vector<uint64_t> all(machine.coreKinds.size()), dead(all.size());
  for (const Core &core : machine.cores) {
    ++all[core.kind];
    dead[core.kind] += core.isDead;
  }
  TextTable table = makeTable();
  table.add({"core", "number", "dead", "memory", "units", "copies"});
  for (size_t i = 0; i < all.size(); ++i) {
    const CoreKind &kind = machine.coreKinds[i];
    std::string units;
    for (uint32_t unit : kind.units)
      units += (units.empty() ? "" : " ") + machine.units[unit].name;
    const CopyEngine &engine = machine.engines[kind.engine];
    table.add({kind.name, std::to_string(all[i]), std::to_string(dead[i]),
               machine.memories[kind.memory].name, units,
               print(engine.bandwidth)});
  }
  return table.print();
}

static std::string printTotals(const Description &machine) {
  const Totals totals = totalsOf(machine);
  TextTable table = makeTable();
  table.add({"total", ""});
  table.add({"cores", std::to_string(totals.cores) + ", of which " +
                          std::to_string(totals.deadCores) + " dead"});
  table.add({"chips, nodes, links",
             std::to_string(machine.chips) + ", " +
                 std::to_string(machine.network.nodes) + ", " +
                 std::to_string(machine.network.links.size())});
  table.add({"memory of cores", print(totals.coreMemory, Unit::Bytes)});
  table.add({"shared memory", print(totals.sharedMemory, Unit::Bytes)});
  table.add(
      {"its bandwidth", print(totals.sharedBandwidth, Unit::BytesPerSecond)});
  for (const char *type : {"i8", "f32", "f64"})
    table.add({std::string("peak of ") + type,
               printOperations(peakOf(machine, type))});
  table.add({"numbers", std::to_string(totals.numbers) + ", of which " +
                            std::to_string(totals.assumed) + " assumed"});
  return table.print();
}

std::string describe(const Description &machine) {
  std::string text = machine.name + ": " + machine.about + "\n";
  TextTable clocks = makeTable();
  clocks.add({"clock", ""});
  for (const Clock &clock : machine.clocks)
    clocks.add({clock.name, print(clock.frequency)});
  for (const std::string &part :
       {clocks.print(), printMemories(machine), printUnits(machine),
        printCores(machine), printTotals(machine)})
    text += "\n" + part;
  return text;
}

} // namespace gensyn::machine
