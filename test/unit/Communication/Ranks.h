// Runs a function on ranks that are threads.
#ifndef GENSYN_TEST_COMMUNICATION_RANKS_H
#define GENSYN_TEST_COMMUNICATION_RANKS_H

#include "Engine.h"
#include "gensyn/Communication/Communicator.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace gensyn::communication {

/// How a rank ended.
struct Ending {
  /// Empty if it ended orderly.
  std::string message;
  int code = 0;
  bool ofPeer = false;
};

/// Runs `work` on every rank, then finishes. What a rank throws is reported to
/// the others and returned.
inline std::vector<Ending>
runRanks(int count, const ThreadRankOptions &options,
         const std::function<void(Communicator &)> &work) {
  std::vector<std::unique_ptr<Communicator>> ranks =
      makeThreadRanks(count, options);
  std::vector<Ending> endings(count);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      try {
        work(*ranks[rank]);
        ranks[rank]->finish();
      } catch (const Failure &failure) {
        ranks[rank]->reportFailure(failure);
        endings[rank] = {failure.what(), static_cast<int>(failure.code),
                         dynamic_cast<const PeerFailure *>(&failure) !=
                             nullptr};
      }
      ranks[rank].reset();
    });
  for (std::thread &thread : threads)
    thread.join();
  return endings;
}

/// The same for work that must not fail.
inline void forRanks(int count,
                     const std::function<void(Communicator &)> &work) {
  for (const Ending &ending : runRanks(count, {}, work))
    EXPECT_EQ(ending.message, "");
}

} // namespace gensyn::communication

#endif
