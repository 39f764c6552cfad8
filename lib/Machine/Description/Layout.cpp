// Reads one chip and repeats it over boards.

#include "Layout.h"

#include "Links.h"
#include "Numbers.h"
#include "Places.h"
#include "Units.h"
#include "gensyn/Executable/Support/Error.h"

#include <algorithm>

namespace gensyn::machine {

namespace {

class Layout {
public:
  Layout(JsonReader &file, Description &machine)
      : file(file), machine(machine) {}

  void read() {
    readNetwork();
    readCores();
    readChips();
    repeat();
    readPorts();
    if (file.has("dead"))
      for (JsonReader &reader : file.objects("dead"))
        readDead(reader);
  }

private:
  void readNetwork() {
    JsonReader reader = file.object("network");
    nodes = Grid(reader, readPlaces(reader, "nodes"));
    machine.network.links = readLinks(
        reader, "links", nodes, "node", [](uint32_t, uint32_t) { return true; },
        machine);
    machine.network.packet =
        readNumber(reader, "packet", Unit::Bytes, machine, Sign::Positive);
    machine.network.signal =
        readNumber(reader, "signal", Unit::Picoseconds, machine);
    machine.network.signalEnergy =
        readNumber(reader, "signal_energy", Unit::Femtojoules, machine);
    reader.finish();
  }

  void readCores() {
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
        if (int64_t(machine.cores.size()) > kMostCores)
          reader.fail("more than " + std::to_string(kMostCores) + " cores");
      }
      reader.finish();
    }
    if (machine.cores.empty())
      file.failType("cores", "at least one core");
  }

  /// Reads a level of repetition: where its parts are, and links between them.
  Grid readGrid(JsonReader &reader) {
    return Grid(reader, readPlaces(reader, "at"));
  }

  void readChips() {
    std::vector<Place> all = {{0, 0}};
    boardOf = {0};
    if (!file.has("chips")) {
      if (file.has("boards"))
        file.fail("'boards' is there without 'chips'");
      chips = Grid(file, all);
      return;
    }
    JsonReader reader = file.object("chips");
    onBoard = readPlaces(reader, "at");
    boards = all;
    JsonReader *outer = &reader;
    std::optional<JsonReader> boardReader;
    if (file.has("boards")) {
      boardReader.emplace(file.object("boards"));
      outer = &*boardReader;
      boards = readPlaces(*outer, "at");
    }
    all.clear();
    boardOf.clear();
    check(Wide(onBoard.size()) * Wide(boards.size()), kMostNodes, "chips");
    for (size_t board = 0; board < boards.size(); ++board)
      for (const Place &chip : onBoard) {
        all.push_back({boards[board][0] + chip[0], boards[board][1] + chip[1]});
        boardOf.push_back(uint32_t(board));
      }
    chips = Grid(*outer, std::move(all));
    portNode = nodes.require(reader, readPlace(reader, "node"), "node");
    chipLinks = readLinks(
        reader, "links", chips, "chip",
        [&](uint32_t a, uint32_t b) { return boardOf[a] == boardOf[b]; },
        machine);
    reader.finish();
    if (!boardReader)
      return;
    const std::vector<Link> between = readLinks(
        *outer, "links", chips, "chip",
        [&](uint32_t a, uint32_t b) { return boardOf[a] != boardOf[b]; },
        machine);
    chipLinks.insert(chipLinks.end(), between.begin(), between.end());
    outer->finish();
  }

  void check(Wide count, int64_t most, const std::string &noun) const {
    if (count > most)
      file.fail("the machine has more than " + std::to_string(most) + " " +
                noun);
  }

  void repeat() {
    const auto count = uint32_t(chips.size());
    machine.chips = count;
    Network &network = machine.network;
    chipLinkBegin = network.links.size() * count;
    check(Wide(nodes.size()) * count, kMostNodes, "nodes");
    check(Wide(machine.cores.size()) * count, kMostCores, "cores");
    check(Wide(chipLinkBegin) + Wide(chipLinks.size()), kMostLinks, "links");
    network.nodes = uint32_t(nodes.size()) * count;
    const std::vector<Link> links = std::move(network.links);
    const std::vector<Core> cores = std::move(machine.cores);
    network.links.clear();
    machine.cores.clear();
    Place least = {INT32_MAX, INT32_MAX}, most = {INT32_MIN, INT32_MIN};
    for (const Core &core : cores) {
      least = {std::min<int64_t>(least[0], core.x),
               std::min<int64_t>(least[1], core.y)};
      most = {std::max<int64_t>(most[0], core.x),
              std::max<int64_t>(most[1], core.y)};
    }
    for (uint32_t chip = 0; chip < count; ++chip) {
      const uint32_t first = chip * uint32_t(nodes.size());
      for (Link link : links) {
        link.from += first;
        link.to += first;
        network.links.push_back(link);
      }
      for (Core core : cores) {
        core.node += first;
        core.chip = chip;
        // A gap of one between chips.
        for (int i : {0, 1}) {
          const int64_t pitch = most[i] - least[i] + 2;
          const int64_t at = chips[chip][i] * pitch - least[i];
          (i ? core.y : core.x) = clamp((i ? core.y : core.x) + at);
        }
        machine.cores.push_back(core);
      }
    }
    for (Link link : chipLinks) {
      link.from = nodeOf(link.from, portNode);
      link.to = nodeOf(link.to, portNode);
      network.links.push_back(link);
    }
    coresOfChip = cores.size();
    linksOfChip = links.size();
  }

