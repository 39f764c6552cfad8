// See TextFacts.h. An arrow closes nothing, and what is closed without having
// been opened is left to the parser.

#include "gensyn/Pipelines/TextFacts.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace llvm;

namespace gensyn {

/// Far above what anybody writes: loops in branches in loops, in types.
static constexpr unsigned kMostLevels = 256;
static constexpr StringLiteral kTooDeep = "is nested more than 256 levels deep";
static_assert(kMostLevels == 256);

static bool isWordCharacter(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '.';
}

/// The token at the front, which is not empty; a comment is one, too.
static StringRef takeToken(StringRef text) {
  if (text.starts_with("//"))
    return text.take_until([](char c) { return c == '\n'; });
  for (StringRef pair : {"->", ">=", "{-#"})
    if (text.starts_with(pair))
      return text.take_front(pair.size());
  if (text.front() == '"') {
    size_t end = 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    return text.take_front(end + 1);
  }
  if (isWordCharacter(text.front()))
    return text.take_while(isWordCharacter);
  return text.take_front(1);
}

TextFacts lookAtText(StringRef text) {
  TextFacts facts;
  unsigned level = 0, signs = 0;
  StringRef before, last;
  for (text = text.ltrim(); !text.empty(); text = text.ltrim()) {
    const StringRef token = takeToken(text);
    text = text.drop_front(token.size());
    if (token.starts_with("//"))
      continue;
    facts.hasResources |= token == "{-#";
    signs = token == "-" ? signs + 1 : 0;
    if (StringRef("([{<").contains(token.front()))
      ++level;
    else if (token.size() == 1 && StringRef(")]}>").contains(token.front()))
      level -= level != 0;
    if (level > kMostLevels || signs > kMostLevels)
      facts.problem = kTooDeep;
    else if (token == "index" && last == "<" && before == "array")
      facts.problem = "has a dense array of 'index', which has no width";
    if (!facts.problem.empty())
      return facts;
    before = last;
    last = token;
  }
  return facts;
}

} // namespace gensyn
