// gensyn-test-ranks SCENARIO [ARGUMENT...]: what tests do with ranks of a
// launcher. Every rank prints its end as a line `rank R: ...` to standard
// error; rank 0 prints results.

#include "gensyn/Communication/Communicator.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <thread>

using namespace gensyn;
using namespace gensyn::communication;

namespace {
using Arguments = std::vector<std::string>;
using Bytes = std::vector<std::byte>;

Bytes pattern(uint64_t seed, size_t size) {
  Bytes bytes(size);
  for (std::byte &byte : bytes) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    byte = std::byte(seed >> 56);
  }
  return bytes;
}

[[noreturn]] void wrong(const std::string &what) {
  throw Failure(ExitCode::Mismatch, what);
}

/// Every function, with texts and messages of many lengths.
void exchange(Communicator &ranks, const Arguments &) {
  const int rank = ranks.rank(), size = ranks.size();
  const auto textOf = [](int rank) {
    return std::string(rank == 1 ? 2000000 : rank * 9, char('a' + rank));
  };
  const std::vector<std::string> texts = ranks.gather(textOf(rank));
  for (int other = 0; other < size; ++other)
    if (texts[other] != textOf(other))
      wrong("another text of " + ranks.describe(other));
  for (int root = 0; root < size; ++root)
    if (ranks.broadcast(std::to_string(rank), root) != std::to_string(root))
      wrong("another broadcast of " + ranks.describe(root));
  const std::vector<size_t> sizes = {0,     1,       5000,         16384,
                                     16385, 1 << 20, (5 << 20) + 1};
  std::vector<Bytes> sent, arrived(size * sizes.size());
  std::vector<Transfer> transfers;
  const auto seed = [](int from, int to, size_t index) {
    return uint64_t(from * 100 + to) * 100 + index;
  };
  for (int other = 0; other < size; ++other)
    for (size_t index = 0; index < sizes.size(); ++index) {
      sent.push_back(pattern(seed(rank, other, index), sizes[index]));
      transfers.push_back(ranks.send(other, uint32_t(index), sent.back()));
    }
  ranks.barrier();
  // Received in another order than sent.
  for (int other = size - 1; other >= 0; --other)
    for (size_t index = 0; index < sizes.size(); ++index) {
      Bytes &bytes = arrived[other * sizes.size() + index];
      bytes.resize(sizes[index]);
      transfers.push_back(ranks.receive(other, uint32_t(index), bytes));
    }
  for (const Transfer &transfer : transfers)
    ranks.wait(transfer);
  for (int other = 0; other < size; ++other)
    for (size_t index = 0; index < sizes.size(); ++index)
      if (arrived[other * sizes.size() + index] !=
          pattern(seed(other, rank, index), sizes[index]))
        wrong("another message of " + ranks.describe(other));
  if (rank == 0)
    std::printf("%d ranks exchanged %zu messages\n", size,
                size_t(size) * size * sizes.size());
}

/// RANK CODE: a rank fails while the others wait for it, with messages in
/// flight.
void fail(Communicator &ranks, const Arguments &arguments) {
  const int failing = std::stoi(arguments.at(0));
  Bytes bytes(3 << 20), arrived(3 << 20);
  const int next = (ranks.rank() + 1) % ranks.size();
  const Transfer sent = ranks.send(next, 0, bytes);
  const Transfer receiving = ranks.receive(failing, 1, arrived);
  if (ranks.rank() == failing) {
    const Failure failure(ExitCode(std::stoi(arguments.at(1))), "a problem");
    ranks.reportFailure(failure);
    throw failure;
  }
  ranks.wait(sent);
  ranks.wait(receiving);
}

/// RANK SIGNAL: a rank gets a signal while the others wait for it.
void signal(Communicator &ranks, const Arguments &arguments) {
  ranks.barrier();
  if (ranks.rank() == std::stoi(arguments.at(0)))
    ::raise(std::stoi(arguments.at(1)));
  ranks.barrier();
}

/// MILLISECONDS: rank 1 computes for a while.
void compute(Communicator &ranks, const Arguments &arguments) {
  if (ranks.rank() == 1)
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::stoi(arguments.at(0))));
  ranks.barrier();
}

/// Figures of a ring: the latency of 8 bytes and the bandwidth of 64 MiB, and
/// what a rank costs that waits for a second.
void measure(Communicator &ranks, const Arguments &) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const int size = ranks.size(), rank = ranks.rank();
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const auto pass = [&](Bytes &from, Bytes &to) {
    const Transfer receiving = ranks.receive(previous, 0, to);
    const Transfer sending = ranks.send(next, 0, from);
    ranks.wait(receiving);
    ranks.wait(sending);
  };
  // To the next rank and back.
  Bytes small(8), other(8);
  const int rounds = 500;
  ranks.barrier();
  auto start = Clock::now();
  for (int round = 0; round < rounds; ++round) {
    pass(small, other);
    pass(other, small);
  }
  if (rank == 0)
    std::printf("round trip of 8 bytes: %.1f us\n",
                1e6 * seconds(start) / rounds);
  Bytes large = pattern(rank, 64 << 20), target(64 << 20);
  pass(large, target);
  ranks.barrier();
  start = Clock::now();
  for (int round = 0; round < 5; ++round)
    pass(large, target);
  if (rank == 0)
    std::printf("all ranks pass on 64 MiB: %.2f GB/s per rank\n",
                5 * large.size() / seconds(start) / 1e9);
  ranks.barrier();
  timespec before, after;
  for (const bool waiting : {false, true}) {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    if (!waiting || rank == 0)
      std::this_thread::sleep_for(std::chrono::seconds(2));
    ranks.barrier();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    const std::vector<std::string> used =
        ranks.gather(std::to_string((after.tv_sec - before.tv_sec +
                                     1e-9 * (after.tv_nsec - before.tv_nsec)) /
                                    2));
    if (rank == 0)
      std::printf("%s: %s of a processor\n",
                  waiting ? "rank 1 in a barrier" : "rank 1 asleep",
                  used[1 % size].c_str());
  }
}

const std::map<std::string, void (*)(Communicator &, const Arguments &)>
    scenarios = {{"exchange", exchange},
                 {"fail", fail},
                 {"signal", signal},
                 {"compute", compute},
                 {"measure", measure}};

int run(const std::string &scenario, const Arguments &arguments) {
  ConnectOptions options;
  options.executable = std::filesystem::read_symlink("/proc/self/exe");
  if (const char *timeout = std::getenv("GENSYN_TEST_RANK_TIMEOUT"))
    options.rankTimeout = std::atof(timeout);
  std::unique_ptr<Communicator> ranks;
  try {
    ranks = connect(options);
    if (!ranks) {
      std::printf("alone\n");
      return 0;
    }
    scenarios.at(scenario)(*ranks, arguments);
    ranks->finish();
    return 0;
  } catch (const Failure &failure) {
    if (ranks)
      ranks->reportFailure(failure);
    std::fprintf(stderr, "rank %d: %s\n", ranks ? ranks->rank() : -1,
                 failure.what());
    if (!failure.note.empty())
      std::fprintf(stderr, "note: %s\n", failure.note.c_str());
    return static_cast<int>(failure.code);
  }
}
} // namespace

int main(int count, char **words) {
  if (count < 2 || !scenarios.count(words[1])) {
    std::fprintf(stderr, "usage: gensyn-test-ranks SCENARIO [ARGUMENT...]\n");
    return 2;
  }
  return run(words[1], Arguments(words + 2, words + count));
}
