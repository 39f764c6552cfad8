// Paths through a network in which links cannot wait for each other in a circle
// (gensyn/Machine/Channels.h), as short and as evenly spread as that allows.

#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_TURNROUTES_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_TURNROUTES_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gensyn::machine {

/// A path may take a turn, from one link to the next, unless links that take
/// turns which are wanted more would then wait for each other in a circle. Most
/// wanted are those that most shortest paths take. If then no path leads from
/// some node to another one, the turns of spanning trees come before all
/// others. Of the paths that there are, short ones over links that few others
/// lead over are taken.
///
/// Paths that lead up to one root and then down again cannot wait in a circle
/// either, but on 576 chips over the most used link lead 33,313 of all paths
/// from chip to chip then, instead of 4,906, and a path has 16.1 links instead
/// of 12.9.
class TurnRoutes {
public:
  struct Arc {
    uint32_t link, from, to;
    bool operator==(const Arc &) const = default;
  };

  TurnRoutes(uint32_t nodes, std::vector<Arc> arcs);

  uint32_t getNodes() const { return nodes; }
  const std::vector<Arc> &getArcs() const { return arcs; }
  /// True if a path leads from each node to each.
  bool connectsAll() const { return isComplete; }
  /// The number of links of the path; ~0 if there is none.
  uint32_t distance(uint32_t from, uint32_t to) const;
  /// Appends the links of the path, which exists.
  void append(uint32_t from, uint32_t to, std::vector<uint32_t> &path) const;

private:
  class TurnChoice;
  static constexpr uint32_t none = ~uint32_t(0);

  /// Choose the paths; return true if there is one from each node.
  bool chooseAll();
  bool choosePaths(uint32_t to);
  /// Adds the paths to an end to the loads of links, or takes them away.
  void countPaths(uint32_t to, bool isAdded);

  template <class Function>
  void follow(uint32_t from, uint32_t to, const Function &function) const {
    for (uint32_t arc = from == to ? none : firsts[size_t(to) * nodes + from];
         arc != none; arc = nexts[size_t(to) * arcs.size() + arc])
      function(arc);
  }

  uint32_t nodes;
  std::vector<Arc> arcs;
  bool isComplete = false;
  /// By node, and the arcs that may follow each, or come before it.
  std::vector<std::vector<uint32_t>> outgoing, incoming, after, before;
  /// By the end and the beginning of a path its first arc, or none; and by the
  /// end and an arc the next one.
  std::vector<uint32_t> firsts, nexts;
  /// How many paths lead over each arc.
  std::vector<uint64_t> loads;
};

/// Returns the paths of a network, found once if it is asked for one network
/// again and again: each pass of a mapping reads its machine anew, and paths of
/// 1152 chips take seconds. May be called from several threads.
std::shared_ptr<const TurnRoutes>
findTurnRoutes(uint32_t nodes, std::vector<TurnRoutes::Arc> arcs);

} // namespace gensyn::machine

#endif
