// See CudaBranches.h.

#include "CudaBranches.h"

#include <algorithm>

namespace gensyn::cuda {

CudaBranches::CudaBranches(const DeviceContext &context,
                           const LaunchGraph &graph)
    : context(context), graph(graph), isFollowed(graph.size()) {
  for (const std::vector<uint32_t> &predecessors : graph.predecessors)
    for (uint32_t before : predecessors)
      isFollowed[before] = true;
  Graph recorded = nullptr;
  root = read(&recorded);
  if (!root.empty())
    return;
  GraphNode node = nullptr;
  context.driver.check(
      context.driver.cuGraphAddEmptyNode(&node, recorded, nullptr, 0),
      "add a node to a graph");
  root = {node};
}

CudaBranches::Nodes CudaBranches::read(Graph *recorded) const {
  CaptureStatus status = 0;
  unsigned long long number = 0;
  const GraphNode *nodes = nullptr;
  size_t count = 0;
  context.driver.check(
      context.driver.cuStreamGetCaptureInfo_v2(
          context.compute, &status, &number, recorded, &nodes, &count),
      "describe a graph that is recorded");
  return Nodes(nodes, nodes + count);
}

void CudaBranches::follow(Nodes nodes) const {
  // A node can be the end of several steps.
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  context.driver.check(
      context.driver.cuStreamUpdateCaptureDependencies(
          context.compute, nodes.data(), nodes.size(), CaptureSetDependencies),
      "order the nodes of a graph");
}

void CudaBranches::begin(size_t step) {
  if (step > 0)
    ends.push_back(read());
  Nodes nodes;
  auto add = [&](size_t before) {
    nodes.insert(nodes.end(), ends[before].begin(), ends[before].end());
  };
  if (step < graph.size()) {
    for (uint32_t before : graph.predecessors[step])
      add(before);
  } else {
    for (size_t last = 0; last < ends.size(); ++last)
      if (!isFollowed[last])
        add(last);
  }
  follow(nodes.empty() ? root : std::move(nodes));
}

} // namespace gensyn::cuda
