// gensyn-run: info, infer, grad, train, launch, eval, compile, compare, export,
// bench, report, map, simulate, machine.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "Ranks.h"

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/InputFiles.h"

#include <fcntl.h>
#include <unistd.h>

using namespace gensyn::run;
using gensyn::ExitCode;
using gensyn::Failure;
namespace fs = std::filesystem;

const char *const gensyn::terminal::kToolName = "gensyn-run";

static ExitCode dispatch(const Options &options) {
  if (options.command != Command::None && options.command != Command::Train)
    requireOneRank(options.words.at(1));
  switch (options.command) {
  case Command::None:
    return ExitCode::Ok;
  case Command::Info:
    return runInfo(options);
  case Command::Infer:
  case Command::Grad:
    return runInfer(options);
  case Command::Train: {
    const ExitCode code = runAsRank(
        options.rankTimeout, [&](gensyn::communication::Communicator *ranks) {
          return runTrain(options, ranks);
        });
    noteExitCode(options.folder, code);
    return code;
  }
  case Command::Launch:
    return runLaunch(options);
  case Command::Eval:
    return runEval(options);
  case Command::Generate:
    return runGenerate(options);
  case Command::Compile:
    return runCompile(options);
  case Command::Compare:
    return runCompare(options);
  case Command::Export:
    return runExport(options);
  case Command::Bench:
    return runBench(options);
  case Command::Report:
    return runReport(options);
  case Command::Map:
    return runMap(options);
  case Command::Simulate:
    return runSimulate(options);
  case Command::Machine:
    return runMachine(options);
  }
  return ExitCode::Bug;
}

/// A package is untrusted input: contents that no program of ours can have show
/// that it was altered.
static ExitCode dispatchAny(const Options &options) {
  auto blame = [&](const char *what) {
    std::error_code ignored;
    if (options.model.empty() || !fs::is_regular_file(options.model, ignored) ||
        !gensyn::isPackage(options.model))
      return;
    gensyn::failBadInput(options.model.string() +
                             ": the program is malformed: " + what,
                         "compile the model again");
  };
  try {
    return dispatch(options);
  } catch (const Failure &failure) {
    // A driver may fail by itself, whatever the program.
    if (failure.code == ExitCode::Bug && options.backend != "cuda")
      blame(failure.what());
    throw;
  } catch (const std::bad_alloc &) {
    throw;
  } catch (const std::length_error &) {
    throw;
  } catch (const fs::filesystem_error &) {
    throw;
  } catch (const std::exception &error) {
    blame(error.what());
    throw;
  }
}

/// Runs the command and turns every failure into a line.
static ExitCode run(int argc, char **argv) {
  try {
    return dispatchAny(parseOptions(argc, argv));
  } catch (...) {
    return failAsRank(currentFailure());
  }
}

/// A file that is opened while one of the first three descriptors is closed
/// would take its number, and output would go into the file.
static void reserveDescriptors() {
  for (int opened = 0; opened >= 0 && opened <= 2;)
    if ((opened = ::open("/dev/null", O_RDWR)) > 2)
      ::close(opened);
}

int main(int argc, char **argv) {
  reserveDescriptors();
  gensyn::InputGuard guard;
  return static_cast<int>(run(argc, argv));
}
