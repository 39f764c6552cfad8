// The only error type of programs and the runtime: a line for the user and an
// exit code.
#ifndef GENSYN_EXECUTABLE_SUPPORT_FAILURE_H
#define GENSYN_EXECUTABLE_SUPPORT_FAILURE_H

#include <stdexcept>
#include <string>
#include <utility>

namespace gensyn {

/// The exit codes of gensyn-run.
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

/// An error for the user: `what()` is one line without a prefix, `note` one
/// line of advice, or empty.
class Failure : public std::runtime_error {
public:
  Failure(ExitCode code, const std::string &message, std::string note = "")
      : std::runtime_error(message), code(code), note(std::move(note)) {}

  ExitCode code;
  std::string note;
};

} // namespace gensyn

#endif
