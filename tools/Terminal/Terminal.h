// Output of the command-line tools for people.
#ifndef GENSYN_TOOLS_TERMINAL_TERMINAL_H
#define GENSYN_TOOLS_TERMINAL_TERMINAL_H

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace gensyn::terminal {

// All output here is printable text (Printable.h), whatever names it quotes,
// and no line is longer than `longestLine`; JSON is never cut.

/// The tool, which defines it: "gensyn-run".
extern const char *const kToolName;

/// The exception that is being handled, as a Failure.
Failure currentFailure();
/// "TOOL: error: ..." and, if there is one, "note: ..." on stderr.
void printError(const Failure &failure);
/// "note: ..." on stderr.
void printNote(const std::string &note);
/// "TOOL: warning: ..." on stderr.
void printWarning(const std::string &message);
/// A line on stdout. Throws a Failure (I/O) if it cannot be written.
void printLine(const std::string &line);
/// Each line of a text.
void printLines(const std::string &text);
/// A value as JSON in a line of stdout. Throws like printLine().
void printRecord(const OrderedJson &value);

/// "1 step", "1,234 steps".
std::string counted(int64_t number, const std::string &noun);
/// "0.12 s".
std::string describeSeconds(double seconds);
/// printf's %g with the given digits.
std::string shortNumber(double value, int digits = 4);

/// One line that is redrawn in place on stderr; nothing if stderr is not a
/// terminal. NO_COLOR disables colours.
class ProgressBar {
public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { clear(); }

  /// Redraws, at most some twenty times a second: `label`, a bar that is
  /// done/total long, and `figures` after it, as far as the line has room.
  void draw(const std::string &label, int64_t done, int64_t total,
            const std::function<std::string()> &figures);
  /// Shows a line without a bar at once.
  void show(const std::string &text);
  /// Erases the line, so that others can be printed.
  void clear();

private:
  void put(const std::string &text);

  bool active;
  bool coloured;
  bool shown = false;
  std::chrono::steady_clock::time_point last;
};

} // namespace gensyn::terminal

#endif
