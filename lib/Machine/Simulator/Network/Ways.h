// The ways of copies through the network: what a packet occupies one after
// another.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_WAYS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_WAYS_H

#include "../Binding.h"
#include "../Check.h"
#include "../NumberTable.h"
#include "Resources.h"
#include "Way.h"

#include "gensyn/Machine/Times.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gensyn::machine {

/// The ways of a simulation. Those of a copy are a list, one for each port of a
/// memory among which its packets take turns.
class Ways {
public:
  /// The arguments outlive it; the mapping is checked.
  Ways(const Subject &subject, const Resources &resources);

  struct List {
    /// Of the ways, and that of the first packet.
    uint32_t list, ways, turn;
  };
  /// Finds the ways over which the packets of a copy of a core take turns.
  /// Accesses are interleaved over the ports of a shared memory by their
  /// addresses, or over those of the parts in which the buffer's layout puts
  /// the bytes; between two shared memories there is one way, the path. To
  /// several cores, packets of other ports take the machine's route to the
  /// beginning of the tree. Throws a Failure (unsupported), for a segment, if
  /// there are too many.
  List findList(size_t segment, uint32_t core, const mapping::Copy &copy,
                uint32_t packets);

  /// One of the ways of a list that a packet of a copy takes.
  Way find(uint32_t list, uint32_t place) const;
  const Hop &hop(const Way &way, uint32_t number) const {
    return hops[way.partOf(number).offset + number];
  }
  /// Begins a way, which has a hop. Returns its latency, and sets the energy of
  /// a byte on its links.
  int64_t begin(uint32_t list, uint32_t place, Walk &walk, Wide &energy) const;
  /// Brings what `begin` needs near to the processor.
  void fetch(uint32_t list, uint32_t place) const {
    std::array<uint32_t, 4> chosen;
    if (choose(list, place, chosen))
      __builtin_prefetch(&stretches[chosen.front()]);
  }
  /// The hop of a number among those of all ways.
  const Hop &hopAt(uint32_t number) const { return hops[number]; }
  /// The first of the hops that follow one, to whose stretch the walk goes on;
  /// noTask: there is none.
  uint32_t goOn(Walk &walk, uint32_t number) const {
    if (number >= walk.stem)
      return inWay(walk, branchOf(walk, number).firstAfter);
    return number + 1 < walk.end || enterNext(walk) ? number + 1 : noTask;
  }
  /// The next of the hops that follow the same one or begin the way.
  uint32_t nextBeside(const Walk &walk, uint32_t number) const {
    return number < walk.stem ? noTask
                              : inWay(walk, branchOf(walk, number).nextBeside);
  }
  /// The leaves behind a hop, or 1 for one that is a leaf.
  uint32_t leavesOf(const Walk &walk, uint32_t number) const {
    return number < walk.stem ? walk.leaves : branchOf(walk, number).leaves;
  }

private:
  static constexpr uint32_t none = ~uint32_t(0);

  /// Hops one after another, or a tree.
  struct Stretch {
    uint32_t firstHop, hops, firstBranch, leaves;
    int64_t latency;
    /// Of a byte on its links.
    Wide energy;
  };
  struct WayList {
    /// Its ports in `ports`, and the node of the core or the root of the tree.
    uint32_t firstPort, node;
    /// Stretches for each port, in `explicits`, where none stands for the
    /// machine's route; none: all take it.
    uint32_t firstExplicit;
    uint32_t tree; ///< a stretch
    bool isRead;
    uint32_t chip; ///< of the node
  };

  /// The stretches of a way, and how many there are.
  uint32_t choose(uint32_t list, uint32_t place,
                  std::array<uint32_t, 4> &chosen) const;
  /// Goes to the next stretch that has hops.
  bool enterNext(Walk &walk) const;

  uint32_t memoryOf(const mapping::Location &location) const;
  uint32_t turnOf(const mapping::Location &location, size_t ports) const;
  bool isRoute(const std::vector<uint32_t> &links, uint32_t from,
               uint32_t to) const;
  std::vector<uint32_t> linksOf(uint32_t path) const;
  uint32_t addPorts(uint32_t memory, std::vector<uint32_t> some);
  /// `stretchesOfPorts` is empty, or has one for each way or none.
  uint32_t addList(const WayList &list,
                   const std::vector<uint32_t> &stretchesOfPorts);
  [[noreturn]] void failTooMany() const;
  void requireRoom(size_t entries) const;
  void addHop(uint32_t resource, uint32_t load, const Quantity &latency);
  /// Of a byte.
  Wide energyOf(const std::vector<uint32_t> &links) const;
  /// A port or none, links, a port or none.
  uint32_t addStretch(uint32_t from, const std::vector<uint32_t> &links,
                      uint32_t to);
  uint32_t findTree(uint32_t path, uint32_t root);
  /// Makes the stretches between a node and a port.
  void prepare(uint32_t node, uint32_t port, bool isRead);
  /// Where the number of a stretch between them is, if both are of one chip.
  uint32_t &directOf(uint32_t node, uint32_t port, bool isRead);

