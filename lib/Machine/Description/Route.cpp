// Shortest paths through a machine's network.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Channels.h"
#include "gensyn/Machine/Description.h"

#include "TurnRoutes.h"

#include <algorithm>
#include <mutex>
#include <optional>

namespace gensyn::machine {

namespace {

constexpr uint32_t kUnknown = UINT32_MAX;

/// A link, and the node at its other end.
struct Edge {
  uint32_t link, node;
};

/// The live links at each node of a graph, in the order of the file.
class Adjacency {
public:
  struct Arc {
    uint32_t link, at, other;
  };

  Adjacency(uint32_t nodes, const std::vector<Arc> &arcs)
      : first(size_t(nodes) + 1), edges(arcs.size()) {
    for (const Arc &arc : arcs)
      ++first[arc.at + 1];
    for (uint32_t i = 0; i < nodes; ++i)
      first[i + 1] += first[i];
    std::vector<uint32_t> next = first;
    for (const Arc &arc : arcs)
      edges[next[arc.at]++] = {arc.link, arc.other};
  }

  const Edge *begin(uint32_t node) const { return edges.data() + first[node]; }
  const Edge *end(uint32_t node) const {
    return edges.data() + first[node + 1];
  }

private:
  std::vector<uint32_t> first;
  std::vector<Edge> edges;
};

/// Paths in groups of `group` nodes each that nothing connects: shortest ones,
/// unless links could wait for each other for ever then. In such a group a path
/// leads up, nearer to the group's root in a search in breadth from there, and
/// then down, so that no link waits for one that leads up after one that leads
/// down: of these paths a shortest one.
class Graph {
public:
  /// `roots` has that of each group. Everything beyond the roots together is
  /// one more place that paths lead through if `hasOutside`.
  Graph(uint32_t nodes, uint32_t group, std::vector<uint32_t> roots,
        bool hasOutside, std::vector<Adjacency::Arc> arcs)
      : group(group), roots(std::move(roots)), hasOutside(hasOutside),
        outgoing(nodes, arcs), incoming(nodes, turned(std::move(arcs))),
        searches(nodes), ranks(this->roots.size()),
        areChecked(this->roots.size()), areLonger(this->roots.size()) {}

  /// True if some paths of a group are longer than shortest ones.
  bool hasDetours(uint32_t number) {
    check(number);
    return areLonger[number];
  }

  uint32_t distance(uint32_t from, uint32_t to) {
    check(from / group);
    return distanceOf(searchOf(to), from);
  }

  /// Appends the links of the path, which exists.
  void append(uint32_t from, uint32_t to, std::vector<uint32_t> &path) {
    check(from / group);
    Search &search = searchOf(to);
    State state = {from, false};
    for (uint32_t left = distanceOf(search, from); left > 0; --left) {
      const auto [edge, next] = findNearer(search, state);
      path.push_back(edge->link);
      state = next;
    }
  }

private:
  /// Where a path is, and whether it has led down.
  struct State {
    uint32_t node;
    bool hasTurned;
  };
  /// The distances of states from one end, found as far as they were needed.
  struct Search {
    std::vector<uint32_t> distances;
    std::vector<State> queue;
    size_t done = 0;
  };

  static std::vector<Adjacency::Arc> turned(std::vector<Adjacency::Arc> arcs) {
    for (Adjacency::Arc &arc : arcs)
      std::swap(arc.at, arc.other);
    return arcs;
  }

  uint32_t &distanceAt(Search &search, State state) const {
    return search.distances[state.node % group + (state.hasTurned ? group : 0)];
  }

  /// True if a path may go on from a state over a link to a node; sets the
  /// state in which it is then.
  bool step(State from, uint32_t to, State &next) const {
    const std::vector<uint32_t> &rank = ranks[from.node / group];
    if (rank.empty()) {
      next = {to, false};
      return true;
    }
    const bool isUp = rank[to % group] < rank[from.node % group];
    next = {to, !isUp};
    return !(isUp && from.hasTurned);
  }

  Search &searchOf(uint32_t to) {
    // 64 MiB of distances.
    constexpr size_t most = size_t(1) << 23;
    std::optional<Search> &search = searches[to];
    if (search)
      return *search;
    if ((known.size() + 1) * size_t(group) > most)
      forget();
    known.push_back(to);
    search.emplace();
    search->distances.assign(2 * size_t(group), kUnknown);
    for (bool hasTurned : {false, true}) {
      distanceAt(*search, {to, hasTurned}) = 0;
      search->queue.push_back({to, hasTurned});
    }
    return *search;
  }

  void forget() {
    for (uint32_t node : known)
      searches[node].reset();
    known.clear();
  }

