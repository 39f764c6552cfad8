// The numerics version; see docs/Numerics.md.

#ifndef GENSYN_NUMERICS_VERSION_H
#define GENSYN_NUMERICS_VERSION_H

namespace gensyn {

/// A frozen program keeps the version under which it was frozen. The version is
/// raised when a rule changes a bit of any result.
inline constexpr int kNumericsVersion = 1;

} // namespace gensyn

#endif // GENSYN_NUMERICS_VERSION_H
