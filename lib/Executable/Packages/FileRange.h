// Ranges of files that hold initial values.

#ifndef GENSYN_LIB_EXECUTABLE_PACKAGES_FILERANGE_H
#define GENSYN_LIB_EXECUTABLE_PACKAGES_FILERANGE_H

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstdint>
#include <string>

namespace gensyn {

/// Returns the bytes of a range after checking that they are `wanted` bytes
/// with the range's hash. Throws a Failure (bad input) that begins with
/// `which`.
const uint8_t *readRange(const MappedFile &file,
                         const plan::Initial::File &range, uint64_t wanted,
                         const std::string &which);

} // namespace gensyn

#endif
