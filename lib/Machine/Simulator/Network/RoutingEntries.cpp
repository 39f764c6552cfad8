// Counts trees; see RoutingEntries.h.

#include "gensyn/Machine/RoutingEntries.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace gensyn::machine {

RoutingEntries countRoutingEntries(const Description &machine,
                                   const mapping::Mapping &mapping) {
  const Network &network = machine.network;
  std::set<std::pair<uint32_t, std::vector<uint32_t>>> known;
  std::vector<uint64_t> counts(std::max<size_t>(network.gateways.size(), 1));
  auto count = [&](const mapping::Core &core, const mapping::Copy &copy) {
    std::vector<uint32_t> cores = {
        copy.to().memory_case() == mapping::Location::kCore ? copy.to().core()
                                                            : core.core()};
    for (const mapping::Location &other : copy.others())
      cores.push_back(other.memory_case() == mapping::Location::kCore
                          ? other.core()
                          : core.core());
    std::sort(cores.begin(), cores.end());
    std::set<uint32_t> chips = {
        network.chipOf(machine.cores[cores.front()].node)};
    for (uint32_t link : mapping.paths(static_cast<int>(copy.path())).links()) {
      chips.insert(network.chipOf(network.links[link].from));
      chips.insert(network.chipOf(network.links[link].to));
    }
    if (known.insert({copy.path(), std::move(cores)}).second)
      for (uint32_t chip : chips)
        ++counts[chip];
  };
  for (const mapping::Segment &segment : mapping.segments())
    for (const mapping::Core &core : segment.cores())
      for (const mapping::Task &task : core.tasks())
        if (task.has_copy() && task.copy().others_size())
          count(core, task.copy());
  const auto most = std::max_element(counts.begin(), counts.end());
  return {*most, static_cast<uint32_t>(most - counts.begin())};
}

} // namespace gensyn::machine
