// UTF-8 by the table of well-formed sequences in the Unicode Standard.

#include "gensyn/Executable/Support/Printable.h"

#include <algorithm>
#include <cstdint>

namespace gensyn {

/// Returns the length of the sequence that starts with `first`; 0 if none does.
static size_t sequenceLength(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/// Reads one character, and sets `length` to its bytes; 0 if they are not
/// UTF-8.
static uint32_t decode(std::string_view text, size_t &length) {
  const auto first = static_cast<unsigned char>(text[0]);
  length = sequenceLength(first);
  if (length <= 1)
    return first;
  if (length > text.size()) {
    length = 0;
    return first;
  }
  uint32_t value = first & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) {
      length = 0;
      return first;
    }
    value = value << 6 | (next & 0x3f);
  }
  const bool isTooShort =
      (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (isTooShort || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
    length = 0;
  return value;
}

/// Bidirectional embeddings, overrides, isolates and marks, and the separators
/// that end a line.
static bool changesLines(uint32_t character) {
  return (character >= 0x202a && character <= 0x202e) ||
         (character >= 0x2066 && character <= 0x2069) || character == 0x200e ||
         character == 0x200f || character == 0x061c || character == 0x2028 ||
         character == 0x2029;
}

static std::string escape(uint32_t character, bool isByte) {
  if (character == '\n')
    return "\\n";
  if (character == '\t')
    return "\\t";
  constexpr char digits[] = "0123456789abcdef";
  std::string text = isByte ? "\\x" : "\\u";
  for (int shift = isByte ? 4 : 12; shift >= 0; shift -= 4)
    text += digits[character >> shift & 15];
  return text;
}

std::string printable(std::string_view text, size_t limit,
                      std::string_view kept, std::string_view escaped) {
  const size_t size = text.size();
  if (size > limit) {
    text = text.substr(0, limit);
    text.remove_suffix(incompleteSuffix(text));
  }
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    size_t length = 0;
    const uint32_t character = decode(text, length);
    const bool isControl = character < 0x20 || character == 0x7f ||
                           (character >= 0x80 && character < 0xa0);
    if (length == 0)
      result += escape(static_cast<unsigned char>(text[0]), /*isByte=*/true);
    else if (character < 0x80 && kept.find(text[0]) != std::string_view::npos)
      result += text[0];
    else if (isControl || changesLines(character))
      result += escape(character, /*isByte=*/character < 0x80);
    else
      result += (escaped.find(text[0]) == std::string_view::npos ? "" : "\\") +
                std::string(text.substr(0, length));
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  if (size > limit)
    result += "... (" + std::to_string(size) + " bytes)";
  return result;
}

size_t incompleteSuffix(std::string_view text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0) != 0x80)
      return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

} // namespace gensyn
