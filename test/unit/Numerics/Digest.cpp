// gensyn-numerics-digest: a hash of what lib/Numerics computes, a line an item,
// on inputs drawn by lib/Numerics itself. Builds for other processors, by other
// compilers, must print the same (test/Numerics).
//
//   gensyn-numerics-digest [log2 of the inputs an item, 14 unless said]

#include "gensyn/Numerics/Convert.h"
#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Numerics/Distributions.h"
#include "gensyn/Numerics/Evaluate.h"
#include "gensyn/Numerics/ExactSum.h"
#include "gensyn/Numerics/Philox.h"
#include "gensyn/Numerics/Reduce.h"
#include "gensyn/Numerics/Scalar.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace gensyn;

namespace {
int64_t count = 1 << 14;

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
class Hash {
public:
  template <class T> void add(const T &value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char byte : bytes)
      state = (state ^ byte) * 0x100000001B3u;
  }
  void print(const std::string &item) const {
    std::printf("%-28s %016llx\n", item.c_str(),
                static_cast<unsigned long long>(state));
  }

private:
  uint64_t state = 0xCBF29CE484222325u;
};

uint32_t word(uint32_t stream, int64_t index) {
  const random::Draw<Native> draw = {{7, 11}, 0, 0, stream};
  return random::bitsAt(Native(), draw, static_cast<uint64_t>(index));
}

