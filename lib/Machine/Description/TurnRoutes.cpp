// See TurnRoutes.h.

#include "TurnRoutes.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <queue>
#include <utility>

namespace gensyn::machine {

/// Chooses the turns that paths may take: those that are wanted most come
/// first, and none closes a circle.
class TurnRoutes::TurnChoice {
public:
  explicit TurnChoice(TurnRoutes &routes)
      : routes(routes), order(routes.arcs.size()), marks(routes.arcs.size()),
        isTree(routes.arcs.size()) {
    countWishes();
  }

  /// Chooses them anew, those of trees first if wanted.
  void run(bool hasTrees) {
    for (uint32_t arc = 0; arc < routes.arcs.size(); ++arc) {
      routes.after[arc].clear();
      routes.before[arc].clear();
    }
    std::iota(order.begin(), order.end(), 0);
    if (hasTrees)
      allowTrees();
    for (const Wish &wish : wishes)
      if (!(isTree[wish.from] && isTree[wish.to]))
        tryTurn(wish.from, wish.to);
  }

private:
  struct Wish {
    uint32_t from, to;
    uint64_t count;
  };

  bool isBack(uint32_t one, uint32_t other) const {
    return routes.arcs[one].from == routes.arcs[other].to;
  }

  /// Steps to a node over any links.
  std::vector<uint32_t> search(uint32_t to, std::vector<uint32_t> &queue) {
    std::vector<uint32_t> steps(routes.nodes, none);
    queue = {to};
    steps[to] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
      for (uint32_t arc : routes.incoming[queue[i]])
        if (uint32_t &other = steps[routes.arcs[arc].from]; other == none) {
          other = steps[queue[i]] + 1;
          queue.push_back(routes.arcs[arc].from);
        }
    return steps;
  }

  /// All turns between the links of trees are allowed, from node to node in
  /// both directions: nothing waits in a circle there. Arcs are numbered so
  /// that each waits for later ones alone.
  void allowTrees() {
    std::vector<uint32_t> up, down, others, queue;
    std::vector<bool> reached(routes.nodes);
    for (uint32_t root = 0; root < routes.nodes; ++root) {
      if (reached[root])
        continue;
      reached[root] = true;
      queue = {root};
      for (size_t i = 0; i < queue.size(); ++i)
        for (uint32_t arc : routes.outgoing[queue[i]]) {
          const uint32_t other = routes.arcs[arc].to;
          if (reached[other])
            continue;
          reached[other] = true;
          queue.push_back(other);
          isTree[arc] = true;
          down.push_back(arc);
          for (uint32_t back : routes.outgoing[other])
            if (isBack(arc, back)) {
              isTree[back] = true;
              up.push_back(back);
              break;
            }
        }
    }
    std::reverse(up.begin(), up.end());
    for (uint32_t arc = 0; arc < routes.arcs.size(); ++arc)
      if (!isTree[arc])
        others.push_back(arc);
    uint32_t place = 0;
    for (const std::vector<uint32_t> &some : {up, down, others})
      for (uint32_t arc : some)
        order[arc] = place++;
    for (uint32_t arc = 0; arc < routes.arcs.size(); ++arc)
      for (uint32_t next : routes.outgoing[routes.arcs[arc].to])
        if (isTree[arc] && isTree[next] && !isBack(arc, next))
          allow(arc, next);
  }

  void allow(uint32_t arc, uint32_t next) {
    routes.after[arc].push_back(next);
    routes.before[next].push_back(arc);
  }

  /// How many paths would take each turn, if those from a node to another one
  /// were shared by all shortest ways evenly, in 2^-20, and again if each took
  /// the first link that leads nearer: then paths of different nodes want the
  /// same turns, as along x before y, of which few close a circle.
  void countWishes() {
    std::vector<size_t> first(routes.arcs.size());
    for (uint32_t arc = 0; arc < routes.arcs.size(); ++arc) {
      first[arc] = wishes.size();
      for (uint32_t next : routes.outgoing[routes.arcs[arc].to])
        wishes.push_back({arc, next, 0});
    }
    constexpr uint64_t one = uint64_t(1) << 20;
    std::vector<uint32_t> queue;
    std::vector<uint64_t> flows(routes.arcs.size());
    for (uint32_t to = 0; to < routes.nodes; ++to) {
      const std::vector<uint32_t> steps = search(to, queue);
      for (bool takesFirst : {false, true}) {
        std::fill(flows.begin(), flows.end(), 0);
        for (size_t i = queue.size(); i-- > 1;) {
          const uint32_t node = queue[i];
          const std::vector<uint32_t> &out = routes.outgoing[node];
          std::vector<size_t> places;
          for (size_t place = 0; place < out.size(); ++place)
            if (steps[routes.arcs[out[place]].to] < steps[node] &&
                !(takesFirst && !places.empty()))
              places.push_back(place);
          for (size_t place : places) {
            flows[out[place]] += one / places.size();
            for (uint32_t arc : routes.incoming[node]) {
              flows[out[place]] += flows[arc] / places.size();
              wishes[first[arc] + place].count += flows[arc] / places.size();
            }
          }
        }
      }
    }
    std::erase_if(wishes,
                  [&](const Wish &wish) { return isBack(wish.from, wish.to); });
    std::stable_sort(
        wishes.begin(), wishes.end(),
        [](const Wish &a, const Wish &b) { return a.count > b.count; });
  }

