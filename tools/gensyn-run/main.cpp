// gensyn-run: info, infer, grad, train, eval, compile, compare, export.

#include "Commands.h"
#include "Terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <new>
#include <stdexcept>

using namespace gensyn::run;
using gensyn::runtime::ExitCode;
using gensyn::runtime::Failure;

static ExitCode dispatch(const Options &options) {
  switch (options.command) {
  case Command::None:
    return ExitCode::Ok;
  case Command::Info:
    return runInfo(options);
  case Command::Infer:
  case Command::Grad:
    return runOnce(options);
  case Command::Train:
    return runTrain(options);
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
  }
  return ExitCode::Bug;
}

/// Runs and turns every failure into a line.
static ExitCode run(int argc, char **argv) {
  try {
    return dispatch(parseOptions(argc, argv));
  } catch (const Failure &failure) {
    printError(failure);
    return failure.code;
  } catch (const std::bad_alloc &) {
    printError(Failure(ExitCode::OutOfResources, "out of memory"));
    return ExitCode::OutOfResources;
  } catch (const std::length_error &) {
    printError(Failure(ExitCode::OutOfResources,
                       "a tensor is larger than memory can be"));
    return ExitCode::OutOfResources;
  } catch (const std::filesystem::filesystem_error &error) {
    printError(Failure(ExitCode::InputOutput,
                       error.path1().string() + ": " + error.code().message()));
    return ExitCode::InputOutput;
  } catch (const std::exception &error) {
    printError(Failure(ExitCode::Bug, error.what(),
                       "this is a bug in gensyn-run; please report it"));
    return ExitCode::Bug;
  }
}

/// A file that is opened while one of the first three descriptors is closed
/// would take its place, and what is printed would end up in the file.
static void reserveDescriptors() {
  for (int opened = 0; opened >= 0 && opened <= 2;)
    if ((opened = ::open("/dev/null", O_RDWR)) > 2)
      ::close(opened);
}

int main(int argc, char **argv) {
  reserveDescriptors();
  return static_cast<int>(run(argc, argv));
}
