// Numbers of a report for people; see Report.h.

#include "gensyn/Machine/Report.h"

#include <span>

namespace gensyn::machine {

/// Prints a number in a unit that is `step` times the one before.
static std::string print(uint64_t number, uint64_t step,
                         std::span<const char *const> units) {
  uint64_t factor = 1;
  while (units.size() > 1 && number / factor >= step) {
    factor *= step;
    units = units.subspan(1);
  }
  uint64_t whole = number / factor;
  // Thousandths, rounded.
  auto rest = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(number % factor) * 2000 + factor) /
      (static_cast<unsigned __int128>(factor) * 2));
  if (rest == 1000) {
    ++whole;
    rest = 0;
  }
  std::string text = std::to_string(whole);
  if (rest) {
    std::string digits = std::to_string(1000 + rest);
    digits.front() = '.';
    text += digits.substr(0, digits.find_last_not_of('0') + 1);
  }
  return text + " " + units.front();
}

std::string printPercent(Wide part, Wide whole) {
  const auto tenths =
      whole ? static_cast<uint64_t>((part * 2000 + whole) / (whole * 2)) : 0;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

OrderedJson toJson(const Interval &interval) {
  return {interval.value, interval.low, interval.high};
}

std::string printTime(int64_t picoseconds) {
  static constexpr const char *units[] = {"ps", "ns", "us", "ms", "s"};
  return print(static_cast<uint64_t>(picoseconds), 1000, units);
}

std::string printEnergy(int64_t femtojoules) {
  static constexpr const char *units[] = {"fJ", "pJ", "nJ", "uJ", "mJ", "J"};
  return print(static_cast<uint64_t>(femtojoules), 1000, units);
}

std::string printEnergy(const Interval &femtojoules) {
  std::string text = printEnergy(femtojoules.value);
  if (femtojoules.low != femtojoules.high)
    text += " [" + printEnergy(femtojoules.low) + ", " +
            printEnergy(femtojoules.high) + "]";
  return text;
}

std::string printBytes(uint64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  return print(bytes, 1024, units);
}

} // namespace gensyn::machine
