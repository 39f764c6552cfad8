// Three ranks that are threads.
#ifndef GENSYN_TEST_UNIT_RUNTIME_TRAINING_FORRANKS_H
#define GENSYN_TEST_UNIT_RUNTIME_TRAINING_FORRANKS_H

#include "gensyn/Communication/Communicator.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace gensyn::test {

inline constexpr int kRanks = 3;
inline const std::vector<std::string> kNoErrors(kRanks);

/// Returns the error of each rank.
inline std::vector<std::string>
forRanks(const std::function<void(communication::Communicator &, size_t rank)>
             &body) {
  auto ranks = communication::makeThreadRanks(kRanks);
  std::vector<std::string> errors(kRanks);
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < kRanks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        body(*ranks[rank], rank);
        ranks[rank]->finish();
      } catch (const Failure &failure) {
        errors[rank] = failure.what();
      }
      ranks[rank].reset();
    });
  for (std::thread &thread : threads)
    thread.join();
  return errors;
}

} // namespace gensyn::test

#endif
