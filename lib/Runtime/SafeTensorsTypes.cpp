// The table of element types, and the words for types and shapes in messages.

#include "SafeTensorsTypes.h"

#include "gensyn/Runtime/SafeTensors.h"

namespace gensyn::runtime {

namespace {

struct TypeNames {
  ElementType type;
  const char *dtype;
  const char *words;
};

constexpr TypeNames typeNames[] = {{ElementType::I1, "BOOL", "bool"},
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
                                   {ElementType::F64, "F64", "float64"}};

} // namespace

std::optional<ElementType> typeOfDtype(std::string_view dtype) {
  for (const TypeNames &row : typeNames)
    if (dtype == row.dtype)
      return row.type;
  return std::nullopt;
}

std::string dtypeOfType(ElementType type) {
  for (const TypeNames &row : typeNames)
    if (type == row.type)
      return row.dtype;
  return "?";
}

bool isForeignDtype(std::string_view dtype) {
  for (const char *name : {"F4", "F6_E2M3", "F6_E3M2", "F8_E4M3", "F8_E5M2",
                           "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "C64"})
    if (dtype == name)
      return true;
  return false;
}

std::string longName(ElementType type) {
  for (const TypeNames &row : typeNames)
    if (type == row.type)
      return row.words;
  return std::string(name(type));
}

std::string describeShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

int64_t tensorBytes(ElementType type, const std::vector<int64_t> &shape) {
  // An extent of zero does not excuse the others: strides are built of them.
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

} // namespace gensyn::runtime
