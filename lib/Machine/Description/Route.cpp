// Shortest paths through a machine's network.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Description.h"

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

/// The distances of nodes from one end, found as far as they were needed.
struct Search {
  /// Of `base` and the nodes after it.
  uint32_t base;
  std::vector<uint32_t> distances, queue;
  size_t done = 0;

  Search(uint32_t base, uint32_t nodes, uint32_t end)
      : base(base), distances(nodes, kUnknown), queue{end} {
    distances[end - base] = 0;
  }

  uint32_t distance(uint32_t node, const Adjacency &incoming) {
    while (distances[node - base] == kUnknown && done < queue.size()) {
      const uint32_t here = queue[done++];
      for (const Edge *edge = incoming.begin(here); edge < incoming.end(here);
           ++edge) {
        uint32_t &there = distances[edge->node - base];
        if (there != kUnknown)
          continue;
        there = distances[here - base] + 1;
        queue.push_back(edge->node);
      }
    }
    return distances[node - base];
  }
};

/// Shortest paths in groups of `group` nodes each that nothing connects.
class Graph {
public:
  Graph(uint32_t nodes, uint32_t group, std::vector<Adjacency::Arc> arcs)
      : group(group), outgoing(nodes, arcs),
        incoming(nodes, turned(std::move(arcs))), searches(nodes) {}

  uint32_t distance(uint32_t from, uint32_t to) {
    return searchOf(to).distance(from, incoming);
  }

  /// Appends the links of the path, which exists.
  void append(uint32_t from, uint32_t to, std::vector<uint32_t> &path) {
    Search &search = searchOf(to);
    uint32_t left = search.distance(from, incoming);
    for (; left > 0; --left) {
      // The first link that leads nearer.
      const Edge *edge = outgoing.begin(from);
      while (search.distances[edge->node - search.base] != left - 1)
        ++edge;
      path.push_back(edge->link);
      from = edge->node;
    }
  }

private:
  static std::vector<Adjacency::Arc> turned(std::vector<Adjacency::Arc> arcs) {
    for (Adjacency::Arc &arc : arcs)
      std::swap(arc.at, arc.other);
    return arcs;
  }

  Search &searchOf(uint32_t to) {
    // 64 MiB of distances.
    constexpr size_t most = size_t(1) << 24;
    std::optional<Search> &search = searches[to];
    if (search)
      return *search;
    if ((size_t(known.size()) + 1) * group > most) {
      for (uint32_t node : known)
        searches[node].reset();
      known.clear();
    }
    known.push_back(to);
    return search.emplace(to / group * group, group, to);
  }

  uint32_t group;
  Adjacency outgoing, incoming;
  /// By their end, and the ends of those that are there.
  std::vector<std::optional<Search>> searches;
  std::vector<uint32_t> known;
};

} // namespace

/// Links between chips end at one node of each, so a shortest path leads from
/// its chip by the gateway, from chip to chip, and from the last gateway on,
/// and each of the three is a shortest one: no path from node to node is kept.
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
          state.between->distance(first, last),
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
    within.emplace(network.nodes, network.nodesOfChip(), std::move(inside));
    const auto chips =
        static_cast<uint32_t>(std::max<size_t>(network.gateways.size(), 1));
    between.emplace(chips, chips, std::move(outside));
  }

  std::mutex mutex;
  std::optional<Graph> within, between;
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
