// See CudaHostValues.h.

#include "CudaHostValues.h"

#include "gensyn/Executable/StepAccess.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>

namespace gensyn::cuda {

std::vector<bool> findReplacedOnce(const plan::Plan &plan) {
  const auto accesses = findAccesses(plan, Reuse::Counts);
  std::vector<bool> found(size_t(plan.inputs_size()), false);
  if (!accesses)
    return found;
  std::vector<int> counts(found.size(), 0);
  for (size_t i = 0; i < accesses->size(); ++i) {
    std::set<int64_t> memories;
    for (const MemoryAccess &access : (*accesses)[i])
      memories.insert(access.span.memory);
    // What a loop, a branch, a copy or a check accesses is not counted on.
    const bool isLaunch =
        plan.steps().empty() || plan.steps(int(i)).has_launch();
    for (int64_t memory : memories)
      if (memory >= 0 && memory < plan.inputs_size())
        counts[size_t(memory)] += isLaunch ? 1 : 2;
  }
  for (int output = 0; output < plan.in_place_size(); ++output)
    if (plan.in_place(output)) {
      const auto input = size_t(plan.donated(output));
      found[input] = counts[input] == 1;
    }
  return found;
}

std::set<std::string>
chooseHostValues(const std::map<std::string, uint64_t> &values,
                 uint64_t excess) {
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto &[name, bytes] : values)
    sorted.emplace_back(bytes, name);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto &left, const auto &right) {
              return left.first != right.first ? left.first > right.first
                                               : left.second < right.second;
            });
  std::set<std::string> chosen;
  for (const auto &[bytes, name] : sorted) {
    if (excess == 0)
      break;
    excess -= std::min(excess, bytes);
    chosen.insert(name);
  }
  return chosen;
}

} // namespace gensyn::cuda