  uint32_t distanceOf(Search &search, uint32_t from) {
    const State wanted = {from, false};
    while (distanceAt(search, wanted) == kUnknown &&
           search.done < search.queue.size()) {
      const State here = search.queue[search.done++];
      const uint32_t distance = distanceAt(search, here);
      for (const Edge *edge = incoming.begin(here.node);
           edge < incoming.end(here.node); ++edge)
        for (bool hasTurned : {false, true}) {
          const State before = {edge->node, hasTurned};
          State next;
          if (!step(before, here.node, next) ||
              next.hasTurned != here.hasTurned ||
              distanceAt(search, before) != kUnknown)
            continue;
          distanceAt(search, before) = distance + 1;
          search.queue.push_back(before);
        }
    }
    return distanceAt(search, wanted);
  }

  /// The first link that leads nearer to the end of a search.
  std::pair<const Edge *, State> findNearer(Search &search, State state) const {
    const uint32_t distance = distanceAt(search, state);
    State next;
    const Edge *edge = outgoing.begin(state.node);
    while (!step(state, edge->node, next) ||
           distanceAt(search, next) != distance - 1)
      ++edge;
    return {edge, next};
  }

  /// Decides how paths of a group lead. Groups of very many nodes have shortest
  /// ones.
  void check(uint32_t number) {
    constexpr uint32_t mostNodes = 2048;
    if (areChecked[number])
      return;
    areChecked[number] = true;
    if (group > mostNodes || !canWait(number))
      return;
    std::vector<uint32_t> before(size_t(group) * group);
    forEachPair(number, [&](uint32_t from, uint32_t to, size_t pair) {
      before[pair] = distanceOf(searchOf(to), from);
    });
    rank(number);
    forget();
    bool isComplete = true;
    forEachPair(number, [&](uint32_t from, uint32_t to, size_t pair) {
      const uint32_t distance = distanceOf(searchOf(to), from);
      isComplete &= before[pair] == kUnknown || distance != kUnknown;
      areLonger[number] = areLonger[number] || distance != before[pair];
    });
    // Links in one direction only.
    if (!isComplete)
      ranks[number].clear();
    forget();
  }

  template <class Function>
  void forEachPair(uint32_t number, const Function &function) {
    const uint32_t base = number * group;
    size_t pair = 0;
    for (uint32_t to = base; to < base + group; ++to)
      for (uint32_t from = base; from < base + group; ++from)
        function(from, to, pair++);
  }

  /// True if links wait for each other in a circle with shortest paths.
  bool canWait(uint32_t number) {
    const uint32_t base = number * group;
    const Edge *const first = outgoing.begin(base);
    ChannelDependencies waits(
        static_cast<uint32_t>(outgoing.end(base + group - 1) - first));
    // The rest of a path from a node on is the path from there.
    forEachPair(number, [&](uint32_t from, uint32_t to, size_t) {
      Search &search = searchOf(to);
      const uint32_t distance = distanceOf(search, from);
      if (distance == kUnknown || distance < 2)
        return;
      const auto [edge, next] = findNearer(search, {from, false});
      waits.add(uint32_t(edge - first),
                uint32_t(findNearer(search, next).first - first));
    });
    if (hasOutside)
      for (uint32_t node = base; node < base + group; ++node)
        for (const Edge *edge = outgoing.begin(node); edge < outgoing.end(node);
             ++edge)
          if (edge->node == roots[number])
            for (const Edge *other = outgoing.begin(roots[number]);
                 other < outgoing.end(roots[number]); ++other)
              waits.add(uint32_t(edge - first), uint32_t(other - first));
    return !waits.findCycle().empty();
  }

  void rank(uint32_t number) {
    std::vector<uint32_t> &rank = ranks[number];
    rank.assign(group, kUnknown);
    std::vector<uint32_t> order = {roots[number]};
    rank[roots[number] % group] = 0;
    for (size_t i = 0; i < order.size(); ++i)
      for (const Edge *edge = outgoing.begin(order[i]);
           edge < outgoing.end(order[i]); ++edge)
        if (rank[edge->node % group] == kUnknown) {
          rank[edge->node % group] = static_cast<uint32_t>(order.size());
          order.push_back(edge->node);
        }
  }

