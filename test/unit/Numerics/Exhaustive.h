// Declarations shared by the parts of gensyn-exhaustive.

#ifndef GENSYN_TEST_UNIT_NUMERICS_EXHAUSTIVE_H
#define GENSYN_TEST_UNIT_NUMERICS_EXHAUSTIVE_H

#include "gensyn/Numerics/Evaluate.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gensyn::exhaustive {

/// The number of inputs that a thread processes at a time.
constexpr uint64_t kBlock = 4096;

struct Settings {
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  uint64_t stride = 1;
  uint64_t samples = 1'000'000;
  uint64_t powPairs = 1'000'000'000;
  uint64_t f64Inputs = 100'000'000;
};

/// Counts of one function, written by all threads.
struct Tally {
  std::mutex lock;
  std::atomic<uint64_t> inputs{0}, toMpfr{0};
  uint64_t wrong = 0, libraryWrong = 0; // by `lock`

  /// Counts it, and prints the first ones.
  void wrongResult(const std::string &what);
};

/// Runs body(block) for each block on the threads; returns the seconds it took.
template <class Body>
double inParallel(int threads, uint64_t blocks, Body &&body) {
  const auto start = std::chrono::steady_clock::now();
  std::atomic<uint64_t> next{0};
  std::vector<std::thread> pool;
  for (int t = 0; t < threads; ++t)
    pool.emplace_back([&] {
      for (uint64_t block; (block = next.fetch_add(1)) < blocks;)
        body(block);
    });
  for (std::thread &thread : pool)
    thread.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

void printHeader();
/// Prints a row of the table; returns true if no result of ours was wrong.
bool printRow(std::string_view name, const Tally &tally, bool byLlvm,
              double seconds);

/// pow on pairs: a third random, a third with results near 1 or in range, a
/// third exact powers, ties, their neighbours and special values; and every x
/// to a few exponents.
bool checkPow(const Settings &settings);

/// The greatest error of exp and log in f64, which are not correctly rounded;
/// true if it is within the bound of docs/Numerics.md.
bool checkF64(const Settings &settings);

/// The functions in double-float arithmetic, where they are sure.
bool checkTwoFloat(const std::vector<Function> &functions,
                   const Settings &settings);

/// Every f32 to every narrow float.
bool checkConversions(const Settings &settings);

} // namespace gensyn::exhaustive

#endif // GENSYN_TEST_UNIT_NUMERICS_EXHAUSTIVE_H
