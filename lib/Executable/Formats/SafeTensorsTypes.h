// Element types and their names in safetensors files.
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

/// Returns the type of "F32", "BOOL", ...; std::nullopt if it is unknown.
std::optional<ElementType> typeOfDtype(std::string_view dtype);

/// Returns the name of a type in a header; std::nullopt if the format lacks the
/// type.
std::optional<std::string> dtypeOfType(ElementType type);

/// True if several elements of a type share a byte in a file. (An I1 does not.)
constexpr bool isPackedInFiles(ElementType type) {
  return bitWidth(type) < 8 && type != ElementType::I1;
}

/// Converts a file's bytes to a byte for each of `count` elements of `width`
/// bits, and back; the first element has the lowest bits.
std::vector<uint8_t> unpackElements(const uint8_t *packed, int width,
                                    size_t count);
std::vector<uint8_t> packElements(const std::byte *elements, int width,
                                  size_t count);

/// True for a name that the format defines for a type that this program does
/// not support.
bool isForeignDtype(std::string_view dtype);

} // namespace gensyn

#endif
