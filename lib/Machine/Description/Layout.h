// Where the parts of a machine are.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_LAYOUT_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_LAYOUT_H

#include "gensyn/Executable/Support/JsonReader.h"
#include "gensyn/Machine/Description.h"

namespace gensyn::machine {

/// Reads `network`, `cores`, `chips`, `boards`, `dead` and the ports of shared
/// memories, and repeats the chip; readParts() was called before.
void readLayout(JsonReader &file, Description &machine);

/// Throws a Failure (bad input) unless live links connect all cores that are
/// not dead, and all ports, in both directions.
void checkConnected(const JsonReader &file, const Description &machine);

} // namespace gensyn::machine

#endif
