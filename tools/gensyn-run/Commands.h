// The subcommands; each returns what the process exits with.
#ifndef GENSYN_TOOLS_GENSYN_RUN_COMMANDS_H
#define GENSYN_TOOLS_GENSYN_RUN_COMMANDS_H

#include "Options.h"

#include "gensyn/Runtime/Error.h"

namespace gensyn::run {

runtime::ExitCode runInfo(const Options &options);
/// infer and grad.
runtime::ExitCode runOnce(const Options &options);
runtime::ExitCode runTrain(const Options &options);
runtime::ExitCode runCompile(const Options &options);
runtime::ExitCode runCompare(const Options &options);

} // namespace gensyn::run

#endif
