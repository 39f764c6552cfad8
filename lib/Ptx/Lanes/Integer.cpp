// Integer arithmetic of one width.

#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

template <class T> struct Arithmetic {
  using U = Unsigned<T>;
  static constexpr bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
  static constexpr T lowest =
      isSigned ? static_cast<T>(U(1) << (8 * sizeof(T) - 1)) : T(0);

  // Sums and products are formed without sign, where overflow wraps; 16-bit
  // operands would be promoted to int, hence the 64-bit type.
  static T add(T a, T b) { return static_cast<T>(uint64_t(a) + uint64_t(b)); }
  static T sub(T a, T b) { return static_cast<T>(uint64_t(a) - uint64_t(b)); }
  static T mul(T a, T b) {
    if constexpr (sizeof(T) <= 4)
      return static_cast<T>(uint32_t(a) * uint32_t(b));
    else
      return static_cast<T>(uint64_t(a) * uint64_t(b));
  }
  static T mulHi(T a, T b) {
    if constexpr (sizeof(T) == 8 && isSigned)
      return static_cast<T>((static_cast<__int128>(a) * b) >> 64);
    else if constexpr (sizeof(T) == 8)
      return static_cast<T>((static_cast<unsigned __int128>(a) * b) >> 64);
    else if constexpr (isSigned)
      return static_cast<T>((int64_t(a) * int64_t(b)) >> (8 * sizeof(T)));
    else
      return static_cast<T>((uint64_t(a) * uint64_t(b)) >> (8 * sizeof(T)));
  }
  // PTX leaves division by zero undefined: an arbitrary pattern exposes a
  // program that does not replace the result.
  static T div(T a, T b) {
    if (b == 0)
      return static_cast<T>(0x5AA55AA55AA55AA5u);
    if (isSigned && b == static_cast<T>(-1))
      return sub(0, a);
    return static_cast<T>(a / b);
  }
  static T rem(T a, T b) {
    if (b == 0)
      return static_cast<T>(0xA55AA55AA55AA55Au);
    if (isSigned && b == static_cast<T>(-1))
      return 0;
    return static_cast<T>(a % b);
  }
  static T abs(T a) { return a < 0 ? sub(0, a) : a; }
  static T neg(T a) { return sub(0, a); }
  static T min(T a, T b) { return a < b ? a : b; }
  static T max(T a, T b) { return a > b ? a : b; }
  static T relu(T a) { return max(a, 0); }
  static T sad(T a, T b, T c) { return add(c, a < b ? sub(b, a) : sub(a, b)); }
  static T madLo(T a, T b, T c) { return add(mul(a, b), c); }
  static T madHi(T a, T b, T c) { return add(mulHi(a, b), c); }
};

// add.sat.s32 and sub.sat.s32: the only saturating ones.
template <bool subtract>
Status runSaturated(Warp &warp, const Code &code, uint32_t mask) {
  return binary<int32_t>(warp, code, mask, [](int32_t a, int32_t b) {
    int64_t exact = subtract ? int64_t(a) - b : int64_t(a) + b;
    exact = exact > INT32_MAX ? INT32_MAX : exact;
    return static_cast<int32_t>(exact < INT32_MIN ? INT32_MIN : exact);
  });
}

template <class T> Handler selectType(Op op) {
  using A = Arithmetic<T>;
  switch (op) {
  case Op::Add:
    return runBinary<T, A::add>;
  case Op::Sub:
    return runBinary<T, A::sub>;
  case Op::MulLo:
    return runBinary<T, A::mul>;
  case Op::MulHi:
    return runBinary<T, A::mulHi>;
  case Op::MadLo:
    return runTernary<T, A::madLo>;
  case Op::MadHi:
    return runTernary<T, A::madHi>;
  case Op::Div:
    return runBinary<T, A::div>;
  case Op::Rem:
    return runBinary<T, A::rem>;
  case Op::Abs:
    return runUnary<T, A::abs>;
  case Op::Neg:
    return runUnary<T, A::neg>;
  case Op::Min:
    return runBinary<T, A::min>;
  case Op::Max:
    return runBinary<T, A::max>;
  case Op::Relu: // PTX has it for s32 and s16x2; pairs are not supported
    return std::is_same_v<T, int32_t> ? runUnary<T, A::relu> : nullptr;
  case Op::Sad:
    return runTernary<T, A::sad>;
  default:
    return nullptr;
  }
}

/// Both halves of a word.
template <class T, T (*function)(T, T)>
Status runPair(Warp &warp, const Code &code, uint32_t mask) {
  return binary<uint32_t>(warp, code, mask, [](uint32_t a, uint32_t b) {
    const auto half = [=](unsigned shift) {
      return static_cast<uint16_t>(
          function(static_cast<T>(a >> shift), static_cast<T>(b >> shift)));
    };
    return half(0) | uint32_t(half(16)) << 16;
  });
}

template <class T> Handler selectPair(Op op) {
  using A = Arithmetic<T>;
  switch (op) {
  case Op::Add:
    return runPair<T, A::add>;
  case Op::Min:
    return runPair<T, A::min>;
  case Op::Max:
    return runPair<T, A::max>;
  default:
    return nullptr;
  }
}

} // namespace

Handler selectInteger(const Selector &selector) {
  if (selector.saturate) {
    if (selector.type != Type::S32)
      return nullptr;
    return selector.op == Op::Add   ? runSaturated<false>
           : selector.op == Op::Sub ? runSaturated<true>
                                    : nullptr;
  }
  switch (selector.type) {
  case Type::U16:
    return selectType<uint16_t>(selector.op);
  case Type::S16:
    return selectType<int16_t>(selector.op);
  case Type::U16x2:
    return selectPair<uint16_t>(selector.op);
  case Type::S16x2:
    return selectPair<int16_t>(selector.op);
  case Type::U32:
    return selectType<uint32_t>(selector.op);
  case Type::S32:
    return selectType<int32_t>(selector.op);
  case Type::U64:
    return selectType<uint64_t>(selector.op);
  case Type::S64:
    return selectType<int64_t>(selector.op);
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES
