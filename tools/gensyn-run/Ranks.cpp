// See Ranks.h.

#include "Ranks.h"

#include "../Terminal/Terminal.h"
#include "gensyn/Executable/Support/Files.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace gensyn::run {

using namespace terminal;

using communication::Communicator;
using communication::PeerFailure;

/// Prints a failure of this rank unless a lower one failed too, which is often
/// the same failure, and prints it.
static ExitCode endWith(Communicator &ranks, const Failure &failure) {
  ranks.reportFailure(failure);
  const auto isLowest = [&] {
    const std::optional<PeerFailure> first = ranks.failure();
    return !first || first->lost || first->rank >= ranks.rank();
  };
  // Others may be as far in half a second. They wait for this rank meanwhile.
  for (int i = 0; i < 50 && ranks.rank() > 0 && isLowest(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (isLowest())
    printError(Failure(failure.code,
                       ranks.describe(ranks.rank()) + ": " + failure.what(),
                       failure.note));
  return isLowest() ? failure.code : ranks.failure()->code;
}

/// The machine whose rank was lost or had no resources.
static std::string hostOfFailure;

/// MPI begins once a process.
static bool hasBegun = false;

static std::unique_ptr<Communicator> connect(double rankTimeout) {
  hasBegun = true;
  return communication::connect(
      {rankTimeout, executableOfProcess(),
       [](const PeerFailure &failure) { printError(failure); }});
}

// A failure of another rank is printed there, or, if it was lost, by the one
// that found it.
ExitCode runAsRank(double rankTimeout,
                   const std::function<ExitCode(Communicator *)> &command) {
  std::unique_ptr<Communicator> ranks;
  try {
    ranks = connect(rankTimeout);
  } catch (const PeerFailure &failure) {
    return failure.code;
  }
  if (!ranks)
    return command(nullptr);
  try {
    const ExitCode code = command(ranks.get());
    ranks->finish();
    return code;
  } catch (const PeerFailure &failure) {
    if (failure.code == ExitCode::OutOfResources)
      hostOfFailure = ranks->host(failure.rank);
    return failure.code;
  } catch (...) {
    const Failure failure = currentFailure();
    if (failure.code == ExitCode::OutOfResources)
      hostOfFailure = ranks->host(ranks->rank());
    return endWith(*ranks, failure);
  }
}

/// Returns false if another rank that the launcher started on this machine has
/// said the same and still exists. The socket has an address that is taken
/// until this process ends, so it stays open.
static bool isFirstToSay(const std::string &text) {
  struct sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
                "gensyn-run.%d.%zx", static_cast<int>(::getppid()),
                std::hash<std::string>{}(text));
  const int speaker = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return speaker < 0 ||
         ::bind(speaker, reinterpret_cast<const sockaddr *>(&address),
                sizeof(address)) == 0 ||
         errno != EADDRINUSE;
}

ExitCode failAsRank(const Failure &failure) {
  const auto launched = communication::findLauncher();
  const bool isAlone = !launched || launched->size == 1;
  std::unique_ptr<Communicator> ranks;
  try {
    if (!isAlone && !hasBegun)
      ranks = connect(/*rankTimeout=*/20);
  } catch (const PeerFailure &other) {
    return other.code;
  } catch (const Failure &) {
    // Says it without knowing if others say the same.
  }
  if (ranks && ranks->size() > 1)
    return endWith(*ranks, failure);
  if (isAlone) {
    printError(failure);
    return failure.code;
  }
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  const Failure told(failure.code,
                     "rank " + std::to_string(launched->rank) + " (" + host +
                         "): " + failure.what(),
                     failure.note);
  if (isFirstToSay(failure.what())) {
    printError(launched->rank < 0 ? failure : told);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  return failure.code;
}

void requireOneRank(const std::string &command) {
  const auto launched = communication::findLauncher();
  if (launched && (launched->size > 1 || launched->rank > 0))
    throw Failure(
        ExitCode::Usage,
        "gensyn-run " + command + " runs as one process, and " +
            launched->launcher + " started " +
            (launched->size ? std::to_string(launched->size) : "several"),
        "only train is divided over ranks");
}

std::filesystem::path noteOfExit(const std::filesystem::path &folder) {
  return folder / ".exit-code";
}

void noteExitCode(const std::filesystem::path &folder, ExitCode code) noexcept {
  const char *launch = std::getenv(launchVariable);
  const auto launched = communication::findLauncher();
  if (launch && launched && launched->rank == 0 && code != ExitCode::Ok)
    std::ofstream(noteOfExit(folder))
        << static_cast<int>(code) << ' ' << launch << ' ' << hostOfFailure;
}

} // namespace gensyn::run
