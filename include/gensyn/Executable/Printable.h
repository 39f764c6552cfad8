// Text from files on its way to a terminal.
#ifndef GENSYN_EXECUTABLE_PRINTABLE_H
#define GENSYN_EXECUTABLE_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace gensyn {

/// `text` with everything that a terminal would act on written out: control
/// characters (C0, DEL, C1), bytes that are not UTF-8, and characters that
/// change the direction of text, as "\n", "\t", "\x1b" and "\u202e". The
/// characters in `kept` stay as they are, and those in `escaped` have a
/// backslash in front. The backslash is one of these where a name is quoted,
/// so that no two names look alike; a whole line has quoted names in it and is
/// made printable once more on its way out, so there it stays. Of a text longer
/// than `limit` bytes only as many are looked at, and "... (N bytes)" follows.
std::string printable(std::string_view text, size_t limit = std::string::npos,
                      std::string_view kept = "",
                      std::string_view escaped = "");

/// How many bytes at the end of `text` begin a UTF-8 character that further
/// bytes may complete: 0 to 3.
size_t incompleteSuffix(std::string_view text);

/// The longest line of an error, of a warning and of a listing, in bytes.
constexpr size_t longestLine = size_t(1) << 14;

} // namespace gensyn

#endif
