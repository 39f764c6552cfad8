// Locale-independent formatting of numbers.
#ifndef GENSYN_RUNTIME_SUPPORT_NUMBERFORMATTING_H
#define GENSYN_RUNTIME_SUPPORT_NUMBERFORMATTING_H

#include <cstdint>
#include <string>

namespace gensyn::runtime {

/// Formats with at most `digits` significant digits, as C's %g does in the C
/// locale: "0.1", "1e-07", "nan".
std::string shortText(double value, int digits);

/// Formats with `decimals` digits after the point, as C's %f: "0.50".
std::string fixedText(double value, int decimals);

/// "1,234,567".
std::string groupDigits(int64_t number);

} // namespace gensyn::runtime

#endif
