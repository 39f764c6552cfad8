// Reads the map of dead cores and links, and checks what is left.

#include "Layout.h"
#include "Numbers.h"
#include "Units.h"
#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <functional>

namespace gensyn::machine {

namespace {

/// Lists of positions in files are short; those of hostile files need a limit.
constexpr int64_t kMostDead = 4 * kMostCores;

class Dead {
public:
  Dead(const Layout &layout, Description &machine)
      : layout(layout), machine(machine) {}

  /// Reads {"cores": [...]} or {"links": ...}, of some or all chips of some or
  /// all boards, or {"chip_links": ...}.
  void read(JsonReader &reader) {
    readLayoutSource(reader, machine);
    if (reader.has("chip_links")) {
      readLinks(reader, "chip_links", layout.chips, "chip",
                [&](uint32_t from, uint32_t to) {
                  return kill(layout.nodeOf(from, layout.gateway),
                              layout.nodeOf(to, layout.gateway));
                });
    } else if (reader.has("links")) {
      const std::vector<uint32_t> chips = readChips(reader);
      readLinks(
          reader, "links", layout.nodes, "node",
          [&](uint32_t from, uint32_t to) {
            count(reader, chips.size());
            return std::all_of(chips.begin(), chips.end(), [&](uint32_t chip) {
              return kill(layout.nodeOf(chip, from), layout.nodeOf(chip, to));
            });
          });
    } else {
      readCores(reader);
    }
    reader.finish();
  }

private:
  void count(const JsonReader &reader, size_t items) {
    total += Wide(items);
    if (total > kMostDead)
      reader.fail("'dead' lists more than " + std::to_string(kMostDead) +
                  " cores and links");
  }

  void readCores(JsonReader &reader) {
    const std::vector<uint32_t> chips = readChips(reader);
    std::vector<int64_t> cores;
    reader.require("cores");
    reader.integers("cores", cores, 0, int64_t(layout.coresOfChip) - 1);
    for (uint32_t chip : chips) {
      count(reader, cores.size());
      for (int64_t core : cores)
        machine.cores[chip * layout.coresOfChip + size_t(core)].isDead = true;
    }
  }

  std::vector<Place> readSome(JsonReader &reader, const std::string &key,
                              const Grid &grid, const std::string &noun) {
    if (!reader.has(key))
      return grid.all();
    std::vector<Place> places = readPlaces(reader, key);
    for (const Place &place : places)
      grid.require(reader, place, noun);
    return places;
  }

  /// The numbers of the chips that an entry is about.
  std::vector<uint32_t> readChips(JsonReader &reader) {
    const std::vector<Place> chips =
        readSome(reader, "chips", layout.chipsOfBoard, "chip");
    const std::vector<Place> boards =
        readSome(reader, "boards", layout.boards, "board");
    count(reader, chips.size() * boards.size());
    std::vector<uint32_t> numbers;
    for (const Place &board : boards)
      for (const Place &chip : chips)
        numbers.push_back(uint32_t(
            layout.chips.find({board[0] + chip[0], board[1] + chip[1]})));
    return numbers;
  }

  /// Reads pairs of positions and calls `function` for the numbers of each. It
  /// returns false if there is no link.
  void readLinks(JsonReader &parent, const std::string &key, const Grid &grid,
                 const std::string &noun,
                 const std::function<bool(uint32_t, uint32_t)> &function) {
    JsonReader reader = parent.object(key);
    const std::vector<Place> from =
        readPlaces(reader, "from", Repeats::Allowed);
    const std::vector<Place> to = readPlaces(reader, "to", Repeats::Allowed);
    reader.finish();
    requireSameSize(reader, from, to);
    count(reader, from.size());
    for (size_t i = 0; i < from.size(); ++i)
      if (!function(grid.require(reader, from[i], noun),
                    grid.require(reader, to[i], noun)))
        reader.fail("no link is between " + printPlace(from[i]) + " and " +
                    printPlace(to[i]));
  }

  /// Both directions of the links between two nodes. Returns false if there are
  /// none.
  bool kill(uint32_t one, uint32_t other) {
    std::vector<Link> &links = machine.network.links;
    if (sorted.empty()) {
      for (uint32_t i = 0; i < links.size(); ++i)
        sorted.push_back({links[i].from, links[i].to, i});
      std::sort(sorted.begin(), sorted.end());
    }
    bool isFound = false;
    for (auto [from, to] : {std::pair(one, other), std::pair(other, one)})
      for (auto found = std::lower_bound(sorted.begin(), sorted.end(),
                                         std::array<uint32_t, 3>{from, to, 0});
           found != sorted.end() && (*found)[0] == from && (*found)[1] == to;
           ++found)
        links[(*found)[2]].isDead = isFound = true;
    return isFound;
  }

  const Layout &layout;
  Description &machine;
  /// All links: from, to, number.
  std::vector<std::array<uint32_t, 3>> sorted;
  Wide total = 0;
};

} // namespace

void readDead(JsonReader &file, const Layout &layout, Description &machine) {
  Dead dead(layout, machine);
  for (JsonReader &reader : file.objects("dead"))
    dead.read(reader);
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
  const std::string start =
      "core " + std::to_string(first - machine.cores.begin());
  const std::vector<bool> isReached =
      reach(machine.network, first->node, &Link::from, &Link::to);
  const std::vector<bool> isReaching =
      reach(machine.network, first->node, &Link::to, &Link::from);
  auto check = [&](uint32_t node, const std::string &noun) {
    if (!isReached[node] || !isReaching[node])
      file.fail("network: no path connects " + start + " with " + noun +
                " in both directions");
  };
  for (size_t i = 0; i < machine.cores.size(); ++i)
    if (!machine.cores[i].isDead)
      check(machine.cores[i].node, "core " + std::to_string(i));
  for (const MemoryKind &memory : machine.memories)
    for (uint32_t node : memory.nodes)
      check(node, "memory " + quote(memory.name));
}

} // namespace gensyn::machine
