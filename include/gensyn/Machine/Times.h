// Conversions of cycles, bytes and power to picoseconds and femtojoules, in
// integers that do not overflow: results are cut off at a limit.

#ifndef GENSYN_MACHINE_TIMES_H
#define GENSYN_MACHINE_TIMES_H

#include <algorithm>
#include <cstdint>

namespace gensyn::machine {

/// Products of counts and costs.
using Wide = unsigned __int128;

/// The longest time of one piece of work or one transfer, and the largest
/// energy: 20 hours, and 72 joules.
constexpr int64_t longestTime = int64_t(1) << 56;

/// The smaller one of a number and longestTime.
inline int64_t limited(Wide value) {
  return static_cast<int64_t>(std::min<Wide>(value, longestTime));
}

/// Products are cut off here, so that one with a 30-bit factor still fits.
constexpr Wide mostProduct = Wide(1) << 90;

inline Wide product(Wide a, uint64_t b) {
  return b && a > mostProduct / b ? mostProduct : a * b;
}

/// Returns a / b, rounded up; b counts as at least 1.
inline Wide dividedUp(Wide a, int64_t b) {
  const Wide divisor = static_cast<Wide>(std::max<int64_t>(b, 1));
  return (a + divisor - 1) / divisor;
}

/// Picoseconds of thousandths of a cycle, rounded up.
inline int64_t timeOfCycles(Wide millicycles, int64_t hertz) {
  constexpr uint64_t scale = 1'000'000'000;
  return limited(dividedUp(std::min(millicycles, mostProduct) * scale, hertz));
}

/// Picoseconds of bytes at so many bytes a second, rounded up.
inline int64_t timeOfBytes(uint64_t bytes, int64_t bytesPerSecond) {
  constexpr uint64_t scale = 1'000'000'000'000;
  return limited(dividedUp(Wide(bytes) * scale, bytesPerSecond));
}

/// Femtojoules of a power in nanowatts, rounded down.
inline Wide energyOfPower(Wide nanowatts, int64_t picoseconds) {
  return product(nanowatts, static_cast<uint64_t>(picoseconds)) / 1'000'000;
}

/// A quantity's value as a factor: negative ones count as 0.
inline uint64_t factor(int64_t value) {
  return static_cast<uint64_t>(std::max<int64_t>(value, 0));
}

} // namespace gensyn::machine

#endif