/// Any bits, and every fourth value one of those where things happen.
template <class T> T input(uint32_t stream, int64_t index) {
  const uint64_t random =
      word(stream, 2 * index) | uint64_t{word(stream, 2 * index + 1)} << 32;
  uint64_t bits = random;
  if constexpr (std::is_floating_point_v<T>) {
    constexpr int width = sizeof(T) * 8;
    constexpr int mantissa = std::numeric_limits<T>::digits - 1;
    constexpr uint64_t one = uint64_t{1};
    const uint64_t special[] = {
        0,
        one,
        (one << mantissa) - 1,
        one << mantissa,
        std::bit_cast<std::conditional_t<width == 32, uint32_t, uint64_t>>(
            T(1)),
        std::bit_cast<std::conditional_t<width == 32, uint32_t, uint64_t>>(
            std::numeric_limits<T>::max()),
        std::bit_cast<std::conditional_t<width == 32, uint32_t, uint64_t>>(
            std::numeric_limits<T>::infinity()),
        (one << (width - 1)) - 1};
    if (index % 4 == 3)
      bits = special[random % 8] | (random >> 63) << (width - 1);
    else if (index % 4 == 2) // near 1, so that sums and products meet
      bits = std::bit_cast<std::conditional_t<width == 32, uint32_t, uint64_t>>(
          static_cast<T>(static_cast<int64_t>(random) >> 40) / T(1 << 20));
  } else if (index % 4 == 3) {
    const uint64_t special[] = {
        0,    1,      ~uint64_t{0}, uint64_t{1} << 63, ~uint64_t{0} >> 1,
        0x80, 0x8000, 0x80000000};
    bits = special[random % 8];
  }
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <> bool input<bool>(uint32_t stream, int64_t index) {
  return word(stream, index) & 1;
}

template <class Body> void item(const std::string &name, Body &&body) {
  Hash hash;
  body(hash);
  hash.print(name);
}

void digestFunctions() {
  for (int i = 0; i < kNumFunctions; ++i) {
    const auto function = static_cast<Function>(i);
    item(std::string(name(function)), [&](Hash &hash) {
      const auto n = static_cast<uint32_t>(count);
      std::vector<float> x;
      for (uint32_t k = 0; k < n; ++k)
        x.push_back(std::bit_cast<float>(k * (0xFFFFFFFFu / n) + k % 251));
      std::vector<float> y(x.size());
      evaluate(function, x.data(), y.data(), static_cast<int64_t>(x.size()));
      for (float value : y)
        hash.add(value);
    });
  }
  item("pow", [](Hash &hash) {
    for (int64_t i = 0; i < count; ++i)
      hash.add(scalar::pow(input<float>(1, i), input<float>(2, i)));
  });
  item("exp.f64", [](Hash &hash) {
    for (int64_t i = 0; i < count; ++i)
      hash.add(scalar::exp(input<double>(3, i)));
  });
  item("log.f64", [](Hash &hash) {
    for (int64_t i = 0; i < count; ++i)
      hash.add(scalar::log(input<double>(4, i)));
  });
}

template <class T> void digestScalar() {
  const std::string type(name(elementTypeOf<T>()));
  auto unary = [&](const char *op, auto function) {
    item(op + ("." + type), [&](Hash &hash) {
      for (int64_t i = 0; i < count; ++i)
        hash.add(function(input<T>(5, i)));
    });
  };
  auto binary = [&](const char *op, auto function) {
    item(op + ("." + type), [&](Hash &hash) {
      for (int64_t i = 0; i < count; ++i)
        hash.add(function(input<T>(6, i), input<T>(7, i)));
    });
  };
  binary("add", [](T a, T b) { return scalar::add(a, b); });
  binary("sub", [](T a, T b) { return scalar::sub(a, b); });
  binary("mul", [](T a, T b) { return scalar::mul(a, b); });
  binary("div", [](T a, T b) { return scalar::div(a, b); });
  binary("rem", [](T a, T b) { return scalar::rem(a, b); });
  binary("min", [](T a, T b) { return scalar::min(a, b); });
  binary("max", [](T a, T b) { return scalar::max(a, b); });
  unary("neg", [](T a) { return scalar::neg(a); });
  unary("abs", [](T a) { return scalar::abs(a); });
  if constexpr (std::is_floating_point_v<T>) {
    unary("sqrt", [](T a) { return scalar::sqrt(a); });
    for (int mode = 0; mode < 4; ++mode)
      unary(("round" + std::to_string(mode)).c_str(), [&](T a) {
        return scalar::round(a, static_cast<scalar::Rounding>(mode));
      });
    item("fma." + type, [](Hash &hash) {
      for (int64_t i = 0; i < count; ++i)
        hash.add(scalar::fma(input<T>(8, i), input<T>(9, i), input<T>(10, i)));
    });
  } else {
    binary("shl", [](T a, T b) { return scalar::shl(a, b); });
    binary("shr", [](T a, T b) { return scalar::shr(a, b); });
  }
}

void digestConversions() {
  for (int from = 0; from < kNumElementTypes; ++from)
    dispatch(static_cast<ElementType>(from), [](auto fromTag) {
      using From = typename decltype(fromTag)::type;
      item("convert " + std::string(name(elementTypeOf<From>())),
           [](Hash &hash) {
             for (int to = 0; to < kNumElementTypes; ++to)
               dispatch(static_cast<ElementType>(to), [&](auto toTag) {
                 using To = typename decltype(toTag)::type;
                 for (int64_t i = 0; i < count / 16; ++i) {
                   // A narrow value from the f32 that it is next to.
                   From x;
                   if constexpr (IsNarrowFloat<From> || IsNarrowInteger<From>)
                     x = scalar::convert<From>(input<float>(11, i));
                   else
                     x = input<From>(12, i);
                   hash.add(scalar::convert<To>(x));
                 }
               });
           });
    });
}

template <class T> void digestSums() {
  const std::string type(name(elementTypeOf<T>()));
  const int64_t n = count / 4 + 5;
  for (const char *text :
       {"sequential", "lanes<32>", "blocked<1024, lanes<32>, sequential>"}) {
    const Order order = *Order::parse(text);
    item("sum." + type + " " + text, [&](Hash &hash) {
      for (uint32_t row = 0; row < 4; ++row)
        hash.add(reduceOrdered(
            Native(), order, n, T(0), [](T acc, T x) { return acc + x; },
            [](T x, T y) { return x + y; },
            [&](int64_t i) { return input<T>(13 + row, 4 * i + 2); }));
    });
  }
  item("sum." + type + " exact", [&](Hash &hash) {
    for (uint32_t row = 0; row < 4; ++row) {
      hash.add(exactSum(Native(), n, [&](int64_t i) {
        return input<T>(17 + row, 4 * i + (row & 1 ? 2 : 0));
      }));
      hash.add(exactDot(Native(), n, [&](int64_t i) {
        return std::pair(input<T>(18 + row, 4 * i + 2),
                         input<T>(19 + row, 4 * i + (row & 1 ? 2 : 0)));
      }));
    }
  });
}

void digestRandom() {
  item("random", [](Hash &hash) {
    for (int64_t i = 0; i < count; ++i) {
      hash.add(random::uniform(Native(), word(21, i)));
      hash.add(random::normal(Native(), word(22, 2 * i), word(22, 2 * i + 1)));
    }
  });
}
} // namespace

int main(int argc, char **argv) {
  if (argc > 1)
    count = int64_t{1} << std::atoi(argv[1]);
  digestFunctions();
  digestScalar<float>();
  digestScalar<double>();
  digestScalar<int8_t>();
  digestScalar<int16_t>();
  digestScalar<int32_t>();
  digestScalar<int64_t>();
  digestScalar<uint8_t>();
  digestScalar<uint16_t>();
  digestScalar<uint32_t>();
  digestScalar<uint64_t>();
  digestConversions();
  digestSums<float>();
  digestSums<double>();
  digestRandom();
}
