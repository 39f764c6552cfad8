// The element types of tensors and their names, widths and kinds; see
// docs/Numerics.md, g1.

#ifndef GENSYN_NUMERICS_ELEMENTTYPE_H
#define GENSYN_NUMERICS_ELEMENTTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace gensyn {

/// The type of one tensor element. Signedness is part of the type. F16 and BF16
/// are for storage: they are moved and converted, never computed with. The
/// narrower floats and integers that rule g1 lists get their values at the end.
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
};

inline constexpr int kNumElementTypes = static_cast<int>(ElementType::F64) + 1;

/// Bits of information in one element; 1 for I1.
constexpr int bitWidth(ElementType type) {
  constexpr int widths[kNumElementTypes] = {1,  8,  16, 32, 64, 8, 16,
                                            32, 64, 16, 16, 32, 64};
  return widths[static_cast<int>(type)];
}

/// Bytes one element takes in memory; an I1 is one byte, 0 or 1.
constexpr int byteWidth(ElementType type) { return (bitWidth(type) + 7) / 8; }

/// F16, BF16, F32 or F64.
constexpr bool isFloat(ElementType type) { return type >= ElementType::F16; }

/// Any integer, I1 included.
constexpr bool isInteger(ElementType type) { return !isFloat(type); }

/// I8, I16, I32 or I64.
constexpr bool isSignedInteger(ElementType type) {
  return type >= ElementType::I8 && type <= ElementType::I64;
}

/// UI8, UI16, UI32 or UI64; I1 is neither signed nor unsigned.
constexpr bool isUnsignedInteger(ElementType type) {
  return type >= ElementType::UI8 && type <= ElementType::UI64;
}

/// The name as MLIR writes the type: "i1", "ui8", "bf16", "f32", ...
std::string_view name(ElementType type);

/// The inverse of `name`; nothing for any other text.
std::optional<ElementType> elementTypeFromName(std::string_view name);

} // namespace gensyn

#endif // GENSYN_NUMERICS_ELEMENTTYPE_H
