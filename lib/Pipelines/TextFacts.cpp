// See TextFacts.h. An arrow closes no bracket; unmatched closing brackets are
// left to the parser.

#include "gensyn/Pipelines/TextFacts.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Printable.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace gensyn {

/// Far above nesting in practice: loops in branches in loops, in types.
static constexpr unsigned kMostLevels = 256;
/// MLIR nests an affine expression once for each operator.
static constexpr unsigned kMostOperators = 256;
/// The total size of expanded aliases: MLIR prints and walks them.
static constexpr uint64_t kMostExpanded = uint64_t(1) << 26;

namespace {

/// The size of an alias's text, with nested aliases expanded.
struct Extent {
  unsigned levels = 0;
  uint64_t bytes = 0;
};

class Walk {
public:
  TextFacts over(StringRef text);

private:
  unsigned level() const { return static_cast<unsigned>(brackets.size()); }
  void look(StringRef token);
  void countLevels(StringRef token);
  void countOperators(StringRef token);
  void followAliases(StringRef token);
  void checkDenseArray(StringRef token);
  void checkAddressSpace(StringRef token);

  TextFacts facts;
  StringRef before, last;     ///< the tokens before the one looked at
  SmallVector<char> brackets; ///< that are open
  char closed = 0;            ///< the bracket that was closed last
  unsigned operators = 0;
  /// The reader's state within an addr_space.
  enum class Space { None, Name, Equals, Number, Colon };
  Space space = Space::None;
  /// The aliases defined so far; MLIR sees no others.
  StringMap<Extent> aliases;
  StringRef defined; ///< the alias whose value is being read, or empty
  Extent own;        ///< of its value so far
  uint64_t expanded = 0;
};

} // namespace

static bool isWordCharacter(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '.';
}

/// `#name`, `!name`, `%name` and the like, split as MLIR does: `#map->` is
/// `#map-` and `>`, but symbol names contain no minus.
static StringRef takePrefixed(StringRef text) {
  const StringRef name = text.drop_front();
  if (text.front() == '@')
    return text.take_front(name.take_while(isWordCharacter).size() + 1);
  const size_t size = !name.empty() && isDigit(name.front())
                          ? name.take_while(isDigit).size()
                          : name.take_while([](char c) {
                                  return isWordCharacter(c) || c == '-';
                                })
                                .size();
  return text.take_front(size + 1);
}

/// The first token of a nonempty text; comments are tokens.
static StringRef takeToken(StringRef text) {
  if (text.starts_with("//"))
    return text.take_until([](char c) { return c == '\n'; });
  for (StringRef pair : {"->", "==", "{-#"})
    if (text.starts_with(pair))
      return text.take_front(pair.size());
  if (text.front() == '"') {
    size_t end = 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    return text.take_front(end + 1);
  }
  if (StringRef("#!%^@").contains(text.front()))
    return takePrefixed(text);
  if (isWordCharacter(text.front()))
    return text.take_while(isWordCharacter);
  return text.take_front(1);
}

static bool isAliasName(StringRef token) {
  return token.size() > 1 && StringRef("#!").contains(token.front());
}

static bool closes(StringRef token) {
  return token.size() == 1 && StringRef(")]}>").contains(token.front());
}

/// True if a value can begin with the token, or continue after a separator.
static bool isOperand(StringRef token) {
  return isWordCharacter(token.front()) ||
         StringRef("\"#!%^@").contains(token.front());
}

void Walk::countLevels(StringRef token) {
  const bool isOpen = !brackets.empty();
  if (StringRef("([{<").contains(token.front()))
    brackets.push_back(token.front());
  else if (closes(token) && isOpen)
    closed = brackets.pop_back_val();
  else if (token == "=" && last == ">") // a comparison, with or without blanks
    brackets.push_back(closed);
  else if (token == "=" && last == "<" && isOpen)
    brackets.pop_back();
  own.levels = std::max(own.levels, level());
}

/// A token that cannot be part of an affine expression ends it.
void Walk::countOperators(StringRef token) {
  if (token == "+" || token == "-" || token == "*" || token == "mod" ||
      token == "floordiv" || token == "ceildiv")
    ++operators;
  else if (!isWordCharacter(token.front()) &&
           !StringRef("%()").contains(token.front()))
    operators = 0;
}

