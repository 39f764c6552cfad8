// Arguments of functions in f64, for tests.

#ifndef GENSYN_TEST_UNIT_NUMERICS_F64INPUTS_H
#define GENSYN_TEST_UNIT_NUMERICS_F64INPUTS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace gensyn {

/// A quarter any bits, the others ordinary numbers and those near the ends of
/// the range, near 1 and subnormal.
class F64Inputs {
public:
  explicit F64Inputs(uint64_t seed) : random(seed) {}

  double forExp() {
    switch (turn++ % 4) {
    case 0:
      return std::bit_cast<double>(random());
    case 1:
      return between(-746, 710);
    case 2:
      return between(-746, -707);
    default:
      return between(-1, 1);
    }
  }
  double forLog() {
    switch (turn++ % 4) {
    case 0:
      return std::bit_cast<double>(random());
    case 1:
      return between(0.6, 1.6);
    case 2:
      return 1 + std::ldexp(between(-1, 1), -static_cast<int>(random() % 50));
    default:
      return std::bit_cast<double>(random() % (uint64_t{1} << 52));
    }
  }

  /// For functions that are all but constant beyond |x| = 45; a quarter are
  /// small.
  double forSigmoid() {
    switch (turn++ % 4) {
    case 0:
      return std::bit_cast<double>(random());
    case 1:
      return between(-45, 45);
    case 2:
      return std::ldexp(between(-1, 1), -static_cast<int>(random() % 60));
    default:
      return between(-2, 2);
    }
  }
  /// Above -1.
  double forLog1p() {
    const double x = forSigmoid();
    return x > -1 ? x : -1 / x;
  }

private:
  double between(double low, double high) {
    const double unit = std::ldexp(static_cast<double>(random() >> 11), -53);
    return low + (high - low) * unit;
  }
  std::mt19937_64 random;
  int turn = 0;
};

} // namespace gensyn

#endif // GENSYN_TEST_UNIT_NUMERICS_F64INPUTS_H
