// A fuzzer without instrumentation: numbered mutants, many in one process, each
// of which may crash it.

#ifndef GENSYN_TEST_FUZZ_DRIVER_H
#define GENSYN_TEST_FUZZ_DRIVER_H

#include "gensyn/Numerics/SplitMix64.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : random(seed) {}
  uint64_t next() { return random(); }
  /// 0 to count - 1; 0 where count is 0.
  uint64_t below(uint64_t count) { return count ? next() % count : 0; }
  /// True once in `count` times.
  bool once(uint64_t count) { return below(count) == 0; }
  /// An edge-case number: 0, powers of two and their neighbours, small ones.
  uint64_t edge() {
    switch (below(4)) {
    case 0:
      return below(64);
    case 1:
      return (uint64_t(1) << below(64)) - below(3) + 1;
    case 2:
      return uint64_t(0) - below(64);
    default:
      return next() >> below(64);
    }
  }

private:
  SplitMix64 random;
};

/// The target of a fuzzer.
class Target {
public:
  virtual ~Target() = default;
  /// "ptx"; part of the names of crash files.
  virtual std::string name() const = 0;
  /// The mutant, a function of the random numbers and the corpus.
  virtual std::string mutate(Random &random) = 0;
  /// Runs it. Returns the error, or an empty string if it was refused or
  /// behaved as specified. A signal, ten seconds of processor time, 2 GiB of
  /// memory and an exception are errors without a report.
  virtual std::string run(const std::string &input) = 0;
};

using MakeTarget =
    std::function<std::unique_ptr<Target>(std::vector<std::string> corpus)>;

/// The main function of a fuzzer: options, workers, findings. `usage` describes
/// the corpus; it is empty for a target without one.
int runFuzzer(int count, char **arguments, const MakeTarget &make,
              const std::string &usage);

/// The same for a class constructed from a corpus.
template <class Mutated>
int runFuzzer(int count, char **arguments, const std::string &usage) {
  return runFuzzer(
      count, arguments,
      [](const std::vector<std::string> &corpus) {
        return std::make_unique<Mutated>(corpus);
      },
      usage);
}

} // namespace gensyn::fuzz

#endif // GENSYN_TEST_FUZZ_DRIVER_H
