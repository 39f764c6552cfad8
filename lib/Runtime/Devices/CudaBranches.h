// The order of the nodes of a graph that a stream records.
#ifndef GENSYN_LIB_RUNTIME_CUDABRANCHES_H
#define GENSYN_LIB_RUNTIME_CUDABRANCHES_H

#include "CudaContext.h"
#include "gensyn/Executable/LaunchGraph.h"

#include <vector>

namespace gensyn::cuda {

/// Lets the steps that a stream records depend on those that a launch graph
/// tells, instead of all that was recorded before. What one step records is a
/// chain, and so is what comes before and after all steps.
class CudaBranches {
public:
  /// The stream is recording, and nothing but what all steps follow is in it.
  CudaBranches(const DeviceContext &context, const LaunchGraph &graph);

  /// What is recorded next belongs to a step, by its number; with the number of
  /// steps, it follows all of them.
  void begin(size_t step);

private:
  using Nodes = std::vector<GraphNode>;
  /// The nodes that the next one would follow.
  Nodes read(Graph *recorded = nullptr) const;
  void follow(Nodes nodes) const;

  const DeviceContext &context;
  const LaunchGraph &graph;
  /// What each step so far has recorded last; where it recorded nothing, what
  /// it follows.
  std::vector<Nodes> ends;
  Nodes root;
  std::vector<bool> isFollowed;
};

} // namespace gensyn::cuda

#endif
