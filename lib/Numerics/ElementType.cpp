// Names of element types, as MLIR writes them.

#include "gensyn/Numerics/ElementType.h"

namespace gensyn {

namespace {
constexpr std::string_view kNames[kNumElementTypes] = {
    "i1",       "i8",         "i16",       "i32",      "i64",
    "ui8",      "ui16",       "ui32",      "ui64",     "f16",
    "bf16",     "f32",        "f64",       "f8E4M3FN", "f8E4M3FNUZ",
    "f8E5M2",   "f8E5M2FNUZ", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN",
    "f4E2M1FN", "i4",         "ui4",       "i2",       "ui2"};
} // namespace

std::string_view name(ElementType type) {
  return kNames[static_cast<int>(type)];
}

std::optional<ElementType> elementTypeFromName(std::string_view name) {
  for (int i = 0; i < kNumElementTypes; ++i)
    if (kNames[i] == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

} // namespace gensyn
