// Variables and their initialisers.

#include "Parser.h"

#include <bit>

namespace gensyn::ptx {
namespace {

/// The limit on a variable's size; it prevents overflow.
constexpr uint64_t maximalBytes = uint64_t(1) << 40;

void appendBytes(std::vector<std::byte> &bytes, uint64_t value,
                 unsigned width) {
  for (unsigned i = 0; i != width; ++i)
    bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

} // namespace

bool Parser::parseAttributes(Variable &variable, unsigned &vector) {
  bool isPointee = false;
  while (token.kind == Token::Kind::Directive) {
    std::string_view name = token.text;
    uint32_t line = token.line;
    advance();
    if (name == ".align") {
      uint64_t alignment = 0;
      if (!expectInteger(alignment, "an alignment in bytes"))
        return false;
      if (!std::has_single_bit(alignment) || alignment > 4096)
        return fail(line, "an alignment of " + std::to_string(alignment) +
                              " bytes is not a power of two up to 4096");
      // `.u64 .ptr .global .align 16 x`: the alignment of the memory to which x
      // points.
      if (!isPointee)
        variable.align = alignment;
    } else if (name == ".v2" || name == ".v4" || name == ".v8") {
      vector = static_cast<unsigned>(name[2] - '0');
    } else if (name == ".ptr") {
      isPointee = true;
    } else if (name == ".global" || name == ".shared" || name == ".const" ||
               name == ".local" || name == ".managed") {
      // The target of a pointer parameter: a promise, not a size.
    } else if (name == ".attribute") {
      if (!expect('('))
        return false;
      while (!token.is(')') && token.kind != Token::Kind::End)
        advance();
      if (!expect(')'))
        return false;
    } else if (auto type = typeFromName(name.substr(1))) {
      variable.type = *type;
    } else {
      return fail(line, "unknown type '" + std::string(name) + "'");
    }
  }
  return variable.type != Type::None || expected("a type");
}

bool Parser::parseExtents(Variable &variable) {
  while (accept('[')) {
    if (accept(']')) {
      variable.size = 0;
      continue;
    }
    uint32_t line = token.line;
    uint64_t extent = 0;
    if (!expectInteger(extent, "an extent") || !expect(']'))
      return false;
    if (extent > maximalBytes ||
        (extent != 0 && variable.size > maximalBytes / extent))
      return fail(line, "'" + std::string(variable.name) + "' is too large");
    variable.size *= extent;
  }
  return true;
}

bool Parser::parseVariable(Space space, bool isParameter, Variable &variable) {
  variable.space = space;
  variable.line = token.line;
  unsigned vector = 1;
  if (!parseAttributes(variable, vector) ||
      !expectWord(variable.name, "a variable name"))
    return false;
  unsigned elementBytes = byteWidth(variable.type);
  variable.size = uint64_t(elementBytes) * vector;
  if (variable.align < variable.size && elementBytes != 0 &&
      variable.align == 1 && variable.type != Type::B8)
    variable.align = variable.size; // the natural one, unless .align says more
  if (!parseExtents(variable))
    return false;
  return isParameter || !accept('=') ||
         parseInitialiser(variable, elementBytes);
}

bool Parser::parseVariables(Space space, bool external,
                            std::vector<Variable> &variables) {
  // `.shared .align 4 .b8 a[4], b[4];` repeats only the name.
  Variable &first = variables.emplace_back();
  if (!parseVariable(space, false, first))
    return false;
  first.external = external;
  Type type = first.type;
  while (accept(',')) {
    Variable variable;
    variable.space = space;
    variable.external = external;
    variable.type = type;
    variable.line = token.line;
    if (!expectWord(variable.name, "a variable name"))
      return false;
    variable.size = byteWidth(type);
    variable.align = variables.back().align;
    if (!parseExtents(variable) ||
        (accept('=') && !parseInitialiser(variable, byteWidth(type))))
      return false;
    variables.push_back(std::move(variable));
  }
  return expect(';');
}

bool Parser::parseInitialiser(Variable &variable, unsigned elementBytes) {
  uint32_t line = token.line;
  unsigned depth = 0;
  do {
    if (accept('{')) {
      ++depth;
      continue;
    }
    if (token.is('}')) {
      while (depth != 0 && accept('}'))
        --depth;
      accept(',');
      continue;
    }
    if (!parseInitialElement(variable, elementBytes))
      return false;
    while (depth != 0 && accept('}'))
      --depth;
    if (depth != 0 && !accept(',') && !token.is('}'))
      return expected("',' or '}'");
  } while (depth != 0);
  if (variable.size == 0)
    variable.size = variable.initial.size();
  if (variable.initial.size() > variable.size)
    return fail(line, "'" + std::string(variable.name) + "' has " +
                          std::to_string(variable.size) +
                          " bytes, its initialiser " +
                          std::to_string(variable.initial.size()));
  return true;
}

bool Parser::parseInitialElement(Variable &variable, unsigned elementBytes) {
  if (token.kind == Token::Kind::Word)
    return parseInitialPointer(variable, elementBytes);
  bool negative = accept('-');
  uint64_t bits = token.bits;
  switch (token.kind) {
  case Token::Kind::Integer: {
    uint32_t line = token.line;
    advance();
    // `0xFF00(symbol)`: one byte of an address.
    if (token.is('('))
      return fail(line, "initialisers with a part of an address are not "
                        "supported");
    appendBytes(variable.initial, negative ? 0 - bits : bits, elementBytes);
    return true;
  }
  case Token::Kind::Float32:
    bits ^= negative ? uint64_t(1) << 31 : 0;
    break;
  case Token::Kind::Float64:
    bits ^= negative ? uint64_t(1) << 63 : 0;
    if (elementBytes == 4)
      bits = std::bit_cast<uint32_t>(
          static_cast<float>(std::bit_cast<double>(bits)));
    break;
  default:
    return expected("a constant");
  }
  advance();
  appendBytes(variable.initial, bits, elementBytes);
  return true;
}

bool Parser::parseInitialPointer(Variable &variable, unsigned elementBytes) {
  Relocation relocation;
  relocation.offset = variable.initial.size();
  relocation.width = elementBytes;
  uint32_t line = token.line;
  relocation.symbol = token.text;
  advance();
  if (relocation.symbol == "generic" && accept('(')) {
    relocation.generic = true;
    if (!expectWord(relocation.symbol, "a variable name") || !expect(')'))
      return false;
  }
  bool negative = token.is('-');
  if (accept('+') || negative) {
    if (!parseSignedInteger(relocation.addend, "an offset"))
      return false;
  }
  if (elementBytes != 8)
    return fail(line, "an address needs 8 bytes, elements of '" +
                          std::string(variable.name) + "' have " +
                          std::to_string(elementBytes));
  appendBytes(variable.initial, 0, elementBytes);
  variable.relocations.push_back(relocation);
  return true;
}

} // namespace gensyn::ptx
