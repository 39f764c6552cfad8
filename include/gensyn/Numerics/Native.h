// The policy that evaluates, on plain scalars; see Arithmetic.h.

#ifndef GENSYN_NUMERICS_NATIVE_H
#define GENSYN_NUMERICS_NATIVE_H

#include "gensyn/Numerics/Arithmetic.h"
#include "gensyn/Numerics/Order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gensyn {

/// Evaluates a description. Needs -ffp-contract=off; `fma` and `sqrt` are
/// correctly rounded with and without the machine's own instruction, since the
/// C library's are.
struct Native {
  static constexpr bool kSplitChains = false;

  using F32 = float;
  using F64 = double;
  using I32 = uint32_t;
  using I64 = uint64_t;
  using Mask = bool;
  using Index = int64_t;

  static F32 f32(float c) { return c; }
  static F64 f64(double c) { return c; }
  static I32 i32(uint32_t c) { return c; }
  static I64 i64(uint64_t c) { return c; }
  static Index index(int64_t c) { return c; }

  static F64 widen(F32 x) { return static_cast<double>(x); }
  static F32 narrow(F64 x) { return static_cast<float>(x); }
  static F32 fma(F32 a, F32 b, F32 c) { return __builtin_fmaf(a, b, c); }
  static F64 fma(F64 a, F64 b, F64 c) { return __builtin_fma(a, b, c); }
  static F32 sqrt(F32 x) { return __builtin_sqrtf(x); }
  static F64 sqrt(F64 x) { return __builtin_sqrt(x); }
  static F32 abs(F32 x) { return __builtin_fabsf(x); }
  static F64 abs(F64 x) { return __builtin_fabs(x); }

  static I32 bits(F32 x) { return std::bit_cast<I32>(x); }
  static I64 bits(F64 x) { return std::bit_cast<I64>(x); }
  static F32 real(I32 x) { return std::bit_cast<F32>(x); }
  static F64 real(I64 x) { return std::bit_cast<F64>(x); }
  static I32 sar(I32 x, int n) {
    return static_cast<I32>(static_cast<int32_t>(x) >> n);
  }
  static I64 sar(I64 x, int n) {
    return static_cast<I64>(static_cast<int64_t>(x) >> n);
  }
  static I64 shiftLeft(I64 x, I64 n) { return x << n; }
  static I64 shiftRight(I64 x, I64 n) { return x >> n; }
  static I64 extend(I32 x) { return x; }
  static I32 truncate(I64 x) { return static_cast<I32>(x); }

  static Mask isNan(F32 x) { return x != x; }
  static Mask isNan(F64 x) { return x != x; }
  template <class T> static T select(Mask m, T a, T b) { return m ? a : b; }

  static Index position(I64 x) { return static_cast<Index>(x); }
  static I64 number(Index i) { return static_cast<I64>(i); }
  static Index minimum(Index a, Index b) { return std::min(a, b); }
  static Index quotient(Index x, int64_t c) { return x / c; }

  template <class V, class Body>
  static V loop(Index begin, Index end, Index step, V carried, Body &&body) {
    for (Index i = begin; i < end; i += step)
      carried = body(i, std::move(carried));
    return carried;
  }
  template <class Body>
  static void forEach(Index begin, Index end, Index step, Body &&body) {
    for (Index i = begin; i < end; i += step)
      body(i);
  }

  /// On the stack; only the lanes in use are touched.
  template <class V> struct Lanes {
    std::array<V, Order::kMaxLanes> cells;
  };
  template <class V> static Lanes<V> lanes(int64_t count, V identity) {
    Lanes<V> store;
    std::fill_n(store.cells.begin(), count, identity);
    return store;
  }
  template <class V> static V lane(const Lanes<V> &store, Index l) {
    return store.cells[static_cast<size_t>(l)];
  }
  template <class V> static void setLane(Lanes<V> &store, Index l, V value) {
    store.cells[static_cast<size_t>(l)] = std::move(value);
  }
};

static_assert(Arithmetic<Native> && DigitArithmetic<Native>);

} // namespace gensyn

#endif // GENSYN_NUMERICS_NATIVE_H
