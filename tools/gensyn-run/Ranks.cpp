// See Ranks.h.

#include "Ranks.h"

#include "Terminal.h"
#include "gensyn/Executable/Support/Files.h"

#include <algorithm>
#include <thread>

#include <sched.h>

namespace gensyn::run {

using communication::Communicator;
using communication::PeerFailure;

/// Says which rank failed where, once for all ranks: each learns of the lowest
/// one.
static ExitCode endWith(Communicator &ranks, const Failure &failure) {
  ranks.reportFailure(failure);
  const std::optional<PeerFailure> first = ranks.failure();
  if (first && first->rank != ranks.rank() && !first->lost)
    return first->code; // it prints
  printError(first && first->lost
                 ? static_cast<const Failure &>(*first)
                 : Failure(failure.code,
                           ranks.describe(ranks.rank()) + ": " + failure.what(),
                           failure.note));
  return failure.code;
}

ExitCode runAsRank(double rankTimeout,
                   const std::function<ExitCode(Communicator *)> &command) {
  const auto ranks =
      communication::connect({rankTimeout, executableOfProcess()});
  if (!ranks)
    return command(nullptr);
  try {
    const ExitCode code = command(ranks.get());
    ranks->finish();
    return code;
  } catch (...) {
    return endWith(*ranks, currentFailure());
  }
}

unsigned chooseThreads(unsigned given, const Communicator *ranks) {
  if (given || !ranks)
    return given;
  cpu_set_t set;
  const unsigned all = std::max(1u, std::thread::hardware_concurrency());
  const unsigned own = ::sched_getaffinity(0, sizeof(set), &set) == 0
                           ? unsigned(CPU_COUNT(&set))
                           : all;
  unsigned neighbours = 0;
  for (int rank = 0; rank < ranks->size(); ++rank)
    neighbours += ranks->host(rank) == ranks->host(ranks->rank());
  return std::max(1u, std::min(own, all / neighbours));
}

} // namespace gensyn::run
