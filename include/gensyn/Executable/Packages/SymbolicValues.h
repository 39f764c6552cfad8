// Values of weights that no file has.
#ifndef GENSYN_EXECUTABLE_PACKAGES_SYMBOLICVALUES_H
#define GENSYN_EXECUTABLE_PACKAGES_SYMBOLICVALUES_H

#include "gensyn/Numerics/Tensor.h"

#include <string>

namespace gensyn {

namespace plan {
class Initial_Symbol;
}

/// Sets every element to its symbolic value (docs/Numerics.md, random_r7).
/// Throws a Failure (bad input) that begins with `which` if the tensor's type
/// has none, or a number of the symbol is out of range.
void fillSymbolic(Tensor &tensor, const plan::Initial_Symbol &symbol,
                  const std::string &which);

} // namespace gensyn

#endif
