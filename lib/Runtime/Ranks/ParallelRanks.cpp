// See ParallelRanks.h.

#include "gensyn/Runtime/Ranks/ParallelRanks.h"

#include "gensyn/Executable/Support/Failure.h"

#include <string>

namespace gensyn::runtime {

void requirePipeline(const ParallelRanks &parallel) {
  if (parallel.interleave > 1 && parallel.stages == 1)
    throw Failure(
        ExitCode::Usage,
        "--parallel: interleave=" + std::to_string(parallel.interleave) +
            " needs pipeline=S, for an S of at least 2");
}

void requireGroups(const ParallelRanks &parallel, int64_t groups, int ranks) {
  requirePipeline(parallel);
  const int64_t size = parallel.count();
  if (groups ? groups * size == ranks : ranks % size == 0)
    return;
  throw Failure(ExitCode::Usage,
                "--parallel: " +
                    (groups ? std::to_string(groups) + " groups" : "groups") +
                    " of " + std::to_string(size) + " need " +
                    (groups ? std::to_string(groups * size)
                            : "a multiple of " + std::to_string(size)) +
                    " ranks, and there " +
                    (ranks == 1 ? "is 1" : "are " + std::to_string(ranks)),
                "start as many with mpirun or gensyn-run launch");
}

} // namespace gensyn::runtime
