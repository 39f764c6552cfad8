// What routers have to know of the trees of a mapping.

#ifndef GENSYN_MACHINE_ROUTINGENTRIES_H
#define GENSYN_MACHINE_ROUTINGENTRIES_H

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Description.h"

#include <cstdint>

namespace gensyn::machine {

struct RoutingEntries {
  /// The most that the router of a chip needs, and the first such chip.
  uint64_t most = 0;
  uint32_t chip = 0;
};

/// Counts the entries of each chip's router. A packet to several cores names
/// its tree by a key, and each router on the tree has one entry for it: the key
/// and its mask, and the links and cores to which it repeats the packet. Copies
/// with the same links and cores share a tree, also those of several segments,
/// and all trees are known during the whole run. Copies to one core need none:
/// they are routed by their destination. The mapping is checked.
RoutingEntries countRoutingEntries(const Description &machine,
                                   const mapping::Mapping &mapping);

} // namespace gensyn::machine

#endif
