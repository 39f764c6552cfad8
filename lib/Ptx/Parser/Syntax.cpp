// Names and widths of PTX types.

#include "gensyn/Ptx/Syntax.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

struct TypeRow {
  Type type;
  std::string_view name;
  unsigned bytes;
};

constexpr TypeRow typeRows[] = {
    {Type::None, "", 0},         {Type::Pred, "pred", 0},
    {Type::B8, "b8", 1},         {Type::B16, "b16", 2},
    {Type::B32, "b32", 4},       {Type::B64, "b64", 8},
    {Type::B128, "b128", 16},    {Type::U8, "u8", 1},
    {Type::U16, "u16", 2},       {Type::U32, "u32", 4},
    {Type::U64, "u64", 8},       {Type::S8, "s8", 1},
    {Type::S16, "s16", 2},       {Type::S32, "s32", 4},
    {Type::S64, "s64", 8},       {Type::U16x2, "u16x2", 4},
    {Type::S16x2, "s16x2", 4},   {Type::F16, "f16", 2},
    {Type::BF16, "bf16", 2},     {Type::F16x2, "f16x2", 4},
    {Type::BF16x2, "bf16x2", 4}, {Type::F32, "f32", 4},
    {Type::F32x2, "f32x2", 8},   {Type::TF32, "tf32", 4},
    {Type::F64, "f64", 8},       {Type::E4M3x2, "e4m3x2", 2},
    {Type::E5M2x2, "e5m2x2", 2}};

} // namespace

unsigned byteWidth(Type type) {
  return typeRows[static_cast<size_t>(type)].bytes;
}

std::string_view typeName(Type type) {
  return typeRows[static_cast<size_t>(type)].name;
}

std::optional<Type> typeFromName(std::string_view name) {
  const auto *row = std::find_if(
      std::begin(typeRows) + 1, std::end(typeRows),
      [name](const TypeRow &candidate) { return candidate.name == name; });
  if (row == std::end(typeRows))
    return std::nullopt;
  return row->type;
}

std::string Register::name() const {
  std::string result(prefix);
  return number < 0 ? result : result + std::to_string(number);
}

} // namespace gensyn::ptx