/// Definitions are outside of all brackets: `#name = value`, where the value
/// ends before the first token that cannot continue it.
void Walk::followAliases(StringRef token) {
  const bool isComplete = !last.empty() && (isOperand(last) || closes(last));
  if (brackets.empty() && isComplete && (isOperand(token) || token == "{-#")) {
    if (!defined.empty())
      aliases[defined] = own;
    defined = "";
  }
  if (brackets.empty() && token == "=" && isAliasName(last)) {
    defined = last;
    own = {};
  }
  own.bytes += token.size();
  if (!isAliasName(token))
    return;
  const auto found = aliases.find(token);
  if (found == aliases.end())
    return;
  // Something may enclose it without a bracket: the result of a function.
  own.levels = std::max(own.levels, level() + 1 + found->second.levels);
  own.bytes += found->second.bytes;
  expanded += found->second.bytes;
}

/// MLIR takes the width of anything that has a type, such as an alias of
/// `index`. A number is the size of an array in LLVM's types.
void Walk::checkDenseArray(StringRef token) {
  if (last != "<" || before != "array" || isDigit(token.front()))
    return;
  StringRef width = token;
  if (width.consume_front("bf") || width.consume_front("tf") ||
      width.consume_front("f") || width.consume_front("si") ||
      width.consume_front("ui") || width.consume_front("i"))
    if (!width.empty() && isDigit(width.front()))
      return;
  facts.problem = "has a dense array of " + quote(token.str()) +
                  ", expected a type such as i64, f32 or bf16";
}

static bool isIntegerType(StringRef token) {
  if (token == "index")
    return true;
  if (!token.consume_front("si") && !token.consume_front("ui"))
    token.consume_front("i");
  return !token.empty() && llvm::all_of(token, isDigit);
}

/// The unquoted, unescaped key of a dictionary entry: `"addr\5Fspace"`.
static std::string unquote(StringRef token) {
  std::string text;
  for (token = token.trim('"'); !token.empty();) {
    if (token.size() > 2 && token.front() == '\\' && isHexDigit(token[1]) &&
        isHexDigit(token[2])) {
      text += static_cast<char>(hexFromNibbles(token[1], token[2]));
      token = token.drop_front(3);
      continue;
    }
    text += token.front();
    token = token.drop_front();
  }
  return text;
}

/// The verifier of `llvm.mlir.addressof` assumes that a global's is an integer:
/// `addr_space = 3 : i32`.
void Walk::checkAddressSpace(StringRef token) {
  auto fail = [&](const std::string &what) {
    facts.problem =
        "has an addr_space " + what + ", expected a number such as 3 : i32";
  };
  const bool isEnd = token == "," || token == "}";
  switch (std::exchange(space, Space::None)) {
  case Space::None:
    if (!brackets.empty() && brackets.back() == '{' &&
        (last == "{" || last == ",") && unquote(token) == "addr_space")
      space = Space::Name;
    return;
  case Space::Name:
    if (isEnd)
      return fail("without a value");
    if (token == "=")
      space = Space::Equals;
    return;
  case Space::Equals:
    if (!isDigit(token.front()) || token.contains('.'))
      return fail("of " + quote(token.str()));
    space = Space::Number;
    return;
  case Space::Number:
    if (token == ":")
      space = Space::Colon;
    return;
  case Space::Colon:
    if (!isIntegerType(token))
      fail("of type " + quote(token.str()));
  }
}

void Walk::look(StringRef token) {
  facts.hasResources |= token == "{-#";
  followAliases(token);
  countLevels(token);
  countOperators(token);
  checkDenseArray(token);
  checkAddressSpace(token);
  if (std::max(level(), own.levels) > kMostLevels)
    facts.problem = "is nested more than " + std::to_string(kMostLevels) +
                    " levels deep, aliases included";
  else if (operators > kMostOperators)
    facts.problem = "has an expression of more than " +
                    std::to_string(kMostOperators) + " operators";
  else if (expanded > kMostExpanded)
    facts.problem = "has aliases that stand for more than " +
                    std::to_string(kMostExpanded) + " bytes";
  before = last;
  last = token;
}

TextFacts Walk::over(StringRef text) {
  if (printable(text, text.size(), "\t\n\r") != text) {
    facts.problem = "contains control characters or bytes that are not UTF-8";
    return facts;
  }
  for (text = text.ltrim(); !text.empty() && facts.problem.empty();
       text = text.ltrim()) {
    const StringRef token = takeToken(text);
    text = text.drop_front(token.size());
    if (!token.starts_with("//"))
      look(token);
  }
  return facts;
}

TextFacts lookAtText(StringRef text) { return Walk().over(text); }

std::string whyNotRead(StringRef contents) {
  return mlir::isBytecode(MemoryBufferRef(contents, ""))
             ? ""
             : lookAtText(contents).problem;
}

} // namespace gensyn
