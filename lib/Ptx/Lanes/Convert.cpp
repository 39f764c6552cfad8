// cvt: between integers, floats and narrow floats.

#include "Lanes.h"
#include "NarrowFloat.h"

#include <cmath>

namespace gensyn::ptx::GENSYN_LANES {
namespace {

template <class T> struct Limits {
  static constexpr bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
  static constexpr unsigned width = 8 * sizeof(T);
  static constexpr Unsigned<T> top = Unsigned<T>(1) << (width - 1);
  static constexpr T lowest = isSigned ? static_cast<T>(top) : T(0);
  static constexpr T highest =
      isSigned ? static_cast<T>(top - 1) : static_cast<T>(~Unsigned<T>(0));
};

/// A rounded float as an integer: clamped to the range. The manual's NaN rule:
/// zero, but the top bit alone if a type on either side has 64 bits.
template <class D, class F> inline D clampToInteger(F value) {
  using L = Limits<D>;
  // Both bounds are powers of two or zero, hence exact.
  const F above = static_cast<F>(L::isSigned ? 2.0 : 4.0) *
                  static_cast<F>(uint64_t(1) << (L::width - 2));
  const F lowest = L::isSigned ? -above : F(0);
  constexpr D ofNan =
      sizeof(F) == 8 || sizeof(D) == 8 ? static_cast<D>(L::top) : D(0);
  bool inside = value >= lowest && value < above;
  D result = static_cast<D>(inside ? value : F(0));
  result = value >= above ? L::highest : result;
  result = value < lowest ? L::lowest : result;
  return value != value ? ofNan : result;
}

/// The type in which values of a type are computed: itself, or f32 for the
/// narrow floats.
template <class T> struct Computed {
  using type = T;
  static T widen(T value) { return value; }
};
template <> struct Computed<Half> {
  using type = float;
  static float widen(Half value) { return halfToFloat(value.bits); }
};
template <> struct Computed<Brain> {
  using type = float;
  static float widen(Brain value) {
    return __builtin_bit_cast(float, uint32_t(value.bits) << 16);
  }
};
template <class T> using ComputedType = typename Computed<T>::type;

// An instruction is two loops: one that reads the operand, and one that
// converts what was read. So types of operands and results need a loop each,
// and not each pair of them.

template <class V> struct Values {
  alignas(64) V lanes[warpSize];
};

template <class V, class Function>
inline Values<V> makeValues(Function function) {
  Values<V> values;
  GENSYN_LANES_LOOP
  for (unsigned i = 0; i < warpSize; ++i)
    values.lanes[i] = function(i);
  return values;
}

/// The operands, rounded to integral values where the instruction says so.
template <class S>
[[gnu::noinline]] Values<ComputedType<S>> readFloats(Warp &warp,
                                                     const Code &code) {
  using V = ComputedType<S>;
  const auto *a = words<Word<S>>(warp, code.source[0]);
  auto make = [a](auto round) {
    return makeValues<V>([=](unsigned i) {
      const auto bits = static_cast<Unsigned<S>>(a[i]);
      return round(Computed<S>::widen(__builtin_bit_cast(S, bits)));
    });
  };
  switch (static_cast<Rounding>(code.round)) {
  case Rounding::Rni:
    return make([](V value) { return std::rint(value); });
  case Rounding::Rzi:
    return make([](V value) { return std::trunc(value); });
  case Rounding::Rmi:
    return make([](V value) { return std::floor(value); });
  case Rounding::Rpi:
    return make([](V value) { return std::ceil(value); });
  default:
    return make([](V value) { return value; });
  }
}

template <class S, class V>
[[gnu::noinline]] Values<V> readIntegers(Warp &warp, const Code &code) {
  const auto *a = words<Word<S>>(warp, code.source[0]);
  return makeValues<V>(
      [=](unsigned i) { return static_cast<V>(fromWord<S>(a[i])); });
}

template <class D, class V> inline D convert(V value) {
  using C = ComputedType<D>;
  if constexpr (!IsFloat<C>::value)
    return clampToInteger<D>(value);
  else if constexpr (sizeof(D) == 2)
    return narrow<D>(value);
  else
    return canonicalNan(static_cast<D>(value));
}

template <class D, class V>
[[gnu::noinline]] Status writeConverted(Warp &warp, const Code &code,
                                        uint32_t mask,
                                        const Values<V> &values) {
  setLanes(warp, words<Word<D>>(warp, code.dest[0]), mask,
           [&](unsigned i) { return toWord<D>(convert<D>(values.lanes[i])); });
  return Status::Continue;
}

template <class D, class S>
Status runFromFloat(Warp &warp, const Code &code, uint32_t mask) {
  return writeConverted<D>(warp, code, mask, readFloats<S>(warp, code));
}

// Integers are exact in f64, and for narrow floats no more is needed: 64-bit
// ones are not offered for bf16, and for f16 they overflow before they are
// rounded.
template <class D, class S>
Status runToNarrow(Warp &warp, const Code &code, uint32_t mask) {
  return writeConverted<D>(warp, code, mask,
                           readIntegers<S, double>(warp, code));
}

// Integers to f32 and f64, and to integers modulo their range.
template <class D, class S>
Status runCast(Warp &warp, const Code &code, uint32_t mask) {
  const auto *a = words<Word<S>>(warp, code.source[0]);
  setLanes(warp, words<Word<D>>(warp, code.dest[0]), mask, [=](unsigned i) {
    return toWord<D>(static_cast<D>(fromWord<S>(a[i])));
  });
  return Status::Continue;
}

template <class D>
[[gnu::noinline]] Status writeClamped(Warp &warp, const Code &code,
                                      uint32_t mask,
                                      const Values<__int128> &values) {
  setLanes(warp, words<Word<D>>(warp, code.dest[0]), mask, [&](unsigned i) {
    __int128 value = values.lanes[i];
    value = value > Limits<D>::highest ? Limits<D>::highest : value;
    value = value < Limits<D>::lowest ? Limits<D>::lowest : value;
    return toWord<D>(static_cast<D>(value));
  });
  return Status::Continue;
}

// cvt.sat between integers: clamps to the range of the result.
template <class D, class S>
Status runClamped(Warp &warp, const Code &code, uint32_t mask) {
  return writeClamped<D>(warp, code, mask,
                         readIntegers<S, __int128>(warp, code));
}

// Two f32 to a pair: the first operand is the upper half.
template <class D> Status runPair(Warp &warp, const Code &code, uint32_t mask) {
  return binary<uint32_t>(warp, code, mask, [](uint32_t high, uint32_t low) {
    return toWord<D>(narrow<D>(fromWord<float>(high))) << 16 |
           toWord<D>(narrow<D>(fromWord<float>(low)));
  });
}

template <class D, class S> Handler selectRounding(const Selector &selector) {
  constexpr bool toFloat = IsFloat<ComputedType<D>>::value;
  constexpr bool fromFloat = IsFloat<ComputedType<S>>::value;
  if constexpr (!toFloat && !fromFloat) {
    // Signed or not, the bits of a result are the same.
    return selector.saturate ? runClamped<D, S> : runCast<Unsigned<D>, S>;
  } else if constexpr (!fromFloat) {
    const bool offered = sizeof(S) < 8 || sizeof(D) != 2;
    if (selector.round != Rounding::Rn || !offered)
      return nullptr;
    if constexpr (sizeof(D) == 2)
      return runToNarrow<D, S>;
    else
      return runCast<D, S>;
  } else {
    switch (selector.round) {
    case Rounding::Rni:
    case Rounding::Rzi:
    case Rounding::Rmi:
    case Rounding::Rpi:
      return runFromFloat<D, S>;
    case Rounding::Rn:
    case Rounding::None:
      return toFloat ? runFromFloat<D, S> : nullptr;
    default:
      return nullptr;
    }
  }
}

template <class D> Handler selectSource(const Selector &selector) {
  switch (selector.source) {
  case Type::U8:
    return selectRounding<D, uint8_t>(selector);
  case Type::S8:
    return selectRounding<D, int8_t>(selector);
  case Type::U16:
    return selectRounding<D, uint16_t>(selector);
  case Type::S16:
    return selectRounding<D, int16_t>(selector);
  case Type::U32:
    return selectRounding<D, uint32_t>(selector);
  case Type::S32:
    return selectRounding<D, int32_t>(selector);
  case Type::U64:
    return selectRounding<D, uint64_t>(selector);
  case Type::S64:
    return selectRounding<D, int64_t>(selector);
  case Type::F16:
    return selectRounding<D, Half>(selector);
  case Type::BF16:
    return selectRounding<D, Brain>(selector);
  case Type::F32:
    return selectRounding<D, float>(selector);
  case Type::F64:
    return selectRounding<D, double>(selector);
  default:
    return nullptr;
  }
}

} // namespace

Handler selectConvert(const Selector &selector) {
  if (selector.op != Op::Convert)
    return nullptr;
  switch (selector.type) {
  case Type::U8:
    return selectSource<uint8_t>(selector);
  case Type::S8:
    return selectSource<int8_t>(selector);
  case Type::U16:
    return selectSource<uint16_t>(selector);
  case Type::S16:
    return selectSource<int16_t>(selector);
  case Type::U32:
    return selectSource<uint32_t>(selector);
  case Type::S32:
    return selectSource<int32_t>(selector);
  case Type::U64:
    return selectSource<uint64_t>(selector);
  case Type::S64:
    return selectSource<int64_t>(selector);
  case Type::F16:
    return selectSource<Half>(selector);
  case Type::BF16:
    return selectSource<Brain>(selector);
  case Type::F32:
    return selectSource<float>(selector);
  case Type::F64:
    return selectSource<double>(selector);
  case Type::F16x2:
    return selector.round == Rounding::Rn && selector.source == Type::F32
               ? runPair<Half>
               : nullptr;
  case Type::BF16x2:
    return selector.round == Rounding::Rn && selector.source == Type::F32
               ? runPair<Brain>
               : nullptr;
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES
