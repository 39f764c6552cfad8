// Checks options that are numbers. CLI11 itself clamps a number that is too
// large, and prints ranges with 300 digits.
#ifndef GENSYN_RUN_NUMBER_CHECKS_H
#define GENSYN_RUN_NUMBER_CHECKS_H

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace gensyn::run {

/// Returns an empty string for a text that is a number of this type from `low`
/// to `high`.
template <typename Number>
std::string checkNumber(const std::string &text, Number low, Number high,
                        const char *wanted) {
  Number number{};
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool fits =
      error == std::errc() && rest == end && number >= low && number <= high;
  return fits ? "" : "'" + text + "' is not a " + wanted;
}

inline std::string checkSeed(const std::string &text) {
  return checkNumber<uint64_t>(text, 0, UINT64_MAX,
                               "whole number from 0 to 2^64 - 1");
}

/// Checks options that count steps, tokens, samples or bytes.
inline std::string checkCount(const std::string &text) {
  return checkNumber<int64_t>(text, 1, int64_t(1) << 40,
                              "whole number from 1 to 2^40");
}

inline std::string checkTemperature(const std::string &text) {
  return checkNumber<double>(text, 0, 1e30, "number from 0 to 1e30");
}

inline std::string checkPercent(const std::string &text) {
  return checkNumber<double>(text, 0, 1e6, "number from 0 to 1e6");
}

} // namespace gensyn::run

#endif
