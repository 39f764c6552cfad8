// Loops over the lanes of a warp. This header and the sources beside it are
// compiled once per instruction set, into a namespace of its own.

#ifndef GENSYN_PTX_LANES_LANES_H
#define GENSYN_PTX_LANES_LANES_H

#include "../Machine/Machine.h"
#include "../Machine/Selector.h"

// The iterations of a loop over lanes are independent. A short body would be
// unrolled before it is vectorised, which for address arithmetic gives scalar
// code; the pragma prevents that.
#if defined(__clang__)
#define GENSYN_LANES_LOOP _Pragma("clang loop vectorize(assume_safety)")
#define GENSYN_LANES_ROLLED_LOOP                                               \
  _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#elif defined(__GNUC__)
#define GENSYN_LANES_LOOP _Pragma("GCC ivdep")
#define GENSYN_LANES_ROLLED_LOOP _Pragma("GCC ivdep")
#else
#define GENSYN_LANES_LOOP
#define GENSYN_LANES_ROLLED_LOOP
#endif

namespace gensyn::ptx::GENSYN_LANES {

// The families; each returns null for instructions of other families.
Handler selectInteger(const Selector &selector);
Handler selectWideInteger(const Selector &selector);
Handler selectBits(const Selector &selector);
Handler selectFloat(const Selector &selector);
Handler selectNarrow(const Selector &selector);
Handler selectCompare(const Selector &selector);
Handler selectConvert(const Selector &selector);
Handler selectMove(const Selector &selector);
Handler selectMemory(const Selector &selector);
Handler selectMatrix(const Selector &selector);

namespace {

/// The word that holds a value of type `T` in a register.
template <unsigned bytes> struct WordOf {
  using type = uint32_t;
};
template <> struct WordOf<8> {
  using type = uint64_t;
};
template <class T> using Word = typename WordOf<sizeof(T)>::type;

template <unsigned bytes> struct UnsignedOf;
template <> struct UnsignedOf<1> {
  using type = uint8_t;
};
template <> struct UnsignedOf<2> {
  using type = uint16_t;
};
template <> struct UnsignedOf<4> {
  using type = uint32_t;
};
template <> struct UnsignedOf<8> {
  using type = uint64_t;
};
template <class T> using Unsigned = typename UnsignedOf<sizeof(T)>::type;

template <class T> struct IsFloat {
  static constexpr bool value = false;
};
template <> struct IsFloat<float> {
  static constexpr bool value = true;
};
template <> struct IsFloat<double> {
  static constexpr bool value = true;
};

/// The value in a register's word.
template <class T> inline T fromWord(Word<T> word) {
  if constexpr (IsFloat<T>::value)
    return __builtin_bit_cast(T, word);
  else
    return static_cast<T>(word);
}

/// The word of a value, zero-extended.
template <class T> inline Word<T> toWord(T value) {
  return __builtin_bit_cast(Unsigned<T>, value);
}

/// PTX's canonical NaN has all bits but the sign. Tests the bits: LLVM folds
/// `v != v ? nan : v` after a square root to `v`.
template <class T> inline T canonicalNan(T value) {
  using U = Unsigned<T>;
  constexpr U signBit = U(1) << (8 * sizeof(T) - 1);
  constexpr U infinity =
      sizeof(T) == 4 ? U(0x7F800000u) : U(0x7FF0000000000000u);
  U bits = __builtin_bit_cast(U, value);
  bits = (bits & ~signBit) > infinity ? static_cast<U>(~signBit) : bits;
  return __builtin_bit_cast(T, bits);
}

template <class W> inline W *words(Warp &warp, Reference reference) {
  return reinterpret_cast<W *>(warp.bases[reference >> 31] +
                               (reference & ~constantBit));
}

inline uint32_t &predicate(Warp &warp, Reference reference) {
  return *words<uint32_t>(warp, reference);
}

/// Sets the lanes of `mask` in `dest` to `value(lane)`. Lanes that have
/// returned may be overwritten, since they are never read; so most warps have
/// no lane to keep.
template <class W, class Value>
inline void setLanes(Warp &warp, W *dest, uint32_t mask, Value value) {
  // Through a copy: `dest` is often an operand too, and compilers emit scalar
  // code if they cannot exclude aliasing.
  alignas(64) W results[warpSize];
  GENSYN_LANES_LOOP
  for (unsigned i = 0; i < warpSize; ++i)
    results[i] = value(i);
  if ((mask | ~warp.live) != ~0u) {
    GENSYN_LANES_LOOP
    for (unsigned i = 0; i < warpSize; ++i) {
      W fresh = results[i], old = dest[i];
      results[i] = (mask & (1u << i)) != 0 ? fresh : old;
    }
  }
  __builtin_memcpy(dest, results, sizeof(results));
}

/// Gathers `test(lane)` of all lanes into a word.
template <class Test> inline uint32_t testLanes(Test test) {
  alignas(64) uint8_t bits[warpSize];
  GENSYN_LANES_LOOP
  for (unsigned i = 0; i < warpSize; ++i)
    bits[i] = test(i) ? 1 : 0;
#if defined(__clang__)
  using Bytes = uint8_t __attribute__((ext_vector_type(warpSize)));
  using Bits = bool __attribute__((ext_vector_type(warpSize)));
  Bytes bytes;
  __builtin_memcpy(&bytes, bits, sizeof(bytes));
  return __builtin_bit_cast(uint32_t,
                            __builtin_convertvector(bytes != 0, Bits));
#else
  uint32_t result = 0;
  for (unsigned group = 0; group < 4; ++group) {
    uint64_t eight;
    __builtin_memcpy(&eight, bits + 8 * group, 8);
    // The product moves bit 0 of byte k to bit 56 + k.
    result |= static_cast<uint32_t>((eight * 0x0102040810204080u) >> 56)
              << (8 * group);
  }
  return result;
#endif
}

inline void setPredicate(Warp &warp, Reference reference, uint32_t mask,
                         uint32_t value) {
  uint32_t &word = predicate(warp, reference);
  word = (word & ~mask) | (value & mask);
}

template <class T, class F>
inline Status unary(Warp &warp, const Code &code, uint32_t mask, F function) {
  using W = Word<T>;
  const W *a = words<W>(warp, code.source[0]);
  setLanes(warp, words<W>(warp, code.dest[0]), mask,
           [=](unsigned i) { return toWord<T>(function(fromWord<T>(a[i]))); });
  return Status::Continue;
}

template <class T, class F>
inline Status binary(Warp &warp, const Code &code, uint32_t mask, F function) {
  using W = Word<T>;
  const W *a = words<W>(warp, code.source[0]);
  const W *b = words<W>(warp, code.source[1]);
  setLanes(warp, words<W>(warp, code.dest[0]), mask, [=](unsigned i) {
    return toWord<T>(function(fromWord<T>(a[i]), fromWord<T>(b[i])));
  });
  return Status::Continue;
}

template <class T, class F>
inline Status ternary(Warp &warp, const Code &code, uint32_t mask, F function) {
  using W = Word<T>;
  const W *a = words<W>(warp, code.source[0]);
  const W *b = words<W>(warp, code.source[1]);
  const W *c = words<W>(warp, code.source[2]);
  setLanes(warp, words<W>(warp, code.dest[0]), mask, [=](unsigned i) {
    return toWord<T>(
        function(fromWord<T>(a[i]), fromWord<T>(b[i]), fromWord<T>(c[i])));
  });
  return Status::Continue;
}

/// Handlers of the instructions that are `function` of each lane's operands.
template <class T, T (*function)(T)>
Status runUnary(Warp &warp, const Code &code, uint32_t mask) {
  return unary<T>(warp, code, mask, [](T a) { return function(a); });
}
template <class T, T (*function)(T, T)>
Status runBinary(Warp &warp, const Code &code, uint32_t mask) {
  return binary<T>(warp, code, mask, [](T a, T b) { return function(a, b); });
}
template <class T, T (*function)(T, T, T)>
Status runTernary(Warp &warp, const Code &code, uint32_t mask) {
  return ternary<T>(warp, code, mask,
                    [](T a, T b, T c) { return function(a, b, c); });
}

} // namespace
} // namespace gensyn::ptx::GENSYN_LANES

#endif // GENSYN_PTX_LANES_LANES_H
