// Element types as safetensors files name them.
#ifndef GENSYN_LIB_RUNTIME_SAFETENSORSTYPES_H
#define GENSYN_LIB_RUNTIME_SAFETENSORSTYPES_H

#include "gensyn/Numerics/ElementType.h"

#include <optional>
#include <string>
#include <string_view>

namespace gensyn::runtime {

/// The type that "F32", "BOOL", ... stands for; none where it is not known.
std::optional<ElementType> typeOfDtype(std::string_view dtype);

/// The name of a type in a header. Every element type has one.
std::string dtypeOfType(ElementType type);

/// True of a name that the format defines for a type that is not ours.
bool isForeignDtype(std::string_view dtype);

} // namespace gensyn::runtime

#endif
