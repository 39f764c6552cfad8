// std::to_chars does not depend on the locale.

#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <charconv>

namespace gensyn::runtime {

static std::string text(double value, std::chars_format format, int precision) {
  char buffer[400]; // the largest f64 has 309 digits before the point
  auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, format, precision);
  return {buffer, end.ptr};
}

std::string shortText(double value, int digits) {
  return text(value, std::chars_format::general, digits);
}

std::string fixedText(double value, int decimals) {
  return text(value, std::chars_format::fixed, decimals);
}

std::string groupDigits(int64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > (number < 0 ? 4u : 3u);) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

} // namespace gensyn::runtime
