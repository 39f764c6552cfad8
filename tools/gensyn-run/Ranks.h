// A command that several processes run together.
#ifndef GENSYN_TOOLS_GENSYN_RUN_RANKS_H
#define GENSYN_TOOLS_GENSYN_RUN_RANKS_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Failure.h"

#include <filesystem>
#include <functional>
#include <string>

namespace gensyn::run {

/// Runs a command as the rank as which this process was started (mpirun, srun),
/// with null if it is alone. A failure of a rank ends all of them; it is
/// printed once, with the rank, and all return its exit code. A rank that does
/// not answer for `rankTimeout` seconds is lost.
ExitCode runAsRank(
    double rankTimeout,
    const std::function<ExitCode(communication::Communicator *)> &command);

/// Prints an error that was found before ranks connected, such as one of the
/// command line: once where several processes were started. Returns its code.
ExitCode failAsRank(const Failure &failure);

/// Throws a Failure (usage) if this process is one of several ranks, since they
/// would all write the same files.
void requireOneRank(const std::string &command);

/// By this variable the ranks of a launch are recognized.
inline constexpr const char *launchVariable = "GENSYN_LAUNCH";

/// Where the first rank of a launch leaves its exit code, if that is not 0: the
/// code, the launch's variable, and the machine of the rank that was lost or
/// had no resources, if it is known. MPICH's mpirun loses some codes of ranks
/// on several machines, and then ends with 0.
std::filesystem::path noteOfExit(const std::filesystem::path &folder);
/// Leaves it, in a launch.
void noteExitCode(const std::filesystem::path &folder, ExitCode code) noexcept;

} // namespace gensyn::run

#endif
