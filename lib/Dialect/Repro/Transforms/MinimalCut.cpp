// See MinimalCut.h.

#include "MinimalCut.h"

#include <algorithm>

namespace gensyn::repro {

void MinimalCut::addEdge(unsigned from, unsigned to, int64_t weight) {
  if (weight <= 0 || from == to)
    return;
  const auto ofFrom = unsigned(edges[from].size()),
             ofTo = unsigned(edges[to].size());
  edges[from].push_back({to, ofTo, weight});
  edges[to].push_back({from, ofFrom, 0});
}

// Edmonds and Karp: flows along shortest paths until there is none. What is
// still reached from the source is on its side.
llvm::BitVector MinimalCut::solve() {
  struct Step {
    unsigned node, edge;
  };
  llvm::SmallVector<Step, 0> steps(edges.size());
  llvm::BitVector reached;
  while (true) {
    reached.clear();
    reached.resize(unsigned(edges.size()));
    reached.set(kSource);
    llvm::SmallVector<unsigned, 0> open = {kSource};
    for (size_t next = 0; next < open.size() && !reached.test(kSink); ++next)
      for (auto [number, edge] : llvm::enumerate(edges[open[next]]))
        if (edge.left > 0 && !reached.test(edge.to)) {
          reached.set(edge.to);
          steps[edge.to] = {open[next], unsigned(number)};
          open.push_back(edge.to);
        }
    if (!reached.test(kSink))
      return reached;
    int64_t flow = kInfinite;
    for (unsigned node = kSink; node != kSource; node = steps[node].node)
      flow = std::min(flow, edges[steps[node].node][steps[node].edge].left);
    for (unsigned node = kSink; node != kSource; node = steps[node].node) {
      Edge &edge = edges[steps[node].node][steps[node].edge];
      edge.left -= flow;
      edges[node][edge.back].left += flow;
    }
  }
}

} // namespace gensyn::repro
