// The element types of tensors and their names, widths and kinds; see
// docs/Numerics.md, g1.

#ifndef GENSYN_NUMERICS_ELEMENTTYPE_H
#define GENSYN_NUMERICS_ELEMENTTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace gensyn {

/// The type of one tensor element. Signedness is part of the type. F16, BF16
/// and the types after F64 are storage types: they are moved, compared and
/// converted, and have no arithmetic.
enum class ElementType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  UI8,
  UI16,
  UI32,
  UI64,
  F16,
  BF16,
  F32,
  F64,
  F8E4M3FN,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
  F8E8M0FNU,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  I4,
  UI4,
  I2,
  UI2,
};

inline constexpr int kNumElementTypes = static_cast<int>(ElementType::UI2) + 1;

/// Bits of information in one element; 1 for I1.
constexpr int bitWidth(ElementType type) {
  constexpr int widths[kNumElementTypes] = {1,  8,  16, 32, 64, 8, 16, 32, 64,
                                            16, 16, 32, 64, 8,  8, 8,  8,  8,
                                            6,  6,  4,  4,  4,  2, 2};
  return widths[static_cast<int>(type)];
}

/// Bytes one element takes in memory. Types of fewer than 8 bits take a whole
/// byte, whose upper bits are 0; so an I1 is 0 or 1.
constexpr int byteWidth(ElementType type) { return (bitWidth(type) + 7) / 8; }

/// F16, BF16, F32, F64 or a narrower float.
constexpr bool isFloat(ElementType type) {
  return type >= ElementType::F16 && type <= ElementType::F4E2M1FN;
}

/// Any integer, I1 included.
constexpr bool isInteger(ElementType type) { return !isFloat(type); }

/// I2, I4, I8, I16, I32 or I64.
constexpr bool isSignedInteger(ElementType type) {
  return (type >= ElementType::I8 && type <= ElementType::I64) ||
         type == ElementType::I4 || type == ElementType::I2;
}

/// UI2, UI4, UI8, UI16, UI32 or UI64; I1 is neither signed nor unsigned.
constexpr bool isUnsignedInteger(ElementType type) {
  return (type >= ElementType::UI8 && type <= ElementType::UI64) ||
         type == ElementType::UI4 || type == ElementType::UI2;
}

/// A storage type: any but I1, the integers of 8 to 64 bits, F32 and F64.
constexpr bool isStorageOnly(ElementType type) {
  return type > ElementType::F64 || type == ElementType::F16 ||
         type == ElementType::BF16;
}

/// MLIR's spelling of the type: "i1", "ui8", "bf16", "f32", ...
std::string_view name(ElementType type);

/// The inverse of `name`; nothing for any other text.
std::optional<ElementType> elementTypeFromName(std::string_view name);

} // namespace gensyn

#endif // GENSYN_NUMERICS_ELEMENTTYPE_H
