// The measurements of bench: figures, and the comparison with former
// ones.
#ifndef GENSYN_TOOLS_GENSYN_RUN_BENCH_H
#define GENSYN_TOOLS_GENSYN_RUN_BENCH_H

#include "gensyn/Executable/Support/Json.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gensyn::run {

/// Facts about what is measured. Two measurements are comparable if these are
/// equal but for the digest.
struct BenchSubject {
  std::string model;
  std::string kind;
  int64_t batchSize = 0;
  unsigned threads = 1;
  std::string target;
  std::string programDigest;

  /// "mlp.onnx, train, batch 20, 2 threads of cpu:x86-64-v4"
  std::string describe() const;
  OrderedJson toJson() const;
};

/// Figures of a number of runs, in seconds.
struct BenchTimes {
  double minimum = 0;
  double median = 0;
  /// By nearest rank: of fewer than 100 runs the slowest.
  double p99 = 0;

  OrderedJson toJson() const;
};

/// Returns the figures of at least one time.
BenchTimes summarize(std::vector<double> seconds);

/// The times of a former measurement.
class BenchBaseline {
public:
  /// Reads a file with the output of `bench --json` and takes its last
  /// measurement of the subject. Throws a Failure (bad input) if there is none.
  BenchBaseline(const std::filesystem::path &file, const BenchSubject &subject);

  /// Returns the factor by which the new minimum is larger than the old one.
  double slowdown(const BenchTimes &now) const { return now.minimum / minimum; }
  /// "base.json: minimum 1.23 ms, now 12.0 % slower; median 1.5 ms, now 3.0 %
  /// faster"
  std::string describe(const BenchTimes &now) const;
  OrderedJson toJson(const BenchTimes &now, double tolerance) const;
  bool isOfOtherProgram() const { return otherProgram; }

private:
  std::string name;
  double minimum = 0;
  double median = 0;
  bool otherProgram = false;
};

/// "12.3 us", "4.56 ms", "1.234 s": a duration with four significant digits.
std::string describeTime(double seconds);

} // namespace gensyn::run

#endif
