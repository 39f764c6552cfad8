// SplitMix64: a stream of random numbers, the same on every machine.

#ifndef GENSYN_NUMERICS_SPLITMIX64_H
#define GENSYN_NUMERICS_SPLITMIX64_H

#include <cstdint>

namespace gensyn {

/// Any seed gives a good stream.
class SplitMix64 {
public:
  explicit SplitMix64(uint64_t seed) : state(seed) {}

  uint64_t operator()() {
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

private:
  uint64_t state;
};

} // namespace gensyn

#endif
