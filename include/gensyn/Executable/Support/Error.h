// Error reporting of the runtime.
#ifndef GENSYN_EXECUTABLE_SUPPORT_ERROR_H
#define GENSYN_EXECUTABLE_SUPPORT_ERROR_H

#include "gensyn/Executable/Support/Failure.h"

#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// Throws a Failure of the given kind.
[[noreturn]] void failBadInput(const std::string &message,
                               const std::string &note = "");
[[noreturn]] void failUnsupported(const std::string &message,
                                  const std::string &note = "");
[[noreturn]] void failInputOutput(const std::string &message,
                                  const std::string &note = "");

/// Returns `text` in single quotes, made printable with "\\" for a backslash
/// (Printable.h) and shortened, so that a name from an untrusted file cannot
/// break the line or the terminal.
std::string quote(std::string_view text);

/// Returns the words in single quotes, separated by commas; at most `limit` of
/// them.
std::string listed(const std::vector<std::string> &words, size_t limit = 8);

/// Returns the candidate with the smallest edit distance to `word`; empty if
/// none is close enough.
std::string nearest(std::string_view word,
                    const std::vector<std::string> &candidates);

} // namespace gensyn

#endif