  static int32_t clamp(int64_t coordinate) {
    return int32_t(std::clamp<int64_t>(coordinate, INT32_MIN, INT32_MAX));
  }

  uint32_t nodeOf(size_t chip, uint32_t node) const {
    return uint32_t(chip * nodes.size() + node);
  }

  /// A shared memory is one of each chip, or, with `per` "machine", one whose
  /// accesses are spread over all chips.
  void readPorts() {
    std::vector<MemoryKind> memories;
    std::vector<uint32_t> moved;
    std::vector<JsonReader> readers = file.objects("memories");
    for (size_t i = 0; i < readers.size(); ++i) {
      MemoryKind memory = machine.memories[i];
      JsonReader &reader = readers[i];
      moved.push_back(uint32_t(memories.size()));
      if (!reader.has("ports")) {
        memories.push_back(std::move(memory));
        continue;
      }
      std::vector<uint32_t> ports;
      for (const Place &place : readPlaces(reader, "ports"))
        ports.push_back(nodes.require(reader, place, "node"));
      bool isPerMachine = false;
      if (reader.has("per"))
        isPerMachine = reader.choice("per", {"chip", "machine"}, "'per'") == 1;
      check(Wide(ports.size()) * Wide(chips.size()), kMostNodes, "ports");
      for (size_t chip = 0; chip < chips.size(); ++chip) {
        if (chip == 0 || !isPerMachine) {
          memories.push_back(memory);
          if (chips.size() > 1 && !isPerMachine)
            memories.back().name += printPlace(chips[chip]);
        }
        check(Wide(memories.size()), kMostMemories, "memories");
        for (uint32_t port : ports)
          memories.back().nodes.push_back(nodeOf(chip, port));
      }
      if (isPerMachine)
        for (Quantity MemoryKind::*field :
             {&MemoryKind::size, &MemoryKind::reserved, &MemoryKind::bandwidth,
              &MemoryKind::standby})
          multiply(reader, memories.back().*field);
    }
    machine.memories = std::move(memories);
    for (CoreKind &kind : machine.coreKinds)
      kind.memory = moved[kind.memory];
  }

  /// Of one chip becomes of all chips.
  void multiply(const JsonReader &reader, Quantity &number) const {
    for (int64_t *part : {&number.value, &number.low, &number.high}) {
      const Wide product = Wide(*part) * Wide(chips.size());
      if (product > largest(number.unit))
        reader.fail("the memories of " + std::to_string(chips.size()) +
                    " chips have more than " +
                    std::to_string(largest(number.unit)) + " " +
                    std::string(baseName(number.unit)) + " together");
      *part = int64_t(product);
    }
  }

  /// Reads {"cores": [...]} or {"links": ...}, of some or all chips of some or
  /// all boards, or {"chip_links": ...}.
  void readDead(JsonReader &reader) {
    if (reader.has("chip_links")) {
      JsonReader pairs = reader.object("chip_links");
      killLinks(pairs, chips, "chip", [&](uint32_t from, uint32_t to) {
        kill(pairs, nodeOf(from, portNode), nodeOf(to, portNode), chipLinkBegin,
             machine.network.links.size());
      });
      reader.finish();
      return;
    }
    const std::vector<uint32_t> affected = readAffected(reader);
    if (reader.has("links")) {
      JsonReader pairs = reader.object("links");
      killLinks(pairs, nodes, "node", [&](uint32_t from, uint32_t to) {
        for (uint32_t chip : affected)
          kill(pairs, nodeOf(chip, from), nodeOf(chip, to), chip * linksOfChip,
               (chip + 1) * linksOfChip);
      });
    } else {
      std::vector<int64_t> cores;
      reader.require("cores");
      reader.integers("cores", cores, 0, int64_t(coresOfChip) - 1);
      for (uint32_t chip : affected)
        for (int64_t core : cores)
          machine.cores[chip * coresOfChip + size_t(core)].isDead = true;
    }
    reader.finish();
  }

