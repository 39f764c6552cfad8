// Ranks that are threads.
#ifndef GENSYN_TEST_UNIT_RUNTIME_FORRANKS_H
#define GENSYN_TEST_UNIT_RUNTIME_FORRANKS_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Failure.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace gensyn::test {

/// Returns the error of each rank. All are on one machine, or so many on each.
inline std::vector<std::string> forRanks(
    int count,
    const std::function<void(communication::Communicator &, size_t rank)> &body,
    int ranksPerHost = 0) {
  auto ranks = communication::makeThreadRanks(count, ranksPerHost);
  std::vector<std::string> errors(ranks.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < ranks.size(); ++rank)
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
