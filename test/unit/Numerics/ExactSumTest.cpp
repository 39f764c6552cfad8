// order_r4 against sums in one long integer, whose rounding is found by
// bisection among the floats.

#include "gensyn/Numerics/ExactSum.h"
#include "gensyn/Numerics/Native.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace gensyn;

namespace {
__extension__ using Wide = unsigned __int128;

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <class T> BitsOf<T> bitsOf(T x) { return std::bit_cast<BitsOf<T>>(x); }

/// An integer times 2^kBase, in two's complement, carried at every addition.
class BigFixed {
public:
  static constexpr int kBase = -2200;

  /// Adds (-1)^isNegative significand 2^exponent.
  void add(Wide significand, int exponent, bool isNegative) {
    const int place = exponent - kBase;
    const auto first = static_cast<size_t>(place / 32);
    std::array<uint32_t, 5> digits{};
    for (int bit = 0; bit < 128; ++bit)
      if (significand >> bit & 1)
        digits[static_cast<size_t>((place % 32 + bit) / 32)] |=
            1u << (place % 32 + bit) % 32;
    int64_t carry = 0;
    for (size_t j = first; j < words.size(); ++j) {
      const int64_t digit = j - first < digits.size() ? digits[j - first] : 0;
      carry += words[j] + (isNegative ? -digit : digit);
      words[j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  template <class T> void add(T x, bool negate = false) {
    int exponent;
    const T fraction = std::frexp(std::fabs(x), &exponent);
    constexpr int digits = std::numeric_limits<T>::digits;
    if (x != 0)
      add(static_cast<Wide>(std::ldexp(fraction, digits)), exponent - digits,
          std::signbit(x) != negate);
  }
  template <class T> void addProduct(T x, T y) {
    int ex, ey;
    const T fx = std::frexp(std::fabs(x), &ex),
            fy = std::frexp(std::fabs(y), &ey);
    constexpr int digits = std::numeric_limits<T>::digits;
    if (x != 0 && y != 0)
      add(static_cast<Wide>(std::ldexp(fx, digits)) *
              static_cast<Wide>(std::ldexp(fy, digits)),
          ex + ey - 2 * digits, std::signbit(x) != std::signbit(y));
  }

  bool isNegative() const { return words.back() >> 31 != 0; }
  bool isZero() const {
    return std::all_of(words.begin(), words.end(),
                       [](uint32_t w) { return w == 0; });
  }

  /// The nearest T, ties to even; +0 for a zero.
  template <class T> T round() const {
    BigFixed magnitude = *this;
    if (isNegative()) {
      BigFixed zero;
      int64_t carry = 0;
      for (size_t j = 0; j < words.size(); ++j) {
        carry -= words[j];
        zero.words[j] = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
      magnitude = zero;
    }
    // The least bit pattern whose successor is not nearer.
    BitsOf<T> low = 0, high = bitsOf(std::numeric_limits<T>::infinity());
    while (low < high) {
      const BitsOf<T> middle = low + (high - low) / 2;
      BigFixed distance = magnitude;
      distance.subtractMiddle<T>(middle);
      const bool isAbove =
          !distance.isNegative() && !(distance.isZero() && middle % 2 == 0);
      if (isAbove)
        low = middle + 1;
      else
        high = middle;
    }
    const T result = std::bit_cast<T>(low);
    return isNegative() && result != 0 ? -result : result;
  }

private:
  /// Subtracts the middle of two neighbours; infinity stands for the power of
  /// two after the greatest number.
  template <class T> void subtractMiddle(BitsOf<T> below) {
    const T x = std::bit_cast<T>(below);
    const T before = below == 0 ? std::bit_cast<T>(BitsOf<T>(1))
                     : std::isinf(std::bit_cast<T>(below + 1))
                         ? std::bit_cast<T>(below - 1)
                         : std::bit_cast<T>(below + 1);
    const T gap = std::fabs(before - x); // a power of two
    add(x, true);
    int exponent;
    std::frexp(gap, &exponent);
    add(Wide(1), exponent - 2, true);
  }

  std::array<uint32_t, 146> words{};
};

template <class T> T oracleSum(const std::vector<T> &x) {
  BigFixed sum;
  for (T v : x)
    sum.add(v);
  return sum.round<T>();
}
template <class T>
T oracleDot(const std::vector<T> &x, const std::vector<T> &y) {
  BigFixed sum;
  for (size_t i = 0; i < x.size(); ++i)
    sum.addProduct(x[i], y[i]);
  return sum.round<T>();
}

template <class T>
T sumOf(const std::vector<T> &x, int64_t batch = kExactBatch) {
  return exactSum(
      Native(), static_cast<int64_t>(x.size()),
      [&](int64_t i) { return x[static_cast<size_t>(i)]; }, batch);
}
template <class T>
T dotOf(const std::vector<T> &x, const std::vector<T> &y,
        int64_t batch = kExactBatch) {
  return exactDot(
      Native(), static_cast<int64_t>(x.size()),
      [&](int64_t i) {
        return std::pair(x[static_cast<size_t>(i)], y[static_cast<size_t>(i)]);
      },
      batch);
}

template <class T> class ExactSums : public testing::Test {
protected:
  using Bits = BitsOf<T>;
  static constexpr T kMax = std::numeric_limits<T>::max();
  static constexpr T kTiny = std::numeric_limits<T>::denorm_min();
  static constexpr T kLeast = std::numeric_limits<T>::min();
  static constexpr T kInfinity = std::numeric_limits<T>::infinity();
  static constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T kEpsilon = std::numeric_limits<T>::epsilon();

  /// Any finite number, each exponent alike.
  T anything() {
    for (;;) {
      const T x = std::bit_cast<T>(static_cast<Bits>(random()));
      if (std::isfinite(x))
        return x;
    }
  }
  T near(int exponent) {
    const auto fraction =
        static_cast<T>(random() >> 12) / static_cast<T>(uint64_t(1) << 52);
    return std::ldexp(random() % 2 ? 1 + fraction : -1 - fraction,
                      exponent + int(random() % 6));
  }
  void expectSum(const std::vector<T> &x, T want) {
    EXPECT_EQ(bitsOf(sumOf(x)), bitsOf(want)) << sumOf(x) << " for " << want;
  }

  std::mt19937_64 random{20261121};
};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(ExactSums, Floats);
} // namespace

TYPED_TEST(ExactSums, order_r4_SpecialValues) {
  using T = TypeParam;
  const T inf = this->kInfinity, nan = this->kNan;
  this->expectSum({}, T(0));
  this->expectSum({T(-0.0), T(-0.0)}, T(0));
  this->expectSum({T(1), T(-1)}, T(0));
  this->expectSum({inf, T(1), inf}, inf);
  this->expectSum({-inf, this->kMax, -inf}, -inf);
  for (T payload : {nan, -nan, std::bit_cast<T>(bitsOf(inf) + 1)})
    this->expectSum({T(1), payload, inf}, nan);
  this->expectSum({inf, T(0), -inf}, nan);
  EXPECT_EQ(bitsOf(dotOf<T>({inf, T(1)}, {T(0), T(1)})), bitsOf(nan));
  EXPECT_EQ(bitsOf(dotOf<T>({T(-0.0)}, {-inf})), bitsOf(nan));
  EXPECT_EQ(dotOf<T>({inf, T(1)}, {T(-2), T(1)}), -inf);
  EXPECT_EQ(dotOf<T>({this->kTiny, T(1)}, {-inf, T(1)}), -inf);
  EXPECT_EQ(bitsOf(dotOf<T>({inf, T(1)}, {T(-2), inf})), bitsOf(nan));
  EXPECT_EQ(bitsOf(dotOf<T>({T(3), nan}, {T(-2), T(0)})), bitsOf(nan));
  // Underflow to zero is +0 whatever its sign, in a product too.
  EXPECT_EQ(bitsOf(dotOf<T>({this->kTiny}, {-this->kTiny})), bitsOf(T(0)));
}

TYPED_TEST(ExactSums, order_r4_OverflowAndUnderflow) {
  using T = TypeParam;
  const T max = this->kMax, tiny = this->kTiny;
  this->expectSum({max, max, -max}, max); // infinite in between, in any order
  this->expectSum({max, max}, this->kInfinity);
  this->expectSum({-max, -max, -max, max}, -this->kInfinity);
  // The tie between the greatest number and the next power goes to infinity.
  const T half =
      std::ldexp(T(1), std::ilogb(max) - std::numeric_limits<T>::digits);
  this->expectSum({max, half}, this->kInfinity);
  this->expectSum({max, half, -tiny}, max);
  this->expectSum({-max, -half, tiny}, -max);
  this->expectSum({tiny, tiny, tiny}, 3 * tiny);
  this->expectSum({this->kLeast, -tiny}, this->kLeast - tiny);
  // Products below the least number: half of it is a tie.
  const T root = std::ldexp(T(1), std::ilogb(tiny) / 2);
  const T x = std::ldexp(T(1), std::ilogb(tiny) - 1 - std::ilogb(root));
  EXPECT_EQ(dotOf<T>({root}, {x}), T(0));
  EXPECT_EQ(dotOf<T>({root, tiny}, {x, tiny}), tiny);
  EXPECT_EQ(dotOf<T>({root, tiny, root}, {x, -tiny, x}), tiny);
  EXPECT_EQ(dotOf<T>({root, root, root}, {x, x, x}), 2 * tiny);
  EXPECT_EQ(dotOf<T>({max, max, T(1)}, {max, -max, T(5)}), T(5));
}

TYPED_TEST(ExactSums, order_r4_Ties) {
  using T = TypeParam;
  const T e = this->kEpsilon, tiny = this->kTiny;
  this->expectSum({T(1), e / 2}, T(1));
  this->expectSum({T(1), e / 2, tiny}, 1 + e);
  this->expectSum({T(1), e / 2, -tiny}, T(1));
  this->expectSum({1 + e, e / 2}, 1 + 2 * e);
  this->expectSum({1 + e, e / 2, -tiny}, 1 + e);
  this->expectSum({-1 - e, -e / 2, tiny}, -1 - e);
  this->expectSum({T(2), -e / 2}, T(2));
  this->expectSum({T(2), -e / 2, -tiny}, 2 - e);
}

// Lists with a result far below their terms, with every exponent, with ties; in
// several orders and with carries at odd places.
TYPED_TEST(ExactSums, order_r4_AgainstTheOracleInAnyOrder) {
  using T = TypeParam;
  constexpr int low =
      std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
  constexpr int high = std::numeric_limits<T>::max_exponent - 8;
  for (int round = 0; round < 600; ++round) {
    const auto n = static_cast<size_t>(this->random() % 40 + 1);
    std::vector<T> x(n), y(n);
    const int middle = low + int(this->random() % unsigned(high - low));
    for (size_t i = 0; i < n; ++i) {
      switch (round % 4) {
      case 0: // every exponent
        x[i] = this->anything(), y[i] = this->anything();
        break;
      case 1: // a few exponents: many bits meet
        x[i] = this->near(middle), y[i] = this->near(0);
        break;
      case 2: // all but the last cancel
        x[i] = this->anything(), y[i] = this->anything();
        if (i % 2)
          x[i] = -x[i - 1], y[i] = y[i - 1];
        break;
      default: // around the subnormals
        x[i] = this->near(low + int(this->random() % 30)), y[i] = this->near(0);
        if (this->random() % 4 == 0)
          x[i] = this->kTiny * static_cast<T>(this->random() % 5);
        break;
      }
    }
    const T sum = oracleSum(x), dot = oracleDot(x, y);
    for (int shuffle = 0; shuffle < 4; ++shuffle) {
      ASSERT_EQ(bitsOf(sumOf(x, shuffle ? 3 : kExactBatch)), bitsOf(sum))
          << round;
      ASSERT_EQ(bitsOf(dotOf(x, y, shuffle ? 5 : kExactBatch)), bitsOf(dot))
          << round;
      for (size_t i = n; i-- > 1;) {
        const size_t j = this->random() % (i + 1);
        std::swap(x[i], x[j]), std::swap(y[i], y[j]);
      }
    }
  }
}

// One rounding: f32 sums and products are exact in a wide enough f64.
TEST(ExactSum, order_r4_EqualsFmaForTwoTerms) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    auto next = [&] {
      return std::bit_cast<float>(static_cast<uint32_t>(random()));
    };
    const float x = next(), y = next(), z = next();
    float want = std::fma(x, y, z);
    if (want != want)
      want = std::numeric_limits<float>::quiet_NaN();
    want += 0.0f; // a zero is +0
    if (want == 0)
      want = 0;
    ASSERT_EQ(bitsOf(dotOf<float>({x, z}, {y, 1.0f})), bitsOf(want))
        << x << " " << y << " " << z;
  }
}
