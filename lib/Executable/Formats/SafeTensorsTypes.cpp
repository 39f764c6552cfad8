// The table of element types, and the formatting of types and shapes in
// messages.

#include "SafeTensorsTypes.h"

#include "gensyn/Executable/Formats/SafeTensors.h"

namespace gensyn {

namespace {

struct TypeNames {
  ElementType type;
  const char *dtype;
  const char *words;
};

constexpr TypeNames typeNames[] = {
    {ElementType::I1, "BOOL", "bool"},
    {ElementType::I8, "I8", "int8"},
    {ElementType::I16, "I16", "int16"},
    {ElementType::I32, "I32", "int32"},
    {ElementType::I64, "I64", "int64"},
    {ElementType::UI8, "U8", "uint8"},
    {ElementType::UI16, "U16", "uint16"},
    {ElementType::UI32, "U32", "uint32"},
    {ElementType::UI64, "U64", "uint64"},
    {ElementType::F16, "F16", "float16"},
    {ElementType::BF16, "BF16", "bfloat16"},
    {ElementType::F32, "F32", "float32"},
    {ElementType::F64, "F64", "float64"},
    {ElementType::F8E4M3FN, "F8_E4M3", "float8e4m3fn"},
    {ElementType::F8E4M3FNUZ, "F8_E4M3FNUZ", "float8e4m3fnuz"},
    {ElementType::F8E5M2, "F8_E5M2", "float8e5m2"},
    {ElementType::F8E5M2FNUZ, "F8_E5M2FNUZ", "float8e5m2fnuz"},
    {ElementType::F8E8M0FNU, "F8_E8M0", "float8e8m0"},
    {ElementType::F6E2M3FN, "F6_E2M3", "float6e2m3"},
    {ElementType::F6E3M2FN, "F6_E3M2", "float6e3m2"},
    {ElementType::F4E2M1FN, "F4", "float4e2m1"},
    {ElementType::I4, nullptr, "int4"},
    {ElementType::UI4, nullptr, "uint4"},
    {ElementType::I2, nullptr, "int2"},
    {ElementType::UI2, nullptr, "uint2"}};

} // namespace

std::optional<ElementType> typeOfDtype(std::string_view dtype) {
  for (const TypeNames &row : typeNames)
    if (row.dtype && dtype == row.dtype)
      return row.type;
  return std::nullopt;
}

std::optional<std::string> dtypeOfType(ElementType type) {
  for (const TypeNames &row : typeNames)
    if (type == row.type && row.dtype)
      return row.dtype;
  return std::nullopt;
}

bool isForeignDtype(std::string_view dtype) { return dtype == "C64"; }

// Elements are a stream of bits, lowest first; in memory each has a byte.
std::vector<uint8_t> unpackElements(const uint8_t *packed, int width,
                                    size_t count) {
  std::vector<uint8_t> elements(count);
  for (size_t i = 0; i < count; ++i)
    for (int bit = 0; bit < width; ++bit) {
      const size_t at = i * static_cast<size_t>(width) + bit;
      elements[i] |= (packed[at / 8] >> (at % 8) & 1) << bit;
    }
  return elements;
}

std::vector<uint8_t> packElements(const std::byte *elements, int width,
                                  size_t count) {
  std::vector<uint8_t> packed((count * static_cast<size_t>(width) + 7) / 8);
  for (size_t i = 0; i < count; ++i)
    for (int bit = 0; bit < width; ++bit) {
      const size_t at = i * static_cast<size_t>(width) + bit;
      packed[at / 8] |= (static_cast<uint8_t>(elements[i]) >> bit & 1)
                        << (at % 8);
    }
  return packed;
}

std::string longName(ElementType type) {
  for (const TypeNames &row : typeNames)
    if (type == row.type)
      return row.words;
  return std::string(name(type));
}

std::optional<ElementType> typeFromLongName(std::string_view name) {
  for (const TypeNames &row : typeNames)
    if (row.words == name)
      return row.type;
  return std::nullopt;
}

std::string describeShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

int64_t tensorBytes(ElementType type, const std::vector<int64_t> &shape) {
  // An extent of zero does not permit large other extents: strides are computed
  // from them.
  constexpr int64_t limit = int64_t(1) << 62;
  int64_t bytes = byteWidth(type);
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && bytes > limit / extent))
      return -1;
    empty |= extent == 0;
    bytes *= extent > 0 ? extent : 1;
  }
  return empty ? 0 : bytes;
}

} // namespace gensyn
