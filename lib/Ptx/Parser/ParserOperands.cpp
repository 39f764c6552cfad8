// Operands of instructions.

#include "Parser.h"

#include <utility>

namespace gensyn::ptx {

bool Parser::parseOperand(Operand &operand, bool isBranch, unsigned depth) {
  if (!parseOperandAtom(operand, isBranch, depth))
    return false;
  // `%r1|%p1`: a value and a predicate.
  if (token.is('|')) {
    advance();
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.elements.push_back(std::move(operand));
    if (!parseOperandAtom(pair.elements.emplace_back(), false, depth))
      return false;
    operand = std::move(pair);
  }
  // `symbol+4` outside of an address.
  if (operand.kind == Operand::Kind::Symbol &&
      (token.is('+') || token.is('-'))) {
    accept('+');
    return parseSignedInteger(operand.offset, "an offset");
  }
  return true;
}

bool Parser::parseOperandAtom(Operand &operand, bool isBranch, unsigned depth) {
  if (depth > 4)
    return fail(token.line, "operands are nested too deeply");
  switch (token.kind) {
  case Token::Kind::Integer:
  case Token::Kind::Float32:
  case Token::Kind::Float64:
    return parseNumber(operand);
  case Token::Kind::Word:
    return parseWordOperand(operand, isBranch);
  default:
    break;
  }
  if (token.is('-') || token.is('~'))
    return parseNumber(operand);
  if (accept('!')) {
    if (!parseOperandAtom(operand, false, depth + 1))
      return false;
    operand.negated = !operand.negated;
    return true;
  }
  if (accept('{')) {
    operand.kind = Operand::Kind::Vector;
    return parseList(operand, '}', depth);
  }
  if (accept('(')) {
    operand.kind = Operand::Kind::Tuple;
    return parseList(operand, ')', depth);
  }
  if (accept('['))
    return parseAddress(operand, depth);
  return expected("an operand");
}

bool Parser::parseList(Operand &operand, char close, unsigned depth) {
  while (!token.is(close)) {
    if (!parseOperand(operand.elements.emplace_back(), false, depth + 1))
      return false;
    if (!accept(','))
      break;
  }
  return expect(close);
}

bool Parser::parseAddress(Operand &operand, unsigned depth) {
  operand.kind = Operand::Kind::Address;
  while (!token.is(']')) {
    Operand &element = operand.elements.emplace_back();
    if (!parseOperandAtom(element, false, depth + 1))
      return false;
    if (token.is('+') || token.is('-')) {
      accept('+');
      int64_t offset = 0;
      if (!parseSignedInteger(offset, "an offset"))
        return false;
      operand.offset += offset;
    }
    if (!accept(','))
      break;
  }
  if (operand.elements.empty())
    return expected("an address");
  return expect(']');
}

bool Parser::parseNumber(Operand &operand) {
  bool negative = accept('-');
  bool inverted = !negative && accept('~');
  operand.bits = token.bits;
  switch (token.kind) {
  case Token::Kind::Integer:
    operand.kind = Operand::Kind::Integer;
    if (negative)
      operand.bits = 0 - operand.bits;
    if (inverted)
      operand.bits = ~operand.bits;
    break;
  case Token::Kind::Float32:
    operand.kind = Operand::Kind::Float32;
    operand.bits ^= negative ? uint64_t(1) << 31 : 0;
    break;
  case Token::Kind::Float64:
    operand.kind = Operand::Kind::Float64;
    operand.bits ^= negative ? uint64_t(1) << 63 : 0;
    break;
  default:
    return expected("a number");
  }
  operand.text = token.text;
  advance();
  return true;
}

bool Parser::parseWordOperand(Operand &operand, bool isBranch) {
  Token word = token;
  advance();
  operand.text = word.text;
  if (word.text == "_") {
    operand.kind = Operand::Kind::Sink;
    return true;
  }
  if (auto index = findRegister(word.text)) {
    if (token.kind == Token::Kind::Directive && token.adjacent)
      return fail(word.line, "vector registers are not supported");
    operand.kind = Operand::Kind::Register;
    operand.index = *index;
    return true;
  }
  if (word.text[0] == '%') {
    // A special register, perhaps with a component: %tid.x.
    if (token.kind == Token::Kind::Directive && token.adjacent) {
      operand.text = {word.text.data(), word.text.size() + token.text.size()};
      advance();
    }
    std::string_view name = operand.text;
    size_t last = name.find_last_not_of("0123456789");
    static constexpr std::string_view registerPrefixes[] = {
        "%r", "%rd", "%rs", "%f", "%fd", "%p", "%h", "%hh", "%SP", "%SPL"};
    for (std::string_view prefix : registerPrefixes)
      if (name.substr(0, last + 1) == prefix)
        return fail(word.line, "unknown register '" + std::string(name) + "'");
    operand.kind = Operand::Kind::Special;
    return true;
  }
  if (word.text == "WARP_SZ") {
    operand.kind = Operand::Kind::Integer;
    operand.bits = 32;
    return true;
  }
  operand.kind = isBranch ? Operand::Kind::Label : Operand::Kind::Symbol;
  return true;
}

} // namespace gensyn::ptx
