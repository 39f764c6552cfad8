// Splits a PTX text into tokens.

#ifndef GENSYN_PTX_LEXER_H
#define GENSYN_PTX_LEXER_H

#include <cstdint>
#include <string_view>

namespace gensyn::ptx {

struct Token {
  enum class Kind : uint8_t {
    End,
    Word,      ///< identifier, also `%r1`, `$L__BB0_1` and `_`
    Directive, ///< `.name`, the dot included
    Integer,   ///< `bits`
    Float32,   ///< `bits`
    Float64,   ///< `bits`
    String,    ///< with its quotes
    Punctuation,
    Bad ///< a character or number that PTX does not have
  };
  Kind kind = Kind::End;
  char punctuation = 0;
  bool adjacent = false; ///< no space between the token before and this one
  uint32_t line = 1;
  uint64_t bits = 0;
  std::string_view text;

  bool is(char c) const {
    return kind == Kind::Punctuation && punctuation == c;
  }
  bool isDirective(std::string_view name) const {
    return kind == Kind::Directive && text == name;
  }
};

class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}
  Token next();

private:
  /// Returns true if anything was skipped.
  bool skipSpace();
  Token number();
  Token decimalFloat(size_t end);
  Token make(Token::Kind kind, size_t length);

  std::string_view text;
  size_t position = 0;
  uint32_t line = 1;
  bool adjacent = false;
};

} // namespace gensyn::ptx

#endif // GENSYN_PTX_LEXER_H
