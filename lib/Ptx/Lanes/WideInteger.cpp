// Integer arithmetic whose operands and results differ in width, the carry
// chains and the dot product of bytes.

#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

// mul.wide and mad.wide: the result has twice the width.
template <class T, class D, bool accumulate>
Status runWide(Warp &warp, const Code &code, uint32_t mask) {
  const auto *a = words<Word<T>>(warp, code.source[0]);
  const auto *b = words<Word<T>>(warp, code.source[1]);
  const auto *c = accumulate ? words<Word<D>>(warp, code.source[2]) : nullptr;
  setLanes(warp, words<Word<D>>(warp, code.dest[0]), mask, [=](unsigned i) {
    using U = Unsigned<D>;
    U product =
        static_cast<U>(static_cast<U>(static_cast<D>(fromWord<T>(a[i]))) *
                       static_cast<U>(static_cast<D>(fromWord<T>(b[i]))));
    if constexpr (accumulate)
      product = static_cast<U>(product + fromWord<U>(c[i]));
    return toWord<U>(product);
  });
  return Status::Continue;
}

template <bool accumulate> Handler selectWide(Type type) {
  switch (type) {
  case Type::U16:
    return runWide<uint16_t, uint32_t, accumulate>;
  case Type::S16:
    return runWide<int16_t, int32_t, accumulate>;
  case Type::U32:
    return runWide<uint32_t, uint64_t, accumulate>;
  case Type::S32:
    return runWide<int32_t, int64_t, accumulate>;
  default:
    return nullptr;
  }
}

// addc, subc, madc: the carry flag is a bit per lane beside the registers.
template <class T, Op op>
Status runCarry(Warp &warp, const Code &code, uint32_t mask) {
  using Wide = unsigned __int128;
  constexpr bool isMad = op == Op::MadLoCarry || op == Op::MadHiCarry;
  const T *a = words<T>(warp, code.source[0]);
  const T *b = words<T>(warp, code.source[1]);
  const T *c = isMad ? words<T>(warp, code.source[2]) : nullptr;
  T *dest = words<T>(warp, code.dest[0]);
  for (unsigned i = 0; i < warpSize; ++i) {
    if ((mask >> i & 1) == 0)
      continue;
    uint32_t carryIn = (code.detail & 1) ? warp.carry >> i & 1 : 0;
    Wide result;
    if constexpr (op == Op::AddCarry) {
      result = Wide(a[i]) + b[i] + carryIn;
    } else if constexpr (op == Op::SubCarry) {
      // The flag is the borrow: the bit above the difference.
      result = Wide(a[i]) - b[i] - carryIn;
    } else {
      Wide product = Wide(a[i]) * b[i];
      product = op == Op::MadHiCarry ? product >> (8 * sizeof(T)) : product;
      result = Wide(T(product)) + c[i] + carryIn;
    }
    uint32_t carryOut = uint32_t(result >> (8 * sizeof(T))) & 1;
    dest[i] = T(result);
    if (code.detail & 2)
      warp.carry = (warp.carry & ~(1u << i)) | (carryOut << i);
  }
  return Status::Continue;
}

template <class T> Handler selectCarry(Op op) {
  switch (op) {
  case Op::AddCarry:
    return runCarry<T, Op::AddCarry>;
  case Op::SubCarry:
    return runCarry<T, Op::SubCarry>;
  case Op::MadLoCarry:
    return runCarry<T, Op::MadLoCarry>;
  case Op::MadHiCarry:
    return runCarry<T, Op::MadHiCarry>;
  default:
    return nullptr;
  }
}

template <class A, class B> uint32_t dot4(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned byte = 0; byte < 4; ++byte)
    c += static_cast<uint32_t>(int32_t(static_cast<A>(a >> (8 * byte))) *
                               int32_t(static_cast<B>(b >> (8 * byte))));
  return c;
}

template <class A, class B>
Status runDot4(Warp &warp, const Code &code, uint32_t mask) {
  return ternary<uint32_t>(warp, code, mask, dot4<A, B>);
}

/// Two 16-bit parts of a with the lower or upper two bytes of b.
template <class A, class B>
Status runDot2(Warp &warp, const Code &code, uint32_t mask) {
  unsigned from = code.detail != 0 ? 16 : 0;
  return ternary<uint32_t>(
      warp, code, mask, [from](uint32_t a, uint32_t b, uint32_t c) {
        for (unsigned i = 0; i < 2; ++i)
          c += static_cast<uint32_t>(
              int32_t(static_cast<A>(a >> (16 * i))) *
              int32_t(static_cast<B>(b >> (from + 8 * i))));
        return c;
      });
}

// mul24 and mad24: products of the low 24 bits, of which .lo keeps the lower
// and .hi the upper 32 of 48.
template <class T, bool high>
inline uint32_t product24(uint32_t a, uint32_t b) {
  int64_t x = static_cast<T>(a << 8) >> 8, y = static_cast<T>(b << 8) >> 8;
  auto product = static_cast<uint64_t>(x * y);
  return static_cast<uint32_t>(high ? product >> 16 : product);
}
template <class T, bool high, bool accumulate>
Status run24(Warp &warp, const Code &code, uint32_t mask) {
  if constexpr (accumulate)
    return ternary<uint32_t>(warp, code, mask,
                             [](uint32_t a, uint32_t b, uint32_t c) {
                               return product24<T, high>(a, b) + c;
                             });
  else
    return binary<uint32_t>(warp, code, mask, [](uint32_t a, uint32_t b) {
      return product24<T, high>(a, b);
    });
}
template <class T> Handler select24(Op op) {
  return op == Op::MulLo24   ? run24<T, false, false>
         : op == Op::MulHi24 ? run24<T, true, false>
         : op == Op::MadLo24 ? run24<T, false, true>
                             : run24<T, true, true>;
}

} // namespace

Handler selectWideInteger(const Selector &selector) {
  switch (selector.op) {
  case Op::MulWide:
    return selectWide<false>(selector.type);
  case Op::MadWide:
    return selectWide<true>(selector.type);
  case Op::AddCarry:
  case Op::SubCarry:
  case Op::MadLoCarry:
  case Op::MadHiCarry:
    if (selector.type == Type::U32 || selector.type == Type::S32)
      return selectCarry<uint32_t>(selector.op);
    if (selector.type == Type::U64 || selector.type == Type::S64)
      return selectCarry<uint64_t>(selector.op);
    return nullptr;
  case Op::Dot4:
    if (selector.type == Type::S32)
      return selector.source == Type::S32 ? runDot4<int8_t, int8_t>
                                          : runDot4<int8_t, uint8_t>;
    return selector.source == Type::S32 ? runDot4<uint8_t, int8_t>
                                        : runDot4<uint8_t, uint8_t>;
  case Op::Dot2:
    if (selector.type == Type::S32)
      return selector.source == Type::S32 ? runDot2<int16_t, int8_t>
                                          : runDot2<int16_t, uint8_t>;
    return selector.source == Type::S32 ? runDot2<uint16_t, int8_t>
                                        : runDot2<uint16_t, uint8_t>;
  case Op::MulLo24:
  case Op::MulHi24:
  case Op::MadLo24:
  case Op::MadHi24:
    return selector.type == Type::S32   ? select24<int32_t>(selector.op)
           : selector.type == Type::U32 ? select24<uint32_t>(selector.op)
                                        : nullptr;
  default:
    return nullptr;
  }
}

} // namespace gensyn::ptx::GENSYN_LANES
