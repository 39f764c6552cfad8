// The floating-point control register, put right and put back.

#ifndef GENSYN_NUMERICS_FLOATENVIRONMENT_H
#define GENSYN_NUMERICS_FLOATENVIRONMENT_H

#include <cstdint>

namespace gensyn {

/// While it lives, floating-point arithmetic of this thread, and of the threads
/// it starts, is as IEEE 754 says: round to nearest even, subnormals kept, no
/// traps (g3). A library that a process was started with, or the program that
/// calls us, may have set it otherwise, and gets its setting back.
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
