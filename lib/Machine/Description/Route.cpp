// Shortest paths through a machine's network.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Description.h"

#include <map>
#include <mutex>

namespace gensyn::machine {

namespace {

constexpr uint32_t kUnknown = UINT32_MAX;

/// The live links that touch each node, in the order of the file.
struct Adjacency {
  /// Links of node i: links[first[i]] to links[first[i + 1]], exclusive.
  std::vector<uint32_t> first, links;

  Adjacency(const Network &network, uint32_t Link::*end)
      : first(network.nodes + 1) {
    for (const Link &link : network.links)
      if (!link.isDead)
        ++first[link.*end + 1];
    for (uint32_t i = 0; i < network.nodes; ++i)
      first[i + 1] += first[i];
    links.resize(first.back());
    std::vector<uint32_t> next = first;
    for (uint32_t i = 0; i < network.links.size(); ++i)
      if (!network.links[i].isDead)
        links[next[network.links[i].*end]++] = i;
  }
};

/// The distances of nodes from one end, found as far as they were needed.
struct Search {
  std::vector<uint32_t> distance, queue;
  size_t done = 0;

  Search(uint32_t nodes, uint32_t end) : distance(nodes, kUnknown) {
    distance[end] = 0;
    queue.push_back(end);
  }

  /// Continues until the distance of `node` is known or nothing is left.
  void reach(uint32_t node, const Network &network, const Adjacency &incoming) {
    while (distance[node] == kUnknown && done < queue.size()) {
      const uint32_t here = queue[done++];
      for (uint32_t i = incoming.first[here]; i < incoming.first[here + 1];
           ++i) {
        const uint32_t there = network.links[incoming.links[i]].from;
        if (distance[there] != kUnknown)
          continue;
        distance[there] = distance[here] + 1;
        queue.push_back(there);
      }
    }
  }
};

} // namespace

class RouteCache::State {
public:
  std::vector<uint32_t> find(const Network &network, uint32_t from,
                             uint32_t to) {
    const std::lock_guard lock(mutex);
    if (!outgoing) {
      outgoing = std::make_unique<Adjacency>(network, &Link::from);
      incoming = std::make_unique<Adjacency>(network, &Link::to);
    }
    // 64 MiB of distances.
    constexpr size_t mostDistances = size_t(1) << 24;
    if (!searches.contains(to) &&
        (searches.size() + 1) * network.nodes > mostDistances)
      searches.clear();
    Search &search = searches.try_emplace(to, network.nodes, to).first->second;
    search.reach(from, network, *incoming);
    std::vector<uint32_t> path;
    if (search.distance[from] == kUnknown)
      return path;
    for (uint32_t node = from; node != to; node = network.links[path.back()].to)
      path.push_back(nearer(network, search, node));
    return path;
  }

private:
  /// The first link of `node` that leads nearer to the end of the search.
  uint32_t nearer(const Network &network, const Search &search,
                  uint32_t node) const {
    for (uint32_t i = outgoing->first[node];; ++i) {
      const uint32_t link = outgoing->links[i];
      if (search.distance[network.links[link].to] == search.distance[node] - 1)
        return link;
    }
  }

  std::mutex mutex;
  std::unique_ptr<Adjacency> outgoing, incoming;
  std::map<uint32_t, Search> searches;
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
  std::vector<uint32_t> path = routes.state->find(network, from, to);
  if (path.empty() && from != to)
    failUnsupported("machine " + quote(name) + ": no path leads from node " +
                    std::to_string(from) + " to node " + std::to_string(to) +
                    " of its network");
  return path;
}

} // namespace gensyn::machine
