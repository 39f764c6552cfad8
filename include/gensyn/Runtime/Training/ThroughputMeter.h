// Throughput of a run, and memory of the process.
#ifndef GENSYN_RUNTIME_TRAINING_THROUGHPUTMETER_H
#define GENSYN_RUNTIME_TRAINING_THROUGHPUTMETER_H

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// Samples per second of the recent steps, and the remaining time of a run.
class ThroughputMeter {
public:
  /// Adds a step of `samples` samples that took `seconds` and ended
  /// `sinceBegin` seconds after the first step began, including everything
  /// between steps.
  void add(int64_t samples, double seconds, double sinceBegin);

  /// Averaged over about fifty steps; 0 before the first step.
  double samplesPerSecond() const;
  /// Estimates the time of that many more steps, including the usual time
  /// between steps.
  double secondsLeft(int64_t steps) const;

private:
  double recentSamples = 0;
  double recentSeconds = 0;
  double elapsed = 0;
  int64_t count = 0;
};

/// In bytes; 0 if the system does not report it.
struct ProcessMemory {
  uint64_t resident = 0;
  /// Peak resident size, including mapped files.
  uint64_t peak = 0;
};

ProcessMemory readProcessMemory();
/// Parses the text of /proc/self/status.
ProcessMemory parseProcessMemory(const std::string &status);

/// Returns "45 s", "12 min 3 s", "5 h 20 min", "3 d 4 h".
std::string describeDuration(double seconds);
/// Returns "512 bytes", "1.5 KB", "312.4 MB", in units of 1024.
std::string describeBytes(uint64_t bytes);
/// Returns "0.52", "9.3", "125", "10321": three digits, or all digits before
/// the point.
std::string describeRate(double perSecond);

} // namespace gensyn::runtime

#endif
