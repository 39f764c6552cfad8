// The processes of a launch on this machine.
#ifndef GENSYN_TOOLS_GENSYN_RUN_LAUNCHPROCESSES_H
#define GENSYN_TOOLS_GENSYN_RUN_LAUNCHPROCESSES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace gensyn::run {

/// The ranks of a launch that run here: processes of this program whose
/// environment has the launch's variable. A launcher does not tell them to its
/// parent.
class LocalRanks {
public:
  /// `variable` is NAME=VALUE.
  explicit LocalRanks(std::string variable);

  struct State {
    std::vector<pid_t> processes;
    /// True if all of them are stopped, as by SIGSTOP.
    bool allStopped = true;
    /// The processor time that they have used.
    uint64_t ticks = 0;
  };
  /// Processes that have ended, but that their parent has not waited for, do
  /// not count.
  State look();

private:
  struct Known {
    uint64_t startTime;
    bool isRank;
  };
  const std::string variable, program;
  /// So that each environment is read once.
  std::map<pid_t, Known> known;
};

/// Starts a program in a process group of its own, so that the terminal's
/// signals reach only this process; it gets SIGTERM when this process ends. It
/// reads nothing, and blocks no signal. Throws a Failure.
pid_t startProcess(const std::vector<std::string> &words);

} // namespace gensyn::run

#endif
