// Prints lines, errors and the progress bar.

#include "Terminal.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <sstream>
#include <stdexcept>

#include <sys/ioctl.h>
#include <unistd.h>

namespace gensyn::terminal {

static void printMessage(const std::string &head, const std::string &message) {
  std::fprintf(stderr, "%s%s\n", head.c_str(),
               printable(message, longestLine).c_str());
}

Failure currentFailure() {
  try {
    throw;
  } catch (const Failure &failure) {
    return failure;
  } catch (const std::bad_alloc &) {
    return {ExitCode::OutOfResources, "out of memory"};
  } catch (const std::length_error &) {
    return {ExitCode::OutOfResources, "a tensor is larger than memory can be"};
  } catch (const std::filesystem::filesystem_error &error) {
    return {ExitCode::InputOutput,
            error.path1().string() + ": " + error.code().message()};
  } catch (const std::exception &error) {
    return {ExitCode::Bug, error.what(),
            std::string("this is a bug in ") + kToolName +
                "; please report it"};
  }
}

void printError(const Failure &failure) {
  printMessage(std::string(kToolName) + ": error: ", failure.what());
  if (!failure.note.empty())
    printNote(failure.note);
}

void printNote(const std::string &note) { printMessage("note: ", note); }

void printWarning(const std::string &message) {
  printMessage(std::string(kToolName) + ": warning: ", message);
}

static void writeLine(const std::string &line) {
  // Flushed, so that a pipe or a log file follows the run.
  std::string whole = line + "\n";
  if (std::fwrite(whole.data(), 1, whole.size(), stdout) != whole.size() ||
      std::fflush(stdout) != 0)
    failInputOutput("stdout cannot be written");
}

void printLine(const std::string &line) {
  writeLine(printable(line, longestLine));
}

void printLines(const std::string &text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    printLine(line);
}

void printRecord(const OrderedJson &value) { writeLine(printJson(value)); }

std::string counted(int64_t number, const std::string &noun) {
  return runtime::groupDigits(number) + " " + nounFor(number, noun);
}

std::string describeSeconds(double seconds) {
  return runtime::fixedText(seconds, seconds < 10 ? 2 : 1) + " s";
}

std::string shortNumber(double value, int digits) {
  return runtime::shortText(value, digits);
}

ProgressBar::ProgressBar(bool wanted) {
  const char *terminal = std::getenv("TERM");
  bool dumb = terminal && std::string(terminal) == "dumb";
  active = wanted && ::isatty(STDERR_FILENO) && !dumb;
  const char *noColor = std::getenv("NO_COLOR");
  coloured = !noColor || !*noColor;
}

void ProgressBar::show(const std::string &text) { put(printable(text)); }

void ProgressBar::put(const std::string &text) {
  if (!active)
    return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  shown = true;
}

void ProgressBar::draw(const std::string &label, int64_t done, int64_t total,
                       const std::function<std::string()> &figures) {
  if (!active)
    return;
  auto now = std::chrono::steady_clock::now();
  if (done < total && shown && now - last < std::chrono::milliseconds(50))
    return;
  last = now;
  constexpr int64_t width = 28;
  int64_t filled = total > 0 ? width * done / total : 0;
  std::string bar;
  for (int64_t i = 0; i < width; ++i)
    bar += i < filled ? "█" : "░";
  if (coloured)
    bar = "\033[36m" + bar + "\033[0m";
  std::string behind = printable(figures());
  // A longer line would be wrapped, and only its last part redrawn.
  const size_t taken = label.size() + width + 3;
  struct winsize window = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col)
    behind.resize(std::min(behind.size(), window.ws_col > taken
                                              ? window.ws_col - taken
                                              : size_t(0)));
  put(printable(label) + " " + bar + " " + behind);
}

void ProgressBar::clear() {
  if (!shown)
    return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown = false;
}

} // namespace gensyn::terminal