  uint32_t group;
  std::vector<uint32_t> roots;
  bool hasOutside;
  Adjacency outgoing, incoming;
  /// By their end, and the ends of those that are there.
  std::vector<std::optional<Search>> searches;
  std::vector<uint32_t> known;
  /// Of each group: of each node its place in the search from the root; none if
  /// paths are shortest ones.
  std::vector<std::vector<uint32_t>> ranks;
  std::vector<bool> areChecked, areLonger;
};

} // namespace

/// Links between chips end at one node of each, so a path leads from its chip
/// by the gateway, from chip to chip, and from the last gateway on: no path
/// from node to node is kept.
class RouteCache::State {
public:
  /// Serves one call.
  class Use {
  public:
    Use(State &state, const Network &network)
        : lock(state.mutex), state(state), network(network) {
      if (!state.within)
        state.build(network);
    }

    /// kUnknown if there is none.
    uint32_t distance(uint32_t from, uint32_t to) {
      const uint32_t first = network.chipOf(from), last = network.chipOf(to);
      if (first == last)
        return state.within->distance(from, to);
      const uint32_t parts[] = {
          state.within->distance(from, network.gateways[first]),
          state.spread ? state.spread->distance(first, last)
                       : state.between->distance(first, last),
          state.within->distance(network.gateways[last], to)};
      uint32_t sum = 0;
      for (uint32_t part : parts) {
        if (part == kUnknown)
          return kUnknown;
        sum += part;
      }
      return sum;
    }

    std::vector<uint32_t> path(uint32_t from, uint32_t to) {
      const uint32_t first = network.chipOf(from), last = network.chipOf(to);
      std::vector<uint32_t> links;
      if (first == last) {
        state.within->append(from, to, links);
        return links;
      }
      state.within->append(from, network.gateways[first], links);
      if (state.spread)
        state.spread->append(first, last, links);
      else
        state.between->append(first, last, links);
      state.within->append(network.gateways[last], to, links);
      return links;
    }

  private:
    const std::lock_guard<std::mutex> lock;
    State &state;
    const Network &network;
  };

private:
  void build(const Network &network) {
    std::vector<Adjacency::Arc> inside, outside;
    for (uint32_t i = 0; i < network.links.size(); ++i) {
      const Link &link = network.links[i];
      if (link.isDead)
        continue;
      const uint32_t from = network.chipOf(link.from);
      const uint32_t to = network.chipOf(link.to);
      if (from == to)
        inside.push_back({i, link.from, link.to});
      else
        outside.push_back({i, from, to});
    }
    const std::vector<uint32_t> &gateways = network.gateways;
    within.emplace(network.nodes, std::max(network.nodesOfChip(), 1u),
                   gateways.empty() ? std::vector<uint32_t>{0} : gateways,
                   !gateways.empty(), std::move(inside));
    const auto chips =
        static_cast<uint32_t>(std::max<size_t>(gateways.size(), 1));
    between.emplace(chips, chips, std::vector<uint32_t>{0}, false, outside);
    if (!between->hasDetours(0))
      return;
    std::vector<TurnRoutes::Arc> arcs;
    for (const Adjacency::Arc &arc : outside)
      arcs.push_back({arc.link, arc.at, arc.other});
    spread = findTurnRoutes(chips, std::move(arcs));
    if (!spread->connectsAll())
      spread.reset();
  }

  std::mutex mutex;
  std::optional<Graph> within, between;
  /// Instead of `between`, where its paths are longer than shortest ones: they
  /// all lead over the links near one chip then. Parts of paths become trees
  /// within chips alone, so turns at which they part and meet again need not be
  /// allowed.
  std::shared_ptr<const TurnRoutes> spread;
};

RouteCache::RouteCache() : state(std::make_unique<State>()) {}
RouteCache::RouteCache(const RouteCache &) : RouteCache() {}
RouteCache &RouteCache::operator=(const RouteCache &other) {
  if (this != &other)
    state = std::make_unique<State>();
  return *this;
}
RouteCache::~RouteCache() = default;

std::vector<uint32_t> Description::route(uint32_t from, uint32_t to) const {
  RouteCache::State::Use routing(*routes.state, network);
  if (routing.distance(from, to) == kUnknown)
    failUnsupported("machine " + quote(name) + ": no path leads from node " +
                    std::to_string(from) + " to node " + std::to_string(to) +
                    " of its network");
  return routing.path(from, to);
}

uint32_t Description::findNearest(const std::vector<uint32_t> &nodes,
                                  uint32_t to) const {
  RouteCache::State::Use routing(*routes.state, network);
  uint32_t nearest = kUnknown, least = kUnknown;
  for (uint32_t node : nodes)
    if (const uint32_t distance = routing.distance(node, to);
        distance < least) {
      least = distance;
      nearest = node;
    }
  if (least == kUnknown)
    failUnsupported("machine " + quote(name) + ": no path leads to node " +
                    std::to_string(to) + " of its network from any of " +
                    std::to_string(nodes.size()));
  return nearest;
}

} // namespace gensyn::machine
