// Which steps of a run need the end of which others, by the memory that they
// access.
#ifndef GENSYN_EXECUTABLE_LAUNCHGRAPH_H
#define GENSYN_EXECUTABLE_LAUNCHGRAPH_H

#include "gensyn/Executable/BufferSpan.h"
#include "gensyn/Executable/PlanMessages.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {

/// For each launch of a checked plan, and each of its arguments: true if the
/// launch may write to it. A kernel writes the buffers that no kernel before it
/// names, and those that it names twice, as a result over an operand; its
/// launches, which are those of one `source_kernel`, all count as writing them.
/// Within branches and loops, and where kernels have no names, everything that
/// may be written counts as written.
std::vector<std::vector<bool>> findWrites(const plan::Plan &plan);

/// How memory orders steps.
enum class Reuse {
  /// As it is: a value waits for the readers of what its memory held before.
  Counts,
  /// As if each buffer of the arena had memory of its own.
  Ignored,
};

/// The order of steps that their data needs. Steps are those of a plan's
/// outermost list, or its launches if it has none; those that prepare are not
/// among them. A loop or branch is one step.
struct LaunchGraph {
  /// For each step its launch; -1 for anything else.
  std::vector<int> launches;
  /// For each step, ascending, the steps before it that must have ended when it
  /// begins, except those for which one of these waits itself.
  std::vector<std::vector<uint32_t>> predecessors;

  size_t size() const { return predecessors.size(); }
};

/// The graph of a checked plan. Two steps are ordered if both access a byte and
/// one of them writes it; fault words, of which kernels take a minimum, order
/// nothing. A plan with very many steps or buffers gets a chain.
LaunchGraph findLaunchGraph(const plan::Plan &plan,
                            Reuse reuse = Reuse::Counts);

/// Returns the graph in which each step waits for the one before it.
LaunchGraph makeChain(const plan::Plan &plan);

/// For each step the most steps, itself included, of a path that ends with it.
std::vector<uint32_t> findDepths(const LaunchGraph &graph);

/// Compares all pairs of steps: returns a description of two that no path
/// connects although both access a byte and one may write it, as "'k1' and 'k4'
/// may run side by side, and both write bytes 0 to 63 of the arena"; "" if
/// there are none.
std::string findConflict(const plan::Plan &plan, const LaunchGraph &graph);

} // namespace gensyn

#endif
