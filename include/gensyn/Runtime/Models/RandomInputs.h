// Inputs for programs whose time is measured.
#ifndef GENSYN_RUNTIME_MODELS_RANDOMINPUTS_H
#define GENSYN_RUNTIME_MODELS_RANDOMINPUTS_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Signature.h"

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// Returns random inputs for a program: floats in [0, 1), classes of `target`
/// below `classes` if that is not 0, other integers 0 or 1. The same for equal
/// arguments.
TensorMap makeRandomInputs(const Signature &signature,
                           const std::string &target, int64_t classes);

} // namespace gensyn::runtime

#endif
