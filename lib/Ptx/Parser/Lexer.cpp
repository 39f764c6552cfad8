// Splits a PTX text into tokens.

#include "Lexer.h"

#include <bit>
#include <cctype>
#include <charconv>

namespace gensyn::ptx {
namespace {

bool isWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%';
}

bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

} // namespace

bool Lexer::skipSpace() {
  size_t start = position;
  while (position < text.size()) {
    char c = text[position];
    if (c == '\n')
      ++line;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++position;
    } else if (text.substr(position, 2) == "//") {
      position = std::min(text.find('\n', position), text.size());
    } else if (text.substr(position, 2) == "/*") {
      size_t end = std::min(text.find("*/", position + 2), text.size());
      for (; position < end; ++position)
        line += text[position] == '\n';
      position = std::min(end + 2, text.size());
    } else {
      break;
    }
  }
  return position != start;
}

Token Lexer::make(Token::Kind kind, size_t length) {
  Token token;
  token.kind = kind;
  token.adjacent = adjacent;
  token.line = line;
  token.text = text.substr(position, length);
  position += token.text.size();
  return token;
}

Token Lexer::decimalFloat(size_t end) {
  double value = 0;
  auto parsed =
      std::from_chars(text.data() + position, text.data() + end, value);
  bool ok = parsed.ec == std::errc() && parsed.ptr == text.data() + end;
  Token token =
      make(ok ? Token::Kind::Float64 : Token::Kind::Bad, end - position);
  token.bits = std::bit_cast<uint64_t>(value);
  return token;
}

Token Lexer::number() {
  size_t end = position;
  bool isFloat = false;
  bool hex =
      text.substr(position, 2) == "0x" || text.substr(position, 2) == "0X";
  bool pattern = text.size() > position + 1 && text[position] == '0' &&
                 std::string_view("fFdD").find(text[position + 1]) !=
                     std::string_view::npos;
  while (end < text.size()) {
    char c = text[end];
    bool exponentSign = (c == '+' || c == '-') && !hex && !pattern &&
                        (text[end - 1] == 'e' || text[end - 1] == 'E') &&
                        end > position;
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' &&
        !exponentSign)
      break;
    isFloat |= !hex && !pattern && (c == '.' || c == 'e' || c == 'E');
    ++end;
  }
  if (isFloat)
    return decimalFloat(end);

  std::string_view digits = text.substr(position, end - position);
  int base = 10;
  Token::Kind kind = Token::Kind::Integer;
  size_t expected = 0; // digits of a float pattern
  if (hex) {
    base = 16;
    digits.remove_prefix(2);
  } else if (pattern) {
    base = 16;
    bool single = digits[1] == 'f' || digits[1] == 'F';
    kind = single ? Token::Kind::Float32 : Token::Kind::Float64;
    expected = single ? 8 : 16;
    digits.remove_prefix(2);
  } else if (digits.substr(0, 2) == "0b" || digits.substr(0, 2) == "0B") {
    base = 2;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0' && digits != "0U") {
    base = 8;
    digits.remove_prefix(1);
  }
  if (!pattern && !digits.empty() && digits.back() == 'U')
    digits.remove_suffix(1);
  uint64_t value = 0;
  auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(),
                                value, base);
  bool ok = !digits.empty() && parsed.ec == std::errc() &&
            parsed.ptr == digits.data() + digits.size() &&
            (expected == 0 || digits.size() == expected);
  Token token = make(ok ? kind : Token::Kind::Bad, end - position);
  token.bits = value;
  return token;
}

Token Lexer::next() {
  adjacent = !skipSpace();
  if (position >= text.size())
    return make(Token::Kind::End, 0);
  char c = text[position];
  size_t end = position + 1;
  if (isWordStart(c)) {
    while (end < text.size() && isWordPart(text[end]))
      ++end;
    bool lone = c == '%' && end == position + 1;
    return make(lone ? Token::Kind::Bad : Token::Kind::Word, end - position);
  }
  if (std::isdigit(static_cast<unsigned char>(c)))
    return number();
  if (c == '.') {
    // `.L2::128B` is one modifier.
    while (end < text.size() &&
           (isWordPart(text[end]) ||
            (text.substr(end, 2) == "::" && end + 2 < text.size())))
      end += text[end] == ':' ? 2 : 1;
    return make(end == position + 1 ? Token::Kind::Bad : Token::Kind::Directive,
                end - position);
  }
  if (c == '"') {
    while (end < text.size() && text[end] != '"' && text[end] != '\n')
      end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size() || text[end] != '"')
      return make(Token::Kind::Bad, 1);
    return make(Token::Kind::String, end + 1 - position);
  }
  static constexpr std::string_view punctuation = "{}[]()<>,;:|@!+-*=&~^/?";
  bool known = punctuation.find(c) != std::string_view::npos;
  Token token = make(known ? Token::Kind::Punctuation : Token::Kind::Bad, 1);
  token.punctuation = c;
  return token;
}

} // namespace gensyn::ptx
