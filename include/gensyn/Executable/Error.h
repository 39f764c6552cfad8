// Error reporting of the runtime.
#ifndef GENSYN_EXECUTABLE_ERROR_H
#define GENSYN_EXECUTABLE_ERROR_H

#include "gensyn/Executable/Failure.h"

#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// Throws a Failure of the stated kind.
[[noreturn]] void failBadInput(const std::string &message,
                               const std::string &note = "");
[[noreturn]] void failUnsupported(const std::string &message,
                                  const std::string &note = "");
[[noreturn]] void failInputOutput(const std::string &message,
                                  const std::string &note = "");

/// `text` in single quotes, printable with "\\" for a backslash (Printable.h)
/// and shortened, so that a
/// name out of a file that is not trusted cannot break the line or the
/// terminal.
std::string quote(std::string_view text);

/// The words in single quotes, separated by commas; at most `limit` of them.
std::string listed(const std::vector<std::string> &words, size_t limit = 8);

/// The candidate with the smallest edit distance to `word`; empty where none
/// is close enough to be meant.
std::string nearest(std::string_view word,
                    const std::vector<std::string> &candidates);

} // namespace gensyn

#endif
