// Reads meshes, stars and single links.

#include "Links.h"

#include "Numbers.h"
#include "gensyn/Executable/Support/Error.h"

namespace gensyn::machine {

namespace {

class Groups {
public:
  Groups(const Grid &grid, std::string noun, const Connects &connects,
         Description &machine)
      : grid(grid), noun(std::move(noun)), connects(connects),
        machine(machine) {}

  void read(JsonReader &reader) {
    Link link;
    link.bandwidth = readNumber(reader, "bandwidth", Unit::BytesPerSecond,
                                machine, Sign::Positive);
    link.latency = readNumber(reader, "latency", Unit::Picoseconds, machine);
    link.energy =
        readNumber(reader, "energy", Unit::FemtojoulesPerByte, machine);
    const size_t before = links.size();
    switch (reader.choice("kind", {"mesh", "star", "pairs"}, "kind")) {
    case 0:
      addMesh(reader, link);
      break;
    case 1:
      addStar(reader, link);
      break;
    default:
      addPairs(reader, link);
    }
    reader.finish();
    if (links.size() == before)
      reader.fail("connects nothing");
  }

  std::vector<Link> links;

private:
  /// A file may ask for many links that do not exist.
  void countTry(const JsonReader &reader) {
    constexpr int64_t most = 4 * kMostLinks;
    if (++tries > most)
      reader.fail("more than " + std::to_string(most) + " pairs of positions");
  }

  void add(JsonReader &reader, Link link, uint32_t from, uint32_t to) {
    countTry(reader);
    if (from == to || !connects(from, to))
      return;
    link.from = from;
    link.to = to;
    links.push_back(link);
    if (int64_t(links.size()) > kMostLinks)
      reader.fail("more than " + std::to_string(kMostLinks) + " links");
  }

  void addBoth(JsonReader &reader, const Link &link, uint32_t from,
               uint32_t to) {
    add(reader, link, from, to);
    add(reader, link, to, from);
  }

  /// All links along x come before those along y, so that route() prefers them.
  void addMesh(JsonReader &reader, const Link &link) {
    std::vector<Place> steps = {{1, 0}, {0, 1}};
    if (reader.has("steps"))
      steps = readPlaces(reader, "steps");
    constexpr size_t mostSteps = 16;
    if (steps.size() > mostSteps)
      reader.failType("steps", "a list of at most " +
                                   std::to_string(mostSteps) + " positions");
    for (const Place &step : steps)
      for (uint32_t from = 0; from < grid.size(); ++from) {
        countTry(reader);
        const int64_t to =
            grid.find({grid[from][0] + step[0], grid[from][1] + step[1]});
        if (to >= 0)
          addBoth(reader, link, from, uint32_t(to));
      }
  }

  void addStar(JsonReader &reader, const Link &link) {
    const uint32_t center =
        grid.require(reader, readPlace(reader, "center"), noun);
    const std::vector<Place> ends =
        reader.has("to") ? readPlaces(reader, "to") : grid.all();
    for (const Place &end : ends)
      addBoth(reader, link, grid.require(reader, end, noun), center);
  }

  void addPairs(JsonReader &reader, const Link &link) {
    const std::vector<Place> from =
                                 readPlaces(reader, "from", Repeats::Allowed),
                             to = readPlaces(reader, "to", Repeats::Allowed);
    requireSameSize(reader, from, to);
    bool isOneWay = false;
    reader.flag("one_way", isOneWay);
    for (size_t i = 0; i < from.size(); ++i) {
      const uint32_t one = grid.require(reader, from[i], noun);
      const uint32_t other = grid.require(reader, to[i], noun);
      add(reader, link, one, other);
      if (!isOneWay)
        add(reader, link, other, one);
    }
  }

  const Grid &grid;
  const std::string noun;
  const Connects &connects;
  Description &machine;
  int64_t tries = 0;
};

} // namespace

std::vector<Link> readLinks(JsonReader &parent, const std::string &key,
                            const Grid &grid, const std::string &noun,
                            const Connects &connects, Description &machine) {
  Groups groups(grid, noun, connects, machine);
  for (JsonReader &reader : parent.objects(key))
    groups.read(reader);
  return std::move(groups.links);
}

} // namespace gensyn::machine
