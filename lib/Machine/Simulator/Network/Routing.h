// Checks what a mapping asks of the network as a whole.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_ROUTING_H
#define GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_ROUTING_H

#include "../Check.h"

namespace gensyn::machine {

/// Throws a Failure (bad input) if links wait for each other in a circle on the
/// mapping's paths, and a Failure (unsupported) if its trees need more entries
/// of a router than it has. Each path and task is checked.
void checkRouting(const Subject &subject);

} // namespace gensyn::machine

#endif
