// gensyn-exhaustive: a function on all 2^32 inputs against the oracle, some
// minutes on one core.
//
//   gensyn-exhaustive [--threads N] [--stride N] [--hard BITS] function...
//
// --stride N takes every N-th block of 4096 inputs. --hard prints the inputs
// whose results lie within 2^-BITS of a rounding boundary, for HardInputs.h.
// Exit status 1 if any result is wrong or the oracle cannot decide.

#include "Oracle.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace gensyn;

namespace {
struct Options {
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  uint64_t stride = 1;
  int hard = 0;
  std::vector<Function> functions;
};

struct Tally {
  std::mutex lock;
  uint64_t inputs = 0, wrong = 0, undecided = 0, byQuad = 0;
  std::vector<uint32_t> hard;
};

constexpr uint64_t kBlock = 4096;

void work(Function function, const Options &options,
          std::atomic<uint64_t> &next, Tally &tally) {
  float x[kBlock], y[kBlock];
  for (;;) {
    const uint64_t first =
        next.fetch_add(1, std::memory_order_relaxed) * options.stride * kBlock;
    if (first >= uint64_t{1} << 32)
      return;
    for (uint64_t i = 0; i < kBlock; ++i)
      x[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i));
    evaluate(function, x, y, kBlock);
    uint64_t wrong = 0, undecided = 0, byQuad = 0;
    for (uint64_t i = 0; i < kBlock; ++i) {
      const oracle::Answer want = oracle::answer(function, x[i]);
      const auto got = std::bit_cast<uint32_t>(y[i]);
      byQuad += want.closeness != 0;
      undecided += want.undecided;
      if (got != want.bits && ++wrong <= 4)
        std::printf("  x=%08x got %08x want %08x\n",
                    std::bit_cast<uint32_t>(x[i]), got, want.bits);
      if (options.hard && want.closeness >= options.hard) {
        std::lock_guard<std::mutex> guard(tally.lock);
        tally.hard.push_back(std::bit_cast<uint32_t>(x[i]));
      }
    }
    std::lock_guard<std::mutex> guard(tally.lock);
    tally.inputs += kBlock;
    tally.wrong += wrong;
    tally.undecided += undecided;
    tally.byQuad += byQuad;
  }
}

bool check(Function function, const Options &options) {
  Tally tally;
  std::atomic<uint64_t> next{0};
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> pool;
  for (int t = 0; t < options.threads; ++t)
    pool.emplace_back([&] { work(function, options, next, tally); });
  for (std::thread &thread : pool)
    thread.join();
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  std::printf("%s: %" PRIu64 " inputs, %" PRIu64 " wrong, %" PRIu64
              " undecided, %" PRIu64 " by 113 bits, %.0f s\n",
              std::string(name(function)).c_str(), tally.inputs, tally.wrong,
              tally.undecided, tally.byQuad, seconds.count());
  std::sort(tally.hard.begin(), tally.hard.end());
  for (size_t i = 0; i < tally.hard.size(); ++i)
    std::printf("0x%08X,%s", tally.hard[i],
                i % 6 == 5 || i + 1 == tally.hard.size() ? "\n" : " ");
  std::fflush(stdout);
  return tally.wrong + tally.undecided == 0;
}
} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const bool hasValue = i + 1 < argc;
    if (hasValue && !std::strcmp(argv[i], "--threads"))
      options.threads = std::max(1, std::atoi(argv[++i]));
    else if (hasValue && !std::strcmp(argv[i], "--stride"))
      options.stride = std::max(1ull, std::strtoull(argv[++i], nullptr, 10));
    else if (hasValue && !std::strcmp(argv[i], "--hard"))
      options.hard = std::atoi(argv[++i]);
    else if (auto function = functionFromName(argv[i]))
      options.functions.push_back(*function);
    else {
      std::fprintf(stderr, "gensyn-exhaustive: error: '%s' is no function\n",
                   argv[i]);
      return 2;
    }
  }
  if (options.functions.empty()) {
    std::fprintf(stderr, "usage: gensyn-exhaustive [--threads N] [--stride N] "
                         "[--hard BITS] function...\n");
    return 2;
  }
  bool right = true;
  for (Function function : options.functions)
    right &= check(function, options);
  return right ? 0 : 1;
}
