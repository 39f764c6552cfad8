// Pairs of arguments for tests of pow.

#ifndef GENSYN_TEST_UNIT_NUMERICS_POWPAIRS_H
#define GENSYN_TEST_UNIT_NUMERICS_POWPAIRS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>

namespace gensyn {

/// Arguments of pow: a third of any bits, a third with powers in range, a third
/// special values, exact powers, ties and their neighbours. From the block's
/// number alone.
class PowPairs {
public:
  explicit PowPairs(uint64_t block) : random(block + 1) {}

  /// The three kinds alternate.
  void next(float &x, float &y) {
    switch (turn++ % 3) {
    case 0:
      return any(x, y);
    case 1:
      return inRange(x, y);
    default:
      return exact(x, y);
    }
  }

  /// Any bits: mostly powers out of range, and all special values.
  void any(float &x, float &y) {
    x = ofBits(random());
    y = ofBits(random() >> 32);
  }

  /// A power in range, or just out of it, of any x; a third of them of an x
  /// near 1, where y is large.
  void inRange(float &x, float &y) {
    x = ofBits(random() % 0x7F800000);
    if (random() % 3 == 0)
      x = 1 + std::ldexp(static_cast<float>(random() % (1 << 24)) - 0x1p23f,
                         -24 - static_cast<int>(random() % 4));
    const double exponent =
        std::ldexp(static_cast<double>(random() >> 11), -53) * 300 - 160;
    y = static_cast<float>(exponent / std::log2(static_cast<double>(x)));
  }

  /// Roots' powers: r^(2^k) to the power of n / 2^k, with any power of two
  /// beside, which is exact, often a tie; or one of the two moved to a
  /// neighbour, or an integer or half-integer power of any x.
  void exact(float &x, float &y) {
    const uint64_t choice = random() % 8;
    if (choice == 0) { // whole powers
      x = ofBits(random() % 0x7F800000);
      y = static_cast<float>(random() % 129) - 64;
    } else if (choice == 1) {
      x = ofBits(random() % 0x7F800000);
      y = static_cast<float>(random() % 257) / 2 - 64;
    } else if (choice == 2) {
      x = kSpecial[random() % std::size(kSpecial)];
      y = kSpecial[random() % std::size(kSpecial)];
      if (random() % 2)
        (random() % 2 ? x : y) = ofBits(random());
    } else {
      const int k = static_cast<int>(random() % 4);
      const int limit[] = {5793, 4095, 63, 7}; // r^(2^k) < 2^24, or r^2 < 2^25
      const int r = 1 + 2 * static_cast<int>(
                                random() % static_cast<uint64_t>(limit[k] / 2));
      double base = r;
      for (int i = 0; i < k; ++i)
        base *= base;
      int n = 1;
      for (double power = r; power < 0x1p25 && n < 30; power *= r)
        ++n;
      n = 1 + static_cast<int>(random() % static_cast<uint64_t>(n));
      const int e = static_cast<int>(random() % 320) - 160;
      y = std::ldexp(static_cast<float>(n), -k);
      x = static_cast<float>(std::ldexp(base, (e / n) * (1 << k)));
      if (choice == 3)
        x = neighbour(x);
      if (choice == 4)
        y = neighbour(y);
    }
    if (random() % 4 == 0)
      x = -x;
    if (choice < 3 && random() % 2)
      y = -y;
  }

private:
  static float ofBits(uint64_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }
  float neighbour(float x) {
    return std::nextafter(x, random() % 2 ? INFINITY : -INFINITY);
  }

  static constexpr float kSpecial[] = {0.0f,
                                       0x1p-149f,
                                       0x1.fffffcp-127f,
                                       0x1p-126f,
                                       0x1p-24f,
                                       0.25f,
                                       0.5f,
                                       0x1.fffffep-1f,
                                       1.0f,
                                       0x1.000002p0f,
                                       1.5f,
                                       2.0f,
                                       3.0f,
                                       7.0f,
                                       127.0f,
                                       128.0f,
                                       149.0f,
                                       150.0f,
                                       0x1.fffffep22f,
                                       0x1p23f,
                                       0x1.000002p23f,
                                       0x1.fffffep23f,
                                       0x1p24f,
                                       0x1.fffffep127f,
                                       INFINITY,
                                       NAN,
                                       -1.0f,
                                       -0.0f};

  std::mt19937_64 random;
  uint64_t turn = 0;
};

} // namespace gensyn

#endif // GENSYN_TEST_UNIT_NUMERICS_POWPAIRS_H
