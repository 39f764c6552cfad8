// What one packet at a time occupies.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_RESOURCES_H
#define GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_RESOURCES_H

#include "gensyn/Machine/Description.h"

#include <cstdint>
#include <vector>

namespace gensyn::machine {

/// Numbers the things that one packet at a time occupies: the links, then the
/// ports of shared memories.
class Resources {
public:
  explicit Resources(const Description &machine);
  uint32_t firstPort(uint32_t memory) const { return firstPorts[memory]; }
  uint32_t memoryOf(uint32_t port) const { return memories[port - links()]; }
  uint32_t links() const { return static_cast<uint32_t>(loads.size()); }
  uint32_t size() const {
    return links() + static_cast<uint32_t>(memories.size());
  }
  /// The loads of a transfer: one for each bandwidth of links, that of the
  /// source's ports and that of the destination's.
  uint32_t loadOf(uint32_t link) const { return loads[link]; }
  const std::vector<int64_t> &linkBandwidths() const { return bandwidths; }
  uint32_t sourceLoad() const {
    return static_cast<uint32_t>(bandwidths.size());
  }
  uint32_t destinationLoad() const { return sourceLoad() + 1; }

private:
  std::vector<uint32_t> firstPorts, memories, loads;
  std::vector<int64_t> bandwidths;
};

} // namespace gensyn::machine

#endif
