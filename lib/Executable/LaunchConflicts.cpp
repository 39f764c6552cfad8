// Compares the accesses of all steps that no path of a launch graph connects.
// It shares the lists of accesses with what makes the graph, and nothing else.

#include "gensyn/Executable/StepAccess.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>

namespace gensyn {

namespace {
struct StepSpan {
  BufferSpan span;
  uint32_t step;
  bool isWrite;
};
} // namespace

static std::string describeMemory(const plan::Plan &plan, int64_t memory) {
  if (memory < 0)
    return "the arena";
  if (memory < plan.inputs_size())
    return "input " + quote(plan.inputs(int(memory)).name());
  return "output " +
         quote(plan.outputs(int(memory) - plan.inputs_size()).name());
}

static std::string describeStep(const plan::Plan &plan,
                                const LaunchGraph &graph, uint32_t step) {
  const std::string number = "step " + std::to_string(step);
  const int launch = graph.launches[step];
  return launch < 0
             ? number
             : number + " (" + quote(plan.launches(launch).kernel()) + ")";
}

static std::string describe(const plan::Plan &plan, const LaunchGraph &graph,
                            const StepSpan &a, const StepSpan &b) {
  const StepSpan &first = a.step < b.step ? a : b,
                 &second = a.step < b.step ? b : a;
  return describeStep(plan, graph, first.step) + " and " +
         describeStep(plan, graph, second.step) +
         " may run side by side: the first " +
         (first.isWrite ? "writes" : "reads") + " and the second " +
         (second.isWrite ? "writes" : "reads") + " bytes " +
         std::to_string(std::max(a.span.begin, b.span.begin)) + " to " +
         std::to_string(std::min(a.span.end, b.span.end) - 1) + " of " +
         describeMemory(plan, a.span.memory);
}

std::string findConflict(const plan::Plan &plan, const LaunchGraph &graph) {
  const auto accesses = findAccesses(plan, Reuse::Counts);
  if (!accesses)
    return ""; // the graph is a chain
  Ancestors ancestors(graph.size());
  std::vector<StepSpan> spans;
  for (uint32_t step = 0; step < graph.size(); ++step) {
    for (uint32_t before : graph.predecessors[step])
      ancestors.add(step, before);
    for (const MemoryAccess &access : (*accesses)[step])
      spans.push_back({access.span, step, access.isWrite});
  }
  std::stable_sort(
      spans.begin(), spans.end(),
      [](const StepSpan &a, const StepSpan &b) { return a.span < b.span; });
  // Those that begin before the current one and may reach into it.
  std::vector<const StepSpan *> open;
  for (const StepSpan &each : spans) {
    std::erase_if(open, [&](const StepSpan *other) {
      return other->span.memory != each.span.memory ||
             other->span.end <= each.span.begin;
    });
    for (const StepSpan *other : open)
      if ((each.isWrite || other->isWrite) && each.step != other->step &&
          !ancestors.has(each.step, other->step) &&
          !ancestors.has(other->step, each.step))
        return describe(plan, graph, *other, each);
    open.push_back(&each);
  }
  return "";
}

} // namespace gensyn
