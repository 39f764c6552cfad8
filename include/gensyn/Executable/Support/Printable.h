// Makes text from files safe to print on a terminal.
#ifndef GENSYN_EXECUTABLE_SUPPORT_PRINTABLE_H
#define GENSYN_EXECUTABLE_SUPPORT_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace gensyn {

/// Escapes everything in `text` that a terminal would interpret: control
/// characters (C0, DEL, C1), bytes that are not UTF-8, and characters that
/// change the direction of text, as "
/// ", "\t", "\x1b" and "\u202e". Characters in `kept` are unchanged, and those
/// in `escaped` get a backslash in front. For quoted names the backslash is one
/// of these, so that no two names look alike; whole lines contain quoted names
/// that are escaped already, so there it is not. A text longer than `limit`
/// bytes is truncated, and "... (N bytes)" follows.
std::string printable(std::string_view text, size_t limit = std::string::npos,
                      std::string_view kept = "",
                      std::string_view escaped = "");

/// Returns the number of bytes, 0 to 3, at the end of `text` that begin an
/// incomplete UTF-8 character.
size_t incompleteSuffix(std::string_view text);

/// Maximum length in bytes of a line of an error, a warning or a listing.
constexpr size_t longestLine = size_t(1) << 14;

} // namespace gensyn

#endif
