// Element types as safetensors files name them.
#ifndef GENSYN_LIB_EXECUTABLE_SAFETENSORSTYPES_H
#define GENSYN_LIB_EXECUTABLE_SAFETENSORSTYPES_H

#include "gensyn/Numerics/ElementType.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// The type that "F32", "BOOL", ... stands for; none where it is not known.
std::optional<ElementType> typeOfDtype(std::string_view dtype);

/// The name of a type in a header; none where the format has none for it.
std::optional<std::string> dtypeOfType(ElementType type);

/// True if several elements of a type share a byte in a file. (An I1 does not.)
constexpr bool isPackedInFiles(ElementType type) {
  return bitWidth(type) < 8 && type != ElementType::I1;
}

/// From a file's bytes to a byte for each of `count` elements of `width` bits,
/// and back; the first element has the lowest bits.
std::vector<uint8_t> unpackElements(const uint8_t *packed, int width,
                                    size_t count);
std::vector<uint8_t> packElements(const std::byte *elements, int width,
                                  size_t count);

/// True of a name that the format defines for a type that is not ours.
bool isForeignDtype(std::string_view dtype);

} // namespace gensyn

#endif
