// Numbers as text, the same in every locale.
#ifndef GENSYN_RUNTIME_NUMBERTEXT_H
#define GENSYN_RUNTIME_NUMBERTEXT_H

#include <string>

namespace gensyn::runtime {

/// At most `digits` significant digits, as C's %g writes them where the decimal
/// point is one: "0.1", "1e-07", "nan".
std::string shortText(double value, int digits);

/// `decimals` digits behind the point, as C's %f: "0.50".
std::string fixedText(double value, int decimals);

} // namespace gensyn::runtime

#endif