  const Subject &subject;
  const Resources &resources;
  size_t segment = 0;
  /// Where buffers begin; those in each other's place at the same port, so that
  /// repetitions of a segment take the same time.
  std::vector<uint32_t> firstPorts;
  std::vector<Hop> hops;
  /// Of the hops of trees. Numbers are those among the tree's.
  struct Branch {
    uint32_t firstAfter, nextBeside, leaves;
  };
  static uint32_t inWay(const Walk &walk, uint32_t number) {
    return number == noTask ? noTask : walk.stem + number;
  }
  const Branch &branchOf(const Walk &walk, uint32_t number) const {
    return branches[walk.firstBranch + number - walk.stem];
  }
  std::vector<Branch> branches;
  std::vector<Stretch> stretches;
  std::vector<WayList> lists;
  std::vector<uint32_t> ports, explicits;
  /// Of each port: its node, its chip, and its number among those of its chip.
  std::vector<uint32_t> nodes, chipsOfPorts, placesInChip;
  uint32_t mostPorts = 0; ///< of a chip
  /// Numbers of stretches. From a node to its gateway, and back; to a port from
  /// its gateway, and back; between chips; between nodes and ports of a chip.
  std::vector<std::array<uint32_t, 2>> ofNodes, ofPorts;
  std::vector<uint32_t> ofChips;
  std::vector<std::vector<uint32_t>> directs;
  size_t directEntries = 0;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> trees;
  /// Path, core's node, memories, their ports if there is one way, the first
  /// place of the ports.
  NumberTable<std::array<uint32_t, 7>> known;
  /// The first places of lists of ports: the memory behind them; it alone
  /// stands for all.
  NumberTable<std::vector<uint32_t>> portLists;
};

inline uint32_t Ways::choose(uint32_t number, uint32_t place,
                             std::array<uint32_t, 4> &chosen) const {
  const WayList &list = lists[number];
  uint32_t count = 0;
  const uint32_t given =
      list.firstExplicit == none ? none : explicits[list.firstExplicit + place];
  if (given != none) {
    chosen[count++] = given;
  } else if (list.firstPort != none) {
    const uint32_t port = ports[list.firstPort + place];
    const uint32_t own = list.chip, other = chipsOfPorts[port];
    if (own == other) {
      chosen[count++] =
          directs[list.node][2 * placesInChip[port] + uint32_t(list.isRead)];
    } else {
      const auto chips =
          static_cast<uint32_t>(subject.machine.network.gateways.size());
      const uint32_t ofPort = ofPorts[port][list.isRead];
      const uint32_t ofNode = ofNodes[list.node][list.isRead];
      chosen = {list.isRead ? ofPort : ofNode,
                list.isRead ? ofChips[other * chips + own]
                            : ofChips[own * chips + other],
                list.isRead ? ofNode : ofPort};
      count = 3;
    }
  }
  if (list.tree != none)
    chosen[count++] = list.tree;
  return count;
}

inline Way Ways::find(uint32_t number, uint32_t place) const {
  std::array<uint32_t, 4> chosen;
  const uint32_t count = choose(number, place, chosen);
  Way way;
  way.hops = 0;
  way.latency = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Stretch &stretch = stretches[chosen[i]];
    way.parts[i].offset = stretch.firstHop - way.hops;
    way.hops += stretch.hops;
    way.parts[i].end = way.hops;
    way.latency += stretch.latency;
  }
  return way;
}

inline int64_t Ways::begin(uint32_t number, uint32_t place, Walk &walk,
                           Wide &energy) const {
  std::array<uint32_t, 4> chosen;
  const uint32_t count = choose(number, place, chosen);
  walk.next.fill(none);
  uint32_t hops = 0;
  int64_t latency = 0;
  energy = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Stretch &stretch = stretches[chosen[i]];
    if (i)
      walk.next[i - 1] = chosen[i];
    hops += stretch.hops;
    latency += stretch.latency;
    energy += stretch.energy;
  }
  const Stretch &first = stretches[chosen[0]],
                &last = stretches[chosen[count - 1]];
  walk.firstBranch = last.firstBranch;
  walk.leaves = last.leaves;
  walk.stem = last.firstBranch == noTask ? hops : hops - last.hops;
  walk.offset = first.firstHop;
  walk.end = first.hops;
  walk.latencyAfter = latency - first.latency;
  if (!first.hops)
    enterNext(walk);
  return latency;
}

inline bool Ways::enterNext(Walk &walk) const {
  while (walk.next[0] != none) {
    const Stretch &stretch = stretches[walk.next[0]];
    walk.next = {walk.next[1], walk.next[2], none};
    walk.offset = stretch.firstHop - walk.end;
    walk.end += stretch.hops;
    walk.latencyAfter -= stretch.latency;
    if (stretch.hops)
      return true;
  }
  return false;
}

} // namespace gensyn::machine

#endif
