// The throughput of a run, and the memory of the process.
#ifndef GENSYN_RUNTIME_PACE_H
#define GENSYN_RUNTIME_PACE_H

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// Samples per second of the last steps, and when a run will end.
class Pace {
public:
  /// A step of so many samples that took `seconds`, and so many seconds after
  /// the first one began with all that lay between steps.
  void add(int64_t samples, double seconds, double sinceBegin);

  /// Over some fifty steps; 0 before the first one.
  double samplesPerSecond() const;
  /// Of as many more steps, with as much between them as so far.
  double secondsLeft(int64_t steps) const;

private:
  double recentSamples = 0;
  double recentSeconds = 0;
  double elapsed = 0;
  int64_t count = 0;
};

/// In bytes; 0 where the system does not say.
struct ProcessMemory {
  uint64_t resident = 0;
  /// The most that it has been, files that are mapped included.
  uint64_t peak = 0;
};

ProcessMemory readProcessMemory();
/// The same out of the text of /proc/self/status.
ProcessMemory parseProcessMemory(const std::string &status);

/// "45 s", "12 min 3 s", "5 h 20 min", "3 d 4 h".
std::string describeDuration(double seconds);
/// "512 bytes", "1.5 KB", "312.4 MB", in units of 1024.
std::string describeBytes(uint64_t bytes);
/// "0.52", "9.3", "125", "10321": three digits, or all before the point.
std::string describeRate(double perSecond);

} // namespace gensyn::runtime

#endif
