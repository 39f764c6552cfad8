// Sets the floating-point control register, and restores it.

#ifndef GENSYN_NUMERICS_FLOATENVIRONMENT_H
#define GENSYN_NUMERICS_FLOATENVIRONMENT_H

#include <cstdint>

namespace gensyn {

/// While an object of this class lives, floating-point arithmetic of this
/// thread, and of the threads it starts, follows IEEE 754: round to nearest
/// even, subnormals kept, no traps (g3). A preloaded library or the calling
/// program may have changed the settings; the destructor restores them.
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
