// The parts that cores consist of.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_PARTS_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_PARTS_H

#include "gensyn/Executable/Support/JsonReader.h"
#include "gensyn/Machine/Description.h"

namespace gensyn::machine {

/// Reads `clocks`, `memories`, `units`, `engines` and `core_kinds`. Of shared
/// memories it leaves `ports` and `per` to readLayout().
void readParts(JsonReader &file, Description &machine);

/// Throws a Failure (bad input) unless some kind of core that `isUsed` computes
/// everything: a program may need any operation on any type.
void checkOperations(const JsonReader &file, const Description &machine,
                     const std::vector<bool> &isUsed);

} // namespace gensyn::machine

#endif
