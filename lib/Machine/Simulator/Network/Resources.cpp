// Numbers links and ports; see Resources.h.

#include "Resources.h"

#include <algorithm>

namespace gensyn::machine {

Resources::Resources(const Description &machine) {
  for (const Link &link : machine.network.links) {
    const int64_t bandwidth = link.bandwidth.value;
    auto found = std::find(bandwidths.begin(), bandwidths.end(), bandwidth);
    loads.push_back(static_cast<uint32_t>(found - bandwidths.begin()));
    if (found == bandwidths.end())
      bandwidths.push_back(bandwidth);
  }
  for (uint32_t memory = 0; memory < machine.memories.size(); ++memory) {
    firstPorts.push_back(size());
    memories.insert(memories.end(), machine.memories[memory].nodes.size(),
                    memory);
  }
}

} // namespace gensyn::machine
