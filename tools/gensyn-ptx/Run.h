// gensyn-ptx run: runs one kernel on the simulator.

#ifndef GENSYN_TOOLS_GENSYN_PTX_RUN_H
#define GENSYN_TOOLS_GENSYN_PTX_RUN_H

#include <optional>
#include <span>
#include <string>

namespace gensyn::ptx::tool {

enum ExitCode {
  Ok = 0,
  Mismatch = 1,
  Usage = 2,
  BadInput = 3,
  InputOutput = 5,
  OutOfResources = 6
};

/// The help text of `run`.
extern const char *const runHelp;

/// Prints "gensyn-ptx: error: MESSAGE" and returns `code`.
int complain(const std::string &message, int code);

/// Prints a line on stdout, as printable text whatever names it quotes.
void printLine(const std::string &line);

/// Reads a whole file. Returns nothing, after an error message, if it cannot be
/// read.
std::optional<std::string> readFile(const char *path);

/// Runs `gensyn-ptx run ARGUMENTS...` and returns the exit code.
int runKernel(std::span<char *const> arguments);

} // namespace gensyn::ptx::tool

#endif // GENSYN_TOOLS_GENSYN_PTX_RUN_H
