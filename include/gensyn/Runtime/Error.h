// The one way in which the runtime fails: a line for the user and an exit code.
#ifndef GENSYN_RUNTIME_ERROR_H
#define GENSYN_RUNTIME_ERROR_H

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

/// What gensyn-run exits with.
enum class ExitCode : int {
  Ok = 0,
  Mismatch = 1,
  Usage = 2,
  BadInput = 3,
  Unsupported = 4,
  InputOutput = 5,
  OutOfResources = 6,
  Bug = 70,
  Interrupted = 130,
};

/// A failure that a user can understand: `what()` is one line without a
/// prefix, `note` one line on what to do about it, or empty.
class Failure : public std::runtime_error {
public:
  Failure(ExitCode code, const std::string &message, std::string note = "")
      : std::runtime_error(message), code(code), note(std::move(note)) {}

  ExitCode code;
  std::string note;
};

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

} // namespace gensyn::runtime

#endif
