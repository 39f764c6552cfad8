// gensyn-ptx run: runs one kernel on the simulator.

#ifndef GENSYN_TOOLS_GENSYN_PTX_RUN_H
#define GENSYN_TOOLS_GENSYN_PTX_RUN_H

#include "gensyn/Executable/Support/Failure.h"

#include <optional>
#include <span>
#include <string>

namespace gensyn::ptx::tool {

/// The help text of `run`.
extern const char *const runHelp;

/// Prints "gensyn-ptx: error: MESSAGE" and returns `code`.
ExitCode complain(const std::string &message, ExitCode code);

/// Prints a line on stdout, as printable text whatever names it quotes.
void printLine(const std::string &line);

/// Reads a whole file. Returns nothing, after an error message, if it cannot be
/// read.
std::optional<std::string> readFile(const char *path);

/// Runs `gensyn-ptx run ARGUMENTS...` and returns the exit code.
ExitCode runKernel(std::span<char *const> arguments);

} // namespace gensyn::ptx::tool

#endif // GENSYN_TOOLS_GENSYN_PTX_RUN_H
