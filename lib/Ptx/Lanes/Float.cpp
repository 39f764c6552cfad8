// f32 and f64 arithmetic, rounded to nearest even. A NaN result is PTX's
// canonical one: all bits but the sign are set.

#include "FloatArithmetic.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

// Two f32 in one 64-bit register.
template <float (*function)(float, float)>
double pairBinary(double a, double b) {
  uint64_t x = __builtin_bit_cast(uint64_t, a);
  uint64_t y = __builtin_bit_cast(uint64_t, b);
  uint64_t result = 0;
  for (unsigned half = 0; half < 64; half += 32)
    result |=
        uint64_t(toWord<float>(function(fromWord<float>(uint32_t(x >> half)),
                                        fromWord<float>(uint32_t(y >> half)))))
        << half;
  return __builtin_bit_cast(double, result);
}
double pairFma(double a, double b, double c) {
  uint64_t x = __builtin_bit_cast(uint64_t, a);
  uint64_t y = __builtin_bit_cast(uint64_t, b);
  uint64_t z = __builtin_bit_cast(uint64_t, c);
  uint64_t result = 0;
  for (unsigned half = 0; half < 64; half += 32)
    result |= uint64_t(toWord<float>(FloatArithmetic<float>::fma(
                  fromWord<float>(uint32_t(x >> half)),
                  fromWord<float>(uint32_t(y >> half)),
                  fromWord<float>(uint32_t(z >> half)))))
              << half;
  return __builtin_bit_cast(double, result);
}

template <class T>
Status runTestp(Warp &warp, const Code &code, uint32_t mask) {
  using A = FloatArithmetic<T>;
  using U = Unsigned<T>;
  constexpr U magnitudeMask = static_cast<U>(~A::signBit);
  const U infinity = A::bits(static_cast<T>(__builtin_inff()));
  const U smallestNormal = U(1) << (sizeof(T) == 4 ? 23 : 52);
  const U *a = words<U>(warp, code.source[0]);
  auto kind = static_cast<FloatClass>(code.detail);
  uint32_t bits = testLanes([=](unsigned i) {
    U magnitude = a[i] & magnitudeMask;
    bool isSubnormal = magnitude != 0 && magnitude < smallestNormal;
    switch (kind) {
    case FloatClass::Finite:
      return magnitude < infinity;
    case FloatClass::Infinite:
      return magnitude == infinity;
    case FloatClass::Number:
      return magnitude <= infinity;
    case FloatClass::NotANumber:
      return magnitude > infinity;
    case FloatClass::Normal: // zeros count as normal
      return magnitude < infinity && !isSubnormal;
    case FloatClass::Subnormal:
      return isSubnormal;
    }
    return false;
  });
  setPredicate(warp, code.dest[0], mask, bits);
  return Status::Continue;
}

template <class T> Handler selectType(Op op) {
  using A = FloatArithmetic<T>;
  switch (op) {
  case Op::FloatAdd:
    return runBinary<T, A::add>;
  case Op::FloatSub:
    return runBinary<T, A::sub>;
  case Op::FloatMul:
    return runBinary<T, A::mul>;
  case Op::FloatDiv:
    return runBinary<T, A::div>;
  case Op::FloatFma:
    return runTernary<T, A::fma>;
  case Op::FloatSqrt:
    return runUnary<T, A::sqrt>;
  case Op::FloatRcp:
    return runUnary<T, A::rcp>;
  case Op::FloatNeg:
    return runUnary<T, A::neg>;
  case Op::FloatAbs:
    return runUnary<T, A::abs>;
  case Op::FloatMin:
    return runBinary<T, A::minNumber>;
  case Op::FloatMax:
    return runBinary<T, A::maxNumber>;
  case Op::FloatMinNan:
    return runBinary<T, A::minNan>;
  case Op::FloatMaxNan:
    return runBinary<T, A::maxNan>;
  case Op::FloatSaturate:
    return runUnary<T, A::saturate>;
  case Op::FloatRelu:
    return runUnary<T, A::relu>;
  case Op::Copysign:
    return runBinary<T, A::copysign>;
  case Op::Testp:
    return runTestp<T>;
  default:
    return nullptr;
  }
}

} // namespace

Handler selectFloat(const Selector &selector) {
  using A = FloatArithmetic<float>;
  switch (selector.type) {
  case Type::F32:
    return selectType<float>(selector.op);
  case Type::F64:
    return selectType<double>(selector.op);
  case Type::F32x2:
    return selector.op == Op::FloatAdd   ? runBinary<double, pairBinary<A::add>>
           : selector.op == Op::FloatSub ? runBinary<double, pairBinary<A::sub>>
           : selector.op == Op::FloatMul ? runBinary<double, pairBinary<A::mul>>
           : selector.op == Op::FloatFma ? runTernary<double, pairFma>
                                         : nullptr;
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES
