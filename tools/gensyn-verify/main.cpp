// gensyn-verify: show, check, dispute, referee, report, serve, keygen,
// sign.

#include "Commands.h"

#include "gensyn/Executable/Support/InputFiles.h"

using namespace gensyn;
using namespace gensyn::verify;

const char *const gensyn::terminal::kToolName = "gensyn-verify";

static ExitCode dispatch(const Options &options) {
  switch (options.command) {
  case Command::None:
    return ExitCode::Ok;
  case Command::Show:
    return runShow(options);
  case Command::Check:
    return runCheck(options);
  case Command::Dispute:
    return runDispute(options);
  case Command::Referee:
    return runReferee(options);
  case Command::Report:
    return runReport(options);
  case Command::Serve:
    return runServe(options);
  case Command::Keygen:
    return runKeygen(options);
  case Command::Sign:
    return runSign(options);
  }
  return ExitCode::Bug;
}

int main(int argc, char **argv) {
  InputGuard guard;
  try {
    return static_cast<int>(dispatch(parseOptions(argc, argv)));
  } catch (...) {
    const Failure failure = currentFailure();
    printError(failure);
    return static_cast<int>(failure.code);
  }
}
