// In which parts of a memory the bytes of a buffer lie.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_LAYOUTS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_NETWORK_LAYOUTS_H

#include "../Check.h"

#include <cstdint>
#include <vector>

namespace gensyn::machine {

/// Throws a Failure (bad input) for a layout that leads out of its parts, or
/// out of the memory of a buffer that has it.
void checkLayouts(const Subject &subject);

/// The layout of a buffer; null if it is interleaved over all ports.
const mapping::Layout *layoutOf(const mapping::Mapping &mapping,
                                uint32_t buffer);

/// The ports of the parts in which a region of a buffer lies, ascending;
/// numbers in the memory. None stands for all of them: the buffer is
/// interleaved, or the region has very many rows.
std::vector<uint32_t> findPorts(const Subject &subject, uint32_t buffer,
                                Region region);

} // namespace gensyn::machine

#endif
