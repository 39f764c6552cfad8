// Reads clocks, memories, units, engines and kinds of cores.

#include "Parts.h"

#include "Numbers.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/CoreTarget.h"
#include "gensyn/Numerics/ElementType.h"

#include <algorithm>

namespace gensyn::machine {

static const std::vector<std::string> &operations() {
  static const std::vector<std::string> names = {"multiply_add", "float",
                                                 "integer", "load", "store"};
  return names;
}

static std::vector<std::string> elementTypes() {
  std::vector<std::string> names;
  for (int i = 0; i < kNumElementTypes; ++i)
    names.emplace_back(name(ElementType(i)));
  return names;
}

/// Calls `read` for each item of the list at `key`, which must have one.
template <typename Function>
static void forEach(JsonReader &file, const std::string &key, Function read) {
  file.require(key);
  std::vector<JsonReader> items = file.objects(key);
  constexpr size_t most = 1024;
  if (items.empty() || items.size() > most)
    file.fail(quote(key) + " has " + std::to_string(items.size()) +
              " items; 1 to " + std::to_string(most) + " are wanted");
  for (JsonReader &item : items) {
    read(item);
    item.finish();
  }
}

static MemoryKind readMemory(JsonReader &reader, Description &machine) {
  MemoryKind memory;
  memory.name = readName(reader, namesOf(machine.memories));
  auto read = [&](const char *key, Unit unit, Sign sign = Sign::NotNegative) {
    return readNumber(reader, key, unit, machine, sign);
  };
  memory.size = read("size", Unit::Bytes, Sign::Positive);
  memory.reserved = read("reserved", Unit::Bytes);
  if (memory.reserved.value >= memory.size.value)
    reader.fail("'reserved' is " + std::to_string(memory.reserved.value) +
                " B; less than 'size', " + std::to_string(memory.size.value) +
                " B, is wanted");
  memory.readEnergy = read("read_energy", Unit::FemtojoulesPerByte);
  memory.writeEnergy = read("write_energy", Unit::FemtojoulesPerByte);
  memory.standby = read("standby", Unit::Nanowatts);
  if (!reader.has("ports")) {
    if (reader.source().contains("bandwidth"))
      reader.fail("'bandwidth' is there without 'ports'");
    return memory;
  }
  reader.has("per");
  memory.bandwidth = read("bandwidth", Unit::BytesPerSecond, Sign::Positive);
  memory.latency = read("latency", Unit::Picoseconds);
  memory.burst = read("burst", Unit::Bytes, Sign::Positive);
  reader.require("addressable");
  reader.flag("addressable", memory.isAddressable);
  bool isWritable = true;
  reader.flag("writable", isWritable);
  memory.isReadOnly = !isWritable;
  return memory;
}

static void readArrangements(JsonReader &reader, Description &machine,
                             Rate &rate) {
  if (reader.has("step"))
    reader.failType("arrangements", "nothing beside 'step'");
  forEach(reader, "arrangements", [&](JsonReader &item) {
    Arrangement &arrangement = rate.arrangements.emplace_back();
    std::vector<int64_t> step(arrangement.step.size(), 1);
    item.require("step");
    item.integers("step", step, 1, 1 << 12, step.size());
    std::copy(step.begin(), step.end(), arrangement.step.begin());
    arrangement.cycles = item.has("cycles")
                             ? readNumber(item, "cycles", Unit::Millicycles,
                                          machine, Sign::Positive)
                             : rate.cycles;
  });
}

/// Of an array: how it cuts images, and what its results pass.
static void readBlocks(JsonReader &reader, Description &machine, Rate &rate) {
  if (reader.has("granules"))
    forEach(reader, "granules", [&](JsonReader &item) {
      Granule &granule = rate.granules.emplace_back();
      item.require("lines");
      item.integer("lines", granule.extents[0], 1, 1 << 12);
      item.require("positions");
      item.integer("positions", granule.extents[1], 1, 1 << 12);
    });
  if (!reader.has("output"))
    return;
  JsonReader item = reader.object("output");
  OutputStage &output = rate.output.emplace();
  std::vector<int64_t> block(output.block.size(), 1);
  item.require("block");
  item.integers("block", block, 1, 1 << 16, block.size());
  std::copy(block.begin(), block.end(), output.block.begin());
  output.cycles = readNumber(item, "cycles", Unit::Millicycles, machine);
  output.column = readNumber(item, "column", Unit::Millicycles, machine);
  item.finish();
}

static Rate readRate(JsonReader &reader, Description &machine) {
  Rate rate;
  rate.operation =
      operations()[reader.choice("operation", operations(), "operation")];
  const bool isContraction = rate.operation == "multiply_add";
  const std::vector<std::string> known = elementTypes();
  for (size_t index : reader.choices("types", known, "type"))
    rate.types.push_back(known[index]);
  if (isContraction) {
    if (reader.has("accumulator"))
      rate.accumulator = readNumber(reader, "accumulator", Unit::Bits, machine,
                                    Sign::Positive);
    std::vector<int64_t> step = {1, 1, 1};
    reader.integers("step", step, 1, 1 << 16, step.size());
    std::copy(step.begin(), step.end(), rate.step.begin());
  }
  rate.cycles = readNumber(reader, "cycles", Unit::Millicycles, machine,
                           isContraction ? Sign::Positive : Sign::NotNegative);
  if (isContraction && reader.has("arrangements")) {
    readArrangements(reader, machine, rate);
    readBlocks(reader, machine, rate);
  }
  for (const char *key : {"granules", "output"})
    if (rate.arrangements.empty() && reader.source().contains(key))
      reader.fail(quote(key) + " is there without 'arrangements'");
  rate.energy = readNumber(reader, "energy", Unit::Femtojoules, machine);
  return rate;
}

static ComputeUnit readUnit(JsonReader &reader, Description &machine) {
  ComputeUnit unit;
  unit.name = readName(reader, namesOf(machine.units));
  unit.clock = readReference(reader, "clock", namesOf(machine.clocks), "clock");
  unit.start = readNumber(reader, "start", Unit::Millicycles, machine);
  forEach(reader, "rates", [&](JsonReader &rate) {
    unit.rates.push_back(readRate(rate, machine));
  });
  return unit;
}

static CopyEngine readEngine(JsonReader &reader, Description &machine) {
  CopyEngine engine;
  engine.name = readName(reader, namesOf(machine.engines));
  engine.clock =
      readReference(reader, "clock", namesOf(machine.clocks), "clock");
  engine.start = readNumber(reader, "start", Unit::Millicycles, machine);
  engine.row = readNumber(reader, "row", Unit::Millicycles, machine);
  engine.bandwidth = readNumber(reader, "bandwidth", Unit::MillibytesPerCycle,
                                machine, Sign::Positive);
  if (reader.has("channels"))
    engine.channels =
        readNumber(reader, "channels", Unit::Count, machine, Sign::Positive);
  if (engine.channels.high > mostChannels)
    reader.fail("more than " + std::to_string(mostChannels) + " channels");
  return engine;
}

/// The instruction set for which programs of the cores are linked, or the
/// format of command streams, which name addresses from 0 on.
static void readTarget(JsonReader &kind, Description &machine, CoreKind &core) {
  if (!kind.has("target"))
    return;
  JsonReader reader = kind.object("target");
  std::vector<std::string> known = listCoreTargets();
  for (const std::string &block : listBlockTargets())
    known.push_back(block);
  core.target = known[reader.choice("name", known, "instruction set")];
  if (isBlockTarget(core.target)) {
    reader.finish();
    return;
  }
  core.origin = readNumber(reader, "origin", Unit::Bytes, machine);
  constexpr int64_t most = int64_t(1) << 31;
  if (core.origin.value > most || core.origin.value % 1024)
    reader.fail("'origin' is " + std::to_string(core.origin.value) +
                " B; a multiple of 1024 B up to " + std::to_string(most) +
                " B is wanted");
  reader.finish();
}

static CoreKind readCoreKind(JsonReader &reader, Description &machine,
                             const std::vector<bool> &isShared) {
  CoreKind kind;
  kind.name = readName(reader, namesOf(machine.coreKinds));
  const std::vector<std::string> memories = namesOf(machine.memories);
  kind.memory = readReference(reader, "memory", memories, "memory");
  if (isShared[kind.memory])
    reader.fail("'memory' is " + quote(memories[kind.memory]) +
                ", which has ports; a memory without ports is wanted");
  for (size_t unit : reader.choices("units", namesOf(machine.units), "unit"))
    kind.units.push_back(uint32_t(unit));
  reader.require("units");
  if (kind.units.empty())
    reader.failType("units", "at least one unit");
  kind.engine =
      readReference(reader, "engine", namesOf(machine.engines), "engine");
  kind.issue = readNumber(reader, "issue", Unit::Millicycles, machine);
  kind.idle = readNumber(reader, "idle", Unit::Nanowatts, machine);
  readTarget(reader, machine, kind);
  return kind;
}

void readParts(JsonReader &file, Description &machine) {
  forEach(file, "clocks", [&](JsonReader &reader) {
    Clock clock;
    clock.name = readName(reader, namesOf(machine.clocks));
    clock.frequency =
        readNumber(reader, "frequency", Unit::Hertz, machine, Sign::Positive);
    machine.clocks.push_back(std::move(clock));
  });
  std::vector<bool> isShared;
  forEach(file, "memories", [&](JsonReader &reader) {
    machine.memories.push_back(readMemory(reader, machine));
    isShared.push_back(reader.has("ports"));
  });
  forEach(file, "units", [&](JsonReader &reader) {
    machine.units.push_back(readUnit(reader, machine));
  });
  forEach(file, "engines", [&](JsonReader &reader) {
    machine.engines.push_back(readEngine(reader, machine));
  });
  forEach(file, "core_kinds", [&](JsonReader &reader) {
    machine.coreKinds.push_back(readCoreKind(reader, machine, isShared));
  });
}

/// Returns an operation and a type that no unit of the kind computes; empty
/// if there is none.
static std::string findMissing(const CoreKind &kind,
                               const Description &machine) {
  for (const std::string &operation : operations())
    for (int i = 0; i < kNumElementTypes; ++i) {
      const auto type = ElementType(i);
      // Storage types are moved and converted, and have no arithmetic.
      const bool isMove = operation == "load" || operation == "store";
      if ((operation == "float" && !isFloat(type)) ||
          (!isMove && isStorageOnly(type)))
        continue;
      const bool isComputed =
          std::any_of(kind.units.begin(), kind.units.end(), [&](uint32_t unit) {
            const std::vector<Rate> &rates = machine.units[unit].rates;
            return std::any_of(
                rates.begin(), rates.end(), [&](const Rate &rate) {
                  return rate.operation == operation &&
                         (rate.types.empty() ||
                          std::find(rate.types.begin(), rate.types.end(),
                                    name(type)) != rate.types.end());
                });
          });
      if (!isComputed)
        return operation + " of " + std::string(name(type));
    }
  return "";
}

void checkOperations(const JsonReader &file, const Description &machine,
                     const std::vector<bool> &isUsed) {
  std::string missing;
  for (size_t i = 0; i < machine.coreKinds.size(); ++i) {
    if (!isUsed[i])
      continue;
    const std::string found = findMissing(machine.coreKinds[i], machine);
    if (found.empty())
      return;
    if (missing.empty())
      missing =
          "core kind " + quote(machine.coreKinds[i].name) + " has no " + found;
  }
  file.fail("no core computes everything: " + missing);
}

} // namespace gensyn::machine
