// Links of a grid, by repetition.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_LINKS_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_LINKS_H

#include "Places.h"
#include "gensyn/Machine/Description.h"

#include <functional>

namespace gensyn::machine {

/// True if two positions of a grid may be connected.
using Connects = std::function<bool(uint32_t, uint32_t)>;

/// Reads the groups of links at `key`, which connect positions of `grid`. The
/// ends of the links are numbers of positions.
std::vector<Link> readLinks(JsonReader &parent, const std::string &key,
                            const Grid &grid, const std::string &noun,
                            const Connects &connects, Description &machine);

} // namespace gensyn::machine

#endif
