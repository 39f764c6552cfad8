// Exponentially decaying sums over steps; formatting of times and sizes.

#include "gensyn/Runtime/Training/ThroughputMeter.h"
#include "gensyn/Executable/Support/Nouns.h"

#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace gensyn::runtime {

/// Decay of a step's weight per later step: a half-life of 34 steps.
static constexpr double kFading = 0.98;

void ThroughputMeter::add(int64_t samples, double seconds, double sinceBegin) {
  recentSamples = recentSamples * kFading + double(samples);
  recentSeconds = recentSeconds * kFading + seconds;
  elapsed = sinceBegin;
  ++count;
}

double ThroughputMeter::samplesPerSecond() const {
  return recentSeconds > 0 ? recentSamples / recentSeconds : 0;
}

double ThroughputMeter::secondsLeft(int64_t steps) const {
  return count ? elapsed / double(count) * double(steps) : 0;
}

ProcessMemory parseProcessMemory(const std::string &status) {
  ProcessMemory memory;
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);)
    for (auto [key, value] : {std::pair("VmRSS:", &memory.resident),
                              std::pair("VmHWM:", &memory.peak)})
      if (line.starts_with(key)) {
        std::istringstream words(line.substr(6));
        uint64_t kilobytes = 0;
        words >> kilobytes;
        *value = kilobytes * 1024;
      }
  return memory;
}

ProcessMemory readProcessMemory() {
  std::ifstream file("/proc/self/status");
  std::ostringstream text;
  text << file.rdbuf();
  return parseProcessMemory(text.str());
}

std::string describeDuration(double seconds) {
  if (!(seconds < 1e15))
    return "a long time";
  const auto whole = int64_t(std::llround(std::max(seconds, 0.0)));
  struct Unit {
    int64_t seconds;
    const char *name;
  };
  constexpr Unit units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  for (size_t i = 0; i < 3; ++i)
    if (whole >= units[i].seconds)
      return std::to_string(whole / units[i].seconds) + " " + units[i].name +
             " " +
             std::to_string(whole % units[i].seconds / units[i + 1].seconds) +
             " " + units[i + 1].name;
  return std::to_string(whole) + " s";
}

std::string describeBytes(uint64_t bytes) {
  if (bytes < 1024)
    return countOf(static_cast<int64_t>(bytes), "byte");
  double value = double(bytes);
  const char *unit = "";
  for (const char *next : {"KB", "MB", "GB", "TB", "PB", "EB"}) {
    if (value < 1024)
      break;
    value /= 1024;
    unit = next;
  }
  return fixedText(value, 1) + " " + unit;
}

std::string describeRate(double perSecond) {
  return perSecond < 100 ? shortText(perSecond, 3) : fixedText(perSecond, 0);
}

} // namespace gensyn::runtime
