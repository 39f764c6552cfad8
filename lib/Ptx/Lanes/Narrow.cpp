// Arithmetic on f16 and bf16, alone and in pairs. A result is computed in f64
// such that rounding it once more is exact: a sum that f64 cannot represent is
// rounded to odd.

#include "FloatArithmetic.h"
#include "NarrowFloat.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

inline float toFloat(Half value) { return halfToFloat(value.bits); }
inline float toFloat(Brain value) {
  return __builtin_bit_cast(float, uint32_t(value.bits) << 16);
}

/// a + b, where the last place of an inexact sum is 1. The error is Knuth's
/// (TwoSum), exact for all sums that do not overflow; a NaN's compares false.
inline double addToOdd(double a, double b) {
  double sum = a + b;
  double part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  auto bits = __builtin_bit_cast(uint64_t, sum);
  bool isEven = (bits & 1) == 0;
  uint64_t away = (error > 0) == (sum > 0) ? 1 : ~uint64_t(0);
  bits += isEven && (error > 0 || error < 0) ? away : 0;
  return __builtin_bit_cast(double, bits);
}

template <class D> struct NarrowArithmetic {
  using F = FloatArithmetic<float>;
  static uint16_t bits(D value) { return value.bits; }
  static D fromFloat(float value) { return narrow<D>(value); }

  // Two operands of 11 bits have a product of 22, which f64 holds.
  static D add(D a, D b) { return narrow<D>(addToOdd(toFloat(a), toFloat(b))); }
  static D sub(D a, D b) {
    return narrow<D>(addToOdd(toFloat(a), -toFloat(b)));
  }
  static D mul(D a, D b) {
    return narrow<D>(double(toFloat(a)) * double(toFloat(b)));
  }
  static D fma(D a, D b, D c) {
    double product = double(toFloat(a)) * double(toFloat(b));
    return narrow<D>(addToOdd(product, toFloat(c)));
  }
  static D neg(D a) { return fromFloat(F::neg(toFloat(a))); }
  static D abs(D a) { return fromFloat(F::abs(toFloat(a))); }
  static D minNumber(D a, D b) {
    return fromFloat(F::minNumber(toFloat(a), toFloat(b)));
  }
  static D maxNumber(D a, D b) {
    return fromFloat(F::maxNumber(toFloat(a), toFloat(b)));
  }
  static D minNan(D a, D b) {
    return fromFloat(F::minNan(toFloat(a), toFloat(b)));
  }
  static D maxNan(D a, D b) {
    return fromFloat(F::maxNan(toFloat(a), toFloat(b)));
  }
  static D saturate(D a) { return fromFloat(F::saturate(toFloat(a))); }
  static D relu(D a) { return fromFloat(F::relu(toFloat(a))); }
};

/// Applies an operation to one narrow float or to both of a pair.
template <class D, bool isPair, class F> inline uint32_t each(F function) {
  uint32_t low = function(0u).bits;
  if constexpr (isPair)
    return low | uint32_t(function(16u).bits) << 16;
  return low;
}
template <class D> inline D part(uint32_t word, unsigned shift) {
  return {static_cast<uint16_t>(word >> shift)};
}

template <class D, bool isPair, D (*function)(D)>
Status runNarrow1(Warp &warp, const Code &code, uint32_t mask) {
  return unary<uint32_t>(warp, code, mask, [](uint32_t a) {
    return each<D, isPair>(
        [=](unsigned shift) { return function(part<D>(a, shift)); });
  });
}
template <class D, bool isPair, D (*function)(D, D)>
Status runNarrow2(Warp &warp, const Code &code, uint32_t mask) {
  return binary<uint32_t>(warp, code, mask, [](uint32_t a, uint32_t b) {
    return each<D, isPair>([=](unsigned shift) {
      return function(part<D>(a, shift), part<D>(b, shift));
    });
  });
}
template <class D, bool isPair, D (*function)(D, D, D)>
Status runNarrow3(Warp &warp, const Code &code, uint32_t mask) {
  return ternary<uint32_t>(
      warp, code, mask, [](uint32_t a, uint32_t b, uint32_t c) {
        return each<D, isPair>([=](unsigned shift) {
          return function(part<D>(a, shift), part<D>(b, shift),
                          part<D>(c, shift));
        });
      });
}

template <class D, bool isPair> Handler selectNarrowOp(Op op) {
  using A = NarrowArithmetic<D>;
  switch (op) {
  case Op::FloatAdd:
    return runNarrow2<D, isPair, A::add>;
  case Op::FloatSub:
    return runNarrow2<D, isPair, A::sub>;
  case Op::FloatMul:
    return runNarrow2<D, isPair, A::mul>;
  case Op::FloatFma:
    return runNarrow3<D, isPair, A::fma>;
  case Op::FloatNeg:
    return runNarrow1<D, isPair, A::neg>;
  case Op::FloatAbs:
    return runNarrow1<D, isPair, A::abs>;
  case Op::FloatMin:
    return runNarrow2<D, isPair, A::minNumber>;
  case Op::FloatMax:
    return runNarrow2<D, isPair, A::maxNumber>;
  case Op::FloatMinNan:
    return runNarrow2<D, isPair, A::minNan>;
  case Op::FloatMaxNan:
    return runNarrow2<D, isPair, A::maxNan>;
  case Op::FloatSaturate:
    return runNarrow1<D, isPair, A::saturate>;
  case Op::FloatRelu:
    return runNarrow1<D, isPair, A::relu>;
  default:
    return nullptr;
  }
}

} // namespace

Handler selectNarrow(const Selector &selector) {
  switch (selector.type) {
  case Type::F16:
    return selectNarrowOp<Half, false>(selector.op);
  case Type::F16x2:
    return selectNarrowOp<Half, true>(selector.op);
  case Type::BF16:
    return selectNarrowOp<Brain, false>(selector.op);
  case Type::BF16x2:
    return selectNarrowOp<Brain, true>(selector.op);
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES
