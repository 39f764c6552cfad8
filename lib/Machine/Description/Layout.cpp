// Reads one chip and repeats it over boards.

#include "Layout.h"

#include "Links.h"
#include "Numbers.h"
#include "Units.h"

#include <algorithm>
#include <optional>

namespace gensyn::machine {

static void checkCount(const JsonReader &file, Wide count, int64_t most,
                       const std::string &noun) {
  if (count > most)
    file.fail("the machine has more than " + std::to_string(most) + " " + noun);
}

static Grid readNetwork(JsonReader &file, Description &machine) {
  JsonReader reader = file.object("network");
  Grid nodes(reader, readPlaces(reader, "nodes"));
  Network &network = machine.network;
  network.links = readLinks(
      reader, "links", nodes, "node", [](uint32_t, uint32_t) { return true; },
      machine);
  network.packet =
      readNumber(reader, "packet", Unit::Bytes, machine, Sign::Positive);
  network.signal = readNumber(reader, "signal", Unit::Picoseconds, machine);
  network.signalEnergy =
      readNumber(reader, "signal_energy", Unit::Femtojoules, machine);
  reader.flag("multicast", network.hasMulticast);
  if (reader.has("entries"))
    network.entries =
        readNumber(reader, "entries", Unit::Count, machine, Sign::Positive);
  readLayoutSource(reader, machine);
  reader.finish();
  return nodes;
}

static void readCores(JsonReader &file, const Grid &nodes,
                      Description &machine) {
  file.require("cores");
  const std::vector<std::string> kinds = namesOf(machine.coreKinds);
  for (JsonReader &reader : file.objects("cores")) {
    const uint32_t kind = readReference(reader, "kind", kinds, "core kind");
    std::vector<int64_t> block = {1, 1};
    reader.integers("per_node", block, 1, 64, 2);
    for (const Place &place : readPlaces(reader, "at")) {
      const uint32_t node = nodes.require(reader, place, "node");
      for (int64_t y = 0; y < block[1]; ++y)
        for (int64_t x = 0; x < block[0]; ++x)
          machine.cores.push_back({kind, node, 0,
                                   int32_t(place[0] * block[0] + x),
                                   int32_t(place[1] * block[1] + y), false});
      checkCount(file, Wide(machine.cores.size()), kMostCores, "cores");
    }
    readLayoutSource(reader, machine);
    reader.finish();
  }
  if (machine.cores.empty())
    file.failType("cores", "at least one core");
}

/// Reads `chips` and `boards`, and returns the links between chips.
static std::vector<Link> readChips(JsonReader &file, Layout &layout,
                                   Description &machine) {
  layout.chipsOfBoard = layout.boards = layout.chips = Grid({{0, 0}});
  const bool hasBoards = file.has("boards");
  if (!file.has("chips")) {
    if (hasBoards)
      file.fail("'boards' is there without 'chips'");
    return {};
  }
  JsonReader reader = file.object("chips");
  std::optional<JsonReader> outer;
  layout.chipsOfBoard = Grid(readPlaces(reader, "at"));
  if (hasBoards) {
    outer.emplace(file.object("boards"));
    layout.boards = Grid(readPlaces(*outer, "at"));
  }
  checkCount(file,
             Wide(layout.chipsOfBoard.size()) * Wide(layout.boards.size()),
             kMostNodes, "chips");
  std::vector<Place> all;
  for (const Place &board : layout.boards.all())
    for (const Place &chip : layout.chipsOfBoard.all())
      all.push_back({board[0] + chip[0], board[1] + chip[1]});
  layout.chips = Grid(outer ? *outer : reader, std::move(all));
  layout.gateway =
      layout.nodes.require(reader, readPlace(reader, "node"), "node");
  const size_t size = layout.chipsOfBoard.size();
  std::vector<Link> links = readLinks(
      reader, "links", layout.chips, "chip",
      [&](uint32_t a, uint32_t b) { return a / size == b / size; }, machine);
  readLayoutSource(reader, machine);
  reader.finish();
  if (!outer)
    return links;
  const std::vector<Link> between = readLinks(
      *outer, "links", layout.chips, "chip",
      [&](uint32_t a, uint32_t b) { return a / size != b / size; }, machine);
  links.insert(links.end(), between.begin(), between.end());
  readLayoutSource(*outer, machine);
  outer->finish();
  return links;
}

/// Moves the cores of a chip to its position in the picture, with a gap of one
/// between chips.
static void arrange(std::vector<Core> &cores, const Layout &layout) {
  for (auto [axis, coordinate] :
       {std::pair(0, &Core::x), std::pair(1, &Core::y)}) {
    const auto [least, most] = std::minmax_element(
        cores.begin(), cores.begin() + ptrdiff_t(layout.coresOfChip),
        [&](const Core &a, const Core &b) {
          return a.*coordinate < b.*coordinate;
        });
    const int64_t begin = (*least).*coordinate;
    const int64_t pitch = (*most).*coordinate - begin + 2;
    for (Core &core : cores) {
      const int64_t at = layout.chips[core.chip][size_t(axis)] * pitch +
                         core.*coordinate - begin;
      core.*coordinate = int32_t(std::clamp<int64_t>(at, INT32_MIN, INT32_MAX));
    }
  }
}

/// The same for nodes.
static std::vector<std::array<int32_t, 2>> arrangeNodes(const Layout &layout) {
  std::vector<std::array<int32_t, 2>> places;
  Place least = layout.nodes[0], most = least;
  for (const Place &place : layout.nodes.all())
    for (size_t axis : {0, 1}) {
      least[axis] = std::min(least[axis], place[axis]);
      most[axis] = std::max(most[axis], place[axis]);
    }
  for (const Place &chip : layout.chips.all())
    for (const Place &node : layout.nodes.all()) {
      std::array<int32_t, 2> &place = places.emplace_back();
      for (size_t axis : {0, 1})
        place[axis] = int32_t(
            std::clamp<int64_t>(chip[axis] * (most[axis] - least[axis] + 2) +
                                    node[axis] - least[axis],
                                INT32_MIN, INT32_MAX));
    }
  return places;
}

static void repeat(const JsonReader &file, const std::vector<Link> &chipLinks,
                   Layout &layout, Description &machine) {
  const auto count = uint32_t(layout.chips.size());
  machine.chips = count;
  Network &network = machine.network;
  layout.coresOfChip = machine.cores.size();
  layout.linksOfChip = network.links.size();
  checkCount(file, Wide(layout.nodes.size()) * count, kMostNodes, "nodes");
  checkCount(file, Wide(layout.coresOfChip) * count, kMostCores, "cores");
  checkCount(file, Wide(layout.linksOfChip) * count + Wide(chipLinks.size()),
             kMostLinks, "links");
  network.nodes = uint32_t(layout.nodes.size()) * count;
  for (uint32_t chip = 1; chip < count; ++chip) {
    for (size_t i = 0; i < layout.linksOfChip; ++i) {
      Link link = network.links[i];
      link.from = layout.nodeOf(chip, link.from);
      link.to = layout.nodeOf(chip, link.to);
      network.links.push_back(link);
    }
    for (size_t i = 0; i < layout.coresOfChip; ++i) {
      Core core = machine.cores[i];
      core.node = layout.nodeOf(chip, core.node);
      core.chip = chip;
      machine.cores.push_back(core);
    }
  }
  arrange(machine.cores, layout);
  network.places = arrangeNodes(layout);
  if (count > 1)
    for (uint32_t chip = 0; chip < count; ++chip)
      network.gateways.push_back(layout.nodeOf(chip, layout.gateway));
  for (Link link : chipLinks) {
    link.from = layout.nodeOf(link.from, layout.gateway);
    link.to = layout.nodeOf(link.to, layout.gateway);
    network.links.push_back(link);
  }
}

/// Of one chip becomes of all chips.
static void multiply(const JsonReader &reader, size_t chips, Quantity &number) {
  for (int64_t *part : {&number.value, &number.low, &number.high}) {
    const Wide product = Wide(*part) * Wide(chips);
    if (product > largest(number.unit))
      reader.fail("the memories of " + std::to_string(chips) +
                  " chips have more than " +
                  std::to_string(largest(number.unit)) + " " +
                  std::string(baseName(number.unit)) + " together");
    *part = int64_t(product);
  }
}

/// A shared memory is one of each chip, or, with `per` "machine", one whose
/// accesses are spread over all chips.
static void readPorts(JsonReader &file, const Layout &layout,
                      Description &machine) {
  std::vector<MemoryKind> memories;
  std::vector<uint32_t> moved;
  std::vector<JsonReader> readers = file.objects("memories");
  const size_t chips = layout.chips.size();
  Wide portCount = 0;
  for (size_t i = 0; i < readers.size(); ++i) {
    const MemoryKind &memory = machine.memories[i];
    JsonReader &reader = readers[i];
    moved.push_back(uint32_t(memories.size()));
    if (!reader.has("ports")) {
      memories.push_back(memory);
      continue;
    }
    std::vector<uint32_t> ports;
    for (const Place &place : readPlaces(reader, "ports"))
      ports.push_back(layout.nodes.require(reader, place, "node"));
    const bool isPerMachine =
        reader.has("per") &&
        reader.choice("per", {"chip", "machine"}, "per") == 1;
    portCount += Wide(ports.size()) * Wide(chips);
    checkCount(file, portCount, kMostNodes, "ports");
    checkCount(file, Wide(memories.size()) + Wide(isPerMachine ? 1 : chips),
               kMostMemories, "memories");
    for (size_t chip = 0; chip < chips; ++chip) {
      if (chip == 0 || !isPerMachine)
        memories.push_back(memory);
      if (chips > 1 && !isPerMachine)
        memories.back().name += printPlace(layout.chips[chip]);
      for (uint32_t port : ports)
        memories.back().nodes.push_back(layout.nodeOf(chip, port));
    }
    if (isPerMachine)
      memories.back().parts = uint32_t(chips);
    if (isPerMachine)
      for (Quantity MemoryKind::*field :
           {&MemoryKind::size, &MemoryKind::reserved, &MemoryKind::bandwidth,
            &MemoryKind::standby})
        multiply(reader, chips, memories.back().*field);
  }
  machine.memories = std::move(memories);
  for (CoreKind &kind : machine.coreKinds)
    kind.memory = moved[kind.memory];
}

Layout readLayout(JsonReader &file, Description &machine) {
  Layout layout;
  layout.nodes = readNetwork(file, machine);
  readCores(file, layout.nodes, machine);
  const std::vector<Link> chipLinks = readChips(file, layout, machine);
  repeat(file, chipLinks, layout, machine);
  readPorts(file, layout, machine);
  return layout;
}

} // namespace gensyn::machine
