// fma without the instruction against the C library's, and the functions on it.

#include "gensyn/Numerics/Fma.h"
#include "gensyn/Numerics/EmulatedFma.h"

#include "HardInputs.h"
#include "Oracle.h"
#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Native.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

using namespace gensyn;

namespace {
uint64_t bits(double x) {
  return x != x ? 0x7FF8000000000000u : std::bit_cast<uint64_t>(x);
}
uint32_t bits(float x) {
  return x != x ? 0x7FC00000u : std::bit_cast<uint32_t>(x);
}

float emulated(float x, float y, float z) {
  return functions::fmaThroughF64(Native(), x, y, z);
}
double emulated(double x, double y, double z) {
  return emulatedFma(Native(), x, y, z);
}

template <class T> void expectFma(T x, T y, T z) {
  const T got = emulated(x, y, z);
  ASSERT_EQ(bits(got), bits(Native::fma(x, y, z)))
      << std::hexfloat << x << " * " << y << " + " << z << " = " << got;
}

template <class T> std::vector<T> specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> all;
  for (T x : {T(0),
              T(1),
              T(1.5),
              T(3),
              std::nextafter(T(1), T(2)),
              std::nextafter(T(1), T(0)),
              L::min(),
              L::denorm_min(),
              std::nextafter(L::min(), T(0)),
              3 * L::denorm_min(),
              2 * L::min(),
              L::max(),
              std::nextafter(L::max(), T(0)),
              std::sqrt(L::min()),
              std::sqrt(L::max()),
              L::epsilon(),
              L::epsilon() / 2,
              L::epsilon() / 4,
              L::infinity(),
              L::quiet_NaN()}) {
    all.push_back(x);
    all.push_back(-x);
  }
  return all;
}

/// Functions on a machine without fma.
struct WithoutFma : Native {
  using Native::fma;
  static F64 fma(F64 x, F64 y, F64 z) {
    return emulatedFmaInRange(Native(), x, y, z);
  }
};
static_assert(Arithmetic<WithoutFma>);
} // namespace

TEST(Fma, SpecialTriples) {
  for (float x : specials<float>())
    for (float y : specials<float>())
      for (float z : specials<float>())
        expectFma(x, y, z);
  for (double x : specials<double>())
    for (double y : specials<double>())
      for (double z : specials<double>())
        expectFma(x, y, z);
}

TEST(Fma, RandomBits) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 500000; ++i) {
    const uint64_t r = random(), s = random(), t = random();
    expectFma(std::bit_cast<double>(r), std::bit_cast<double>(s),
              std::bit_cast<double>(t));
    expectFma(std::bit_cast<float>(static_cast<uint32_t>(r)),
              std::bit_cast<float>(static_cast<uint32_t>(s)),
              std::bit_cast<float>(static_cast<uint32_t>(t)));
  }
}

// Sums that cancel, or that lie at or beside ties, at every distance of the
// exponents and down to the smallest results.
template <class T> static void nearTies(int fraction, int lowest) {
  std::mt19937_64 random(12);
  auto significand = [&] {
    // Few bits set, or all: these give ties and carries.
    switch (random() % 3) {
    case 0:
      return static_cast<T>(random() % 16 + 1);
    case 1:
      return std::ldexp(T(1), fraction) + static_cast<T>(random() % 4);
    default:
      return std::ldexp(T(1), fraction) - static_cast<T>(random() % 4);
    }
  };
  for (int i = 0; i < 400000; ++i) {
    const T sign = random() % 2 ? T(1) : T(-1);
    const int e = static_cast<int>(random() % 60) - 30;
    const T x = std::ldexp(significand(), e);
    T y = sign * std::ldexp(significand(), -e);
    if (random() % 2) // results about the smallest ones
      y = std::ldexp(y, lowest + static_cast<int>(random() % 80) - 70);
    T z = x * y;
    switch (random() % 3) {
    case 0: // the product's rounding error
      z = -z;
      break;
    case 1: // a last bit far above or below
      z = std::ldexp(z, static_cast<int>(random() % 256) - 128);
      break;
    default:
      z = std::ldexp(significand(), std::ilogb(z != 0 ? z : T(1)) -
                                        static_cast<int>(random() % 120));
    }
    expectFma(x, y, z);
    expectFma(x, y, -z);
  }
}
TEST(Fma, NearTiesF32) { nearTies<float>(23, -126); }
TEST(Fma, NearTiesF64) { nearTies<double>(52, -1022); }

// A subnormal result half way between two, but for a bit that is more than 53
// places further down: products of integers within 2^46 of (k + 1/2) 2^100,
// where 2^100 is then made the smallest double.
TEST(Fma, SubnormalTiesDecidedFarBelow) {
  std::mt19937_64 random(13);
  int found = 0;
  for (int i = 0; i < 200000 && found < 400; ++i) {
    const uint64_t a = random() >> 12 | uint64_t{1} << 51;
    const __int128 target = static_cast<__int128>(2 * (random() % 8) + 1) << 99;
    const auto b = static_cast<uint64_t>((target + a / 2) / a);
    const __int128 rest = static_cast<__int128>(a) * b - target;
    if (rest == 0 || rest > (int64_t{1} << 46) || rest < -(int64_t{1} << 46))
      continue;
    ++found;
    const double x = std::ldexp(static_cast<double>(a), -587);
    const double y = std::ldexp(static_cast<double>(b), -587);
    for (int k = -9; k <= 9; ++k) {
      expectFma(x, y, k * 0x1p-1074);
      expectFma(x, -y, k * 0x1p-1074);
    }
  }
  EXPECT_EQ(found, 400);
}

TEST(Fma, InRange) {
  std::mt19937_64 random(14);
  auto number = [&] {
    const auto unit = std::bit_cast<double>(random() >> 12 | 0x3FFull << 52);
    const double x = std::ldexp(unit, static_cast<int>(random() % 200) - 100);
    return random() % 2 ? x : -x;
  };
  for (int i = 0; i < 300000; ++i) {
    const double x = number(), y = number();
    for (double z : {number(), -x * y, 0.0, std::ldexp(x, 60)})
      ASSERT_EQ(bits(emulatedFmaInRange(Native(), x, y, z)),
                bits(Native::fma(x, y, z)));
    // An odd product of 54 bits is a tie, and z is too small to be added to it.
    const auto p = static_cast<double>(random() >> 37 | 1 | 1 << 26);
    const auto q = static_cast<double>(random() >> 37 | 1 | 1 << 26);
    for (double z : {0x1p-60, -0x1p-60, 0.0})
      ASSERT_EQ(bits(emulatedFmaInRange(Native(), p, q, z)),
                bits(Native::fma(p, q, z)));
  }
}

TEST(Fma, FunctionsNeedNoInstruction) {
  auto check = [](Function function, auto body) {
    std::vector<uint32_t> inputs = hardInputs(function);
    for (uint64_t x = 0; x >> 32 == 0; x += 40009)
      inputs.push_back(static_cast<uint32_t>(x));
    for (uint32_t x : inputs) {
      const auto value = std::bit_cast<float>(x);
      ASSERT_EQ(bits(body(value)), oracle::answer(function, value).bits)
          << name(function) << " " << std::hex << x;
    }
  };
  constexpr WithoutFma a;
#define GENSYN_FUNCTION(Stem, name)                                            \
  check(Function::Stem, [&](float x) { return functions::name(a, x); });
#include "gensyn/Numerics/Functions.def"
}
