// The subcommands; each returns the process's exit code: 0 if what it checks is
// upheld, 1 if it is refuted.
#ifndef GENSYN_TOOLS_GENSYN_VERIFY_COMMANDS_H
#define GENSYN_TOOLS_GENSYN_VERIFY_COMMANDS_H

#include "../Terminal/Terminal.h"
#include "Options.h"

#include "gensyn/Executable/Support/Failure.h"

namespace gensyn::verify {

using namespace terminal;

ExitCode runShow(const Options &options);
ExitCode runCheck(const Options &options);
ExitCode runDispute(const Options &options);
ExitCode runReferee(const Options &options);
ExitCode runReport(const Options &options);
ExitCode runServe(const Options &options);
ExitCode runKeygen(const Options &options);
ExitCode runSign(const Options &options);

} // namespace gensyn::verify

#endif
