// Sets the floating-point control register, and restores it.

#ifndef GENSYN_NUMERICS_FLOATENVIRONMENT_H
#define GENSYN_NUMERICS_FLOATENVIRONMENT_H

#include <cstdint>

namespace gensyn {

/// While it lives, floating-point arithmetic of this thread, and of the threads
/// it starts, is as IEEE 754 says: round to nearest even, subnormals kept, no
/// traps (g3). A preloaded library or the calling program may have set it
/// otherwise, and gets its setting back.
class FloatEnvironment {
public:
  FloatEnvironment();
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
  uint64_t saved;
};

} // namespace gensyn

#endif // GENSYN_NUMERICS_FLOATENVIRONMENT_H
