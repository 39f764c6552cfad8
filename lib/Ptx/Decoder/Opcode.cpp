// An opcode split at its dots.

#include "Opcode.h"

#include <algorithm>

namespace gensyn::ptx {
namespace {

template <class T> struct Name {
  std::string_view name;
  T value;
};

constexpr Name<Rounding> roundings[] = {
    {"rn", Rounding::Rn},   {"rz", Rounding::Rz},   {"rm", Rounding::Rm},
    {"rp", Rounding::Rp},   {"rna", Rounding::Rna}, {"rni", Rounding::Rni},
    {"rzi", Rounding::Rzi}, {"rmi", Rounding::Rmi}, {"rpi", Rounding::Rpi}};

// `lo ls hi hs` are the unsigned spellings.
constexpr Name<Compare> compares[] = {
    {"eq", Compare::Eq},   {"ne", Compare::Ne},   {"lt", Compare::Lt},
    {"le", Compare::Le},   {"gt", Compare::Gt},   {"ge", Compare::Ge},
    {"lo", Compare::Lt},   {"ls", Compare::Le},   {"hi", Compare::Gt},
    {"hs", Compare::Ge},   {"equ", Compare::Equ}, {"neu", Compare::Neu},
    {"ltu", Compare::Ltu}, {"leu", Compare::Leu}, {"gtu", Compare::Gtu},
    {"geu", Compare::Geu}, {"num", Compare::Num}, {"nan", Compare::Nan}};

constexpr Name<Space> spaces[] = {
    {"global", Space::Global},      {"shared", Space::Shared},
    {"shared::cta", Space::Shared}, {"local", Space::Local},
    {"const", Space::Const},        {"param", Space::Param},
    {"param::entry", Space::Param}, {"param::func", Space::Param}};

} // namespace

Opcode::Opcode(std::string_view text) : whole(text) {
  size_t dot = std::min(text.find('.'), text.size());
  first = text.substr(0, dot);
  while (dot < text.size()) {
    size_t next = std::min(text.find('.', dot + 1), text.size());
    modifiers.push_back(text.substr(dot + 1, next - dot - 1));
    dot = next;
  }
}

bool Opcode::take(std::string_view name) {
  auto found = std::find(modifiers.begin(), modifiers.end(), name);
  if (found == modifiers.end())
    return false;
  modifiers.erase(found);
  return true;
}

void Opcode::takeAll(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    take(name);
}

void Opcode::takePrefixed(std::string_view prefix) {
  std::erase_if(modifiers, [prefix](std::string_view modifier) {
    return modifier.substr(0, prefix.size()) == prefix;
  });
}

Type Opcode::takeType() {
  for (auto it = modifiers.begin(); it != modifiers.end(); ++it)
    if (auto type = typeFromName(*it)) {
      modifiers.erase(it);
      return *type;
    }
  return Type::None;
}

Rounding Opcode::takeRounding() {
  for (const auto &[name, value] : roundings)
    if (take(name))
      return value;
  return Rounding::None;
}

std::optional<Compare> Opcode::takeCompare() {
  for (const auto &[name, value] : compares)
    if (take(name))
      return value;
  return std::nullopt;
}

Combine Opcode::takeCombine() {
  return take("and")   ? Combine::And
         : take("or")  ? Combine::Or
         : take("xor") ? Combine::Xor
                       : Combine::None;
}

Space Opcode::takeSpace() {
  for (const auto &[name, value] : spaces)
    if (take(name))
      return value;
  return Space::Generic;
}

unsigned Opcode::takeVector() {
  return take("v2") ? 2 : take("v4") ? 4 : take("v8") ? 8 : 1;
}

std::optional<std::string_view> Opcode::leftover() const {
  if (modifiers.empty())
    return std::nullopt;
  return modifiers.front();
}

} // namespace gensyn::ptx