  /// Allows a turn unless its second link waits for the first one. Only what
  /// lies between them in the order can, and only that changes its place.
  void tryTurn(uint32_t from, uint32_t to) {
    if (order[to] < order[from]) {
      std::vector<uint32_t> later = collect(to, true, order[from]);
      if (marks[from] == 1) {
        clear(later);
        return;
      }
      std::vector<uint32_t> earlier = collect(from, false, order[to]);
      clear(later);
      clear(earlier);
      std::vector<uint32_t> places;
      for (std::vector<uint32_t> *some : {&earlier, &later}) {
        std::sort(some->begin(), some->end(),
                  [&](uint32_t a, uint32_t b) { return order[a] < order[b]; });
        for (uint32_t arc : *some)
          places.push_back(order[arc]);
      }
      std::sort(places.begin(), places.end());
      size_t place = 0;
      for (const std::vector<uint32_t> &some : {earlier, later})
        for (uint32_t arc : some)
          order[arc] = places[place++];
    }
    allow(from, to);
  }

  void clear(const std::vector<uint32_t> &some) {
    for (uint32_t arc : some)
      marks[arc] = 0;
  }

  /// Marks what waits for an arc or what it waits for, up to a place.
  std::vector<uint32_t> collect(uint32_t arc, bool forwards, uint32_t limit) {
    std::vector<uint32_t> found = {arc};
    marks[arc] = 1;
    for (size_t i = 0; i < found.size(); ++i)
      for (uint32_t next :
           forwards ? routes.after[found[i]] : routes.before[found[i]])
        if (!marks[next] &&
            (forwards ? order[next] <= limit : order[next] >= limit)) {
          marks[next] = 1;
          found.push_back(next);
        }
    return found;
  }

  TurnRoutes &routes;
  /// The place of each arc: it waits for later ones alone.
  std::vector<uint32_t> order;
  std::vector<uint8_t> marks;
  std::vector<bool> isTree;
  std::vector<Wish> wishes;
};

TurnRoutes::TurnRoutes(uint32_t nodes, std::vector<Arc> list)
    : nodes(nodes), arcs(std::move(list)), outgoing(nodes), incoming(nodes),
      after(arcs.size()), before(arcs.size()),
      firsts(size_t(nodes) * nodes, none),
      nexts(size_t(nodes) * arcs.size(), none), loads(arcs.size()) {
  for (uint32_t arc = 0; arc < arcs.size(); ++arc) {
    outgoing[arcs[arc].from].push_back(arc);
    incoming[arcs[arc].to].push_back(arc);
  }
  TurnChoice choice(*this);
  choice.run(/*hasTrees=*/false);
  isComplete = chooseAll();
  if (isComplete)
    return;
  choice.run(/*hasTrees=*/true);
  isComplete = chooseAll();
}

bool TurnRoutes::chooseAll() {
  std::fill(loads.begin(), loads.end(), 0);
  bool isAll = true;
  // Those that were found first did not know of the others.
  for (bool isAgain : {false, true})
    for (uint32_t to = 0; to < nodes; ++to) {
      if (isAgain)
        countPaths(to, /*isAdded=*/false);
      isAll &= choosePaths(to);
      countPaths(to, /*isAdded=*/true);
    }
  return isAll;
}

bool TurnRoutes::choosePaths(uint32_t to) {
  // A link that as many paths lead over as over others on average counts as one
  // and a half.
  constexpr uint64_t unit = 1024;
  const uint64_t all = std::max<uint64_t>(
      std::accumulate(loads.begin(), loads.end(), uint64_t(0)), 1);
  auto lengthOf = [&](uint32_t arc) {
    return unit + unit / 2 * loads[arc] * arcs.size() / all;
  };
  uint32_t *const first = firsts.data() + size_t(to) * nodes;
  uint32_t *const next = nexts.data() + size_t(to) * arcs.size();
  std::fill_n(first, nodes, none);
  std::fill_n(next, arcs.size(), none);
  using Entry = std::pair<uint64_t, uint32_t>; // length and arc
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::vector<uint64_t> lengths(arcs.size(), ~uint64_t(0));
  auto reach = [&](uint32_t arc, uint64_t length, uint32_t after) {
    length += lengthOf(arc);
    if (length < lengths[arc]) {
      lengths[arc] = length;
      next[arc] = after;
      open.push({length, arc});
    }
  };
  for (uint32_t arc : incoming[to])
    reach(arc, 0, none);
  uint32_t reached = 1;
  while (!open.empty()) {
    const auto [length, arc] = open.top();
    open.pop();
    if (length > lengths[arc])
      continue;
    if (uint32_t &own = first[arcs[arc].from];
        own == none && arcs[arc].from != to) {
      own = arc;
      ++reached;
    }
    for (uint32_t other : before[arc])
      reach(other, length, arc);
  }
  return reached == nodes;
}

void TurnRoutes::countPaths(uint32_t to, bool isAdded) {
  for (uint32_t from = 0; from < nodes; ++from)
    follow(from, to, [&](uint32_t arc) { loads[arc] += isAdded ? 1 : -1; });
}

uint32_t TurnRoutes::distance(uint32_t from, uint32_t to) const {
  if (from != to && firsts[size_t(to) * nodes + from] == none)
    return none;
  uint32_t length = 0;
  follow(from, to, [&](uint32_t) { ++length; });
  return length;
}

void TurnRoutes::append(uint32_t from, uint32_t to,
                        std::vector<uint32_t> &path) const {
  follow(from, to, [&](uint32_t arc) { path.push_back(arcs[arc].link); });
}

std::shared_ptr<const TurnRoutes>
findTurnRoutes(uint32_t nodes, std::vector<TurnRoutes::Arc> arcs) {
  static std::mutex mutex;
  static std::shared_ptr<const TurnRoutes> last;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!last || last->getNodes() != nodes || last->getArcs() != arcs)
    last = std::make_shared<const TurnRoutes>(nodes, std::move(arcs));
  return last;
}

} // namespace gensyn::machine