  std::vector<uint32_t> readAffected(JsonReader &reader) {
    std::vector<uint32_t> affected;
    std::vector<Place> someChips = onBoard, someBoards = boards;
    for (auto [key, list] :
         {std::pair("chips", &someChips), std::pair("boards", &someBoards)})
      if (reader.has(key)) {
        const std::vector<Place> known = std::move(*list);
        *list = readPlaces(reader, key);
        for (const Place &place : *list)
          if (std::find(known.begin(), known.end(), place) == known.end())
            reader.fail(quote(key) + ": " + printPlace(place) +
                        " is not one of them");
      }
    for (const Place &board : someBoards)
      for (const Place &chip : someChips)
        affected.push_back(
            uint32_t(chips.find({board[0] + chip[0], board[1] + chip[1]})));
    return affected;
  }

  template <typename Function>
  void killLinks(JsonReader &pairs, const Grid &grid, const std::string &noun,
                 Function function) {
    const std::vector<Place> from = readPlaces(pairs, "from", Repeats::Allowed);
    const std::vector<Place> to = readPlaces(pairs, "to", Repeats::Allowed);
    pairs.finish();
    if (from.size() != to.size())
      pairs.fail("'from' has " + std::to_string(from.size()) +
                 " positions and 'to' " + std::to_string(to.size()) +
                 "; the same number is wanted");
    for (size_t i = 0; i < from.size(); ++i)
      function(grid.require(pairs, from[i], noun),
               grid.require(pairs, to[i], noun));
  }

  /// Both directions of the links between two nodes, in a range of links.
  void kill(const JsonReader &reader, uint32_t from, uint32_t to, size_t begin,
            size_t end) {
    bool isFound = false;
    for (size_t i = begin; i < end; ++i) {
      Link &link = machine.network.links[i];
      if ((link.from == from && link.to == to) ||
          (link.from == to && link.to == from))
        link.isDead = isFound = true;
    }
    if (!isFound)
      reader.fail("no link is between these positions");
  }

  JsonReader &file;
  Description &machine;
  Grid nodes;
  /// All chips, board by board.
  Grid chips;
  std::vector<Place> onBoard = {{0, 0}}, boards = {{0, 0}};
  std::vector<uint32_t> boardOf;
  uint32_t portNode = 0;
  std::vector<Link> chipLinks;
  size_t chipLinkBegin = 0, coresOfChip = 0, linksOfChip = 0;
};

} // namespace

void readLayout(JsonReader &file, Description &machine) {
  Layout(file, machine).read();
}

/// Returns which nodes live links connect with a node.
static std::vector<bool> reach(const Network &network, uint32_t start,
                               uint32_t Link::*from, uint32_t Link::*to) {
  std::vector<std::vector<uint32_t>> next(network.nodes);
  for (const Link &link : network.links)
    if (!link.isDead)
      next[link.*from].push_back(link.*to);
  std::vector<bool> isReached(network.nodes);
  isReached[start] = true;
  std::vector<uint32_t> open = {start};
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    for (uint32_t other : next[node])
      if (!isReached[other]) {
        isReached[other] = true;
        open.push_back(other);
      }
  }
  return isReached;
}

void checkConnected(const JsonReader &file, const Description &machine) {
  const auto first =
      std::find_if(machine.cores.begin(), machine.cores.end(),
                   [](const Core &core) { return !core.isDead; });
  if (first == machine.cores.end())
    file.fail("all cores are dead");
  const auto firstIndex = size_t(first - machine.cores.begin());
  const std::vector<bool> isReached =
      reach(machine.network, first->node, &Link::from, &Link::to);
  const std::vector<bool> isReaching =
      reach(machine.network, first->node, &Link::to, &Link::from);
  auto check = [&](uint32_t node, const std::string &noun) {
    if (!isReached[node] || !isReaching[node])
      file.fail("network: no way connects core " + std::to_string(firstIndex) +
                " with " + noun + " in both directions");
  };
  for (size_t i = 0; i < machine.cores.size(); ++i)
    if (!machine.cores[i].isDead)
      check(machine.cores[i].node, "core " + std::to_string(i));
  for (const MemoryKind &memory : machine.memories)
    for (uint32_t node : memory.nodes)
      check(node, "memory " + quote(memory.name));
}

} // namespace gensyn::machine
