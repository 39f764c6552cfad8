// The operations that the template of a function or a reduction may use.
//
// The descriptions in this folder are templates over a *policy* A, an object
// that gives the types and members below. Reading one with `Native` evaluates
// it, with `Cost` counts it; a policy whose types hold IR values emits it. So
// the evaluator is the oracle of the emitter. For this to work a description
// has no C++ branch on data, only `select` and `loop`.
//
// Types, all copyable values:
//   F32 F64     IEEE 754 binary32 and binary64, or vectors of them
//   I32 I64     integers modulo 2^32 and 2^64, of no signedness
//   Mask        the result of a comparison
//   Index       a position or length in a loop; a scalar even where F32 is a
//               vector
// Operators:
//   F32, F64    + - * / and unary -, each rounded to nearest even, never fused;
//               < <= > >= == != (IEEE: a NaN makes all but != false) -> Mask
//   I32, I64    + - * & | ^ (wrapping); << >> by a C++ int below the width, >>
//               shifts in zeros; == != -> Mask
//   Mask        & | !
//   Index       + - * (no overflow by the caller's promise)
// Members, all const, so that a policy may be a temporary:
//   f32(float) f64(double) i32(uint32_t) i64(uint64_t) index(int64_t)
//               constants, bit for bit (NaN payloads and -0 too)
//   widen(F32) -> F64, narrow(F64) -> F32
//               exact; correctly rounded (overflow to infinity, subnormals)
//   fma(a, b, c) sqrt(x) abs(x)
//               for F32 and F64: one rounding; abs clears the sign bit
//   bits(F32) -> I32, bits(F64) -> I64, real(I32) -> F32, real(I64) -> F64
//               reinterpretation
//   sar(x, int) arithmetic shift right of I32 or I64
//   extend(I32) -> I64, truncate(I64) -> I32
//               zero extension; the low half
//   isNan(F32) isNan(F64) -> Mask
//   select(Mask, T, T) -> T
//               for F32 F64 I32 I64: a choice of bits; both sides are computed
//   minimum(Index, Index) -> Index, quotient(Index, int64_t c) -> Index
//               the smaller; x / c rounded down for x >= 0 and c > 0
//   loop(begin, end, step, carried, body) -> V
//               for (Index i = begin; i < end; i += step)
//                 carried = body(i, carried);
//               in this order. V is any one type that the policy can carry:
//               at least F32 F64 I32 I64. `body` may be called once only (by
//               an emitter) and must not keep state between calls.
//   forEach(begin, end, step, body)
//               the same without a value; body(i) has effects on lanes only
//   lanes(int64_t count, V identity)
//               a small store of `count` values (2 to 1024), each `identity`
//   lane(store, Index) -> V, setLane(store, Index, V)
//               read and write one of them; `store` is passed by reference
// For exact sums (ExactSum.h) also:
//   shiftLeft(I64, I64 n) shiftRight(I64, I64 n) -> I64
//               by a count below 64 that is data; zeros shift in
//   position(I64) -> Index, number(Index) -> I64
//               conversion between data and an index, both below 2^31
// Constant:
//   kSplitChains
//               true on CPUs with vectors: polynomials are evaluated as two
//               chains over even and odd powers (lower latency, one more
//               operation), quotients by division. If false: one Horner chain,
//               and a reciprocal. It affects speed only: results are correctly
//               rounded.

#ifndef GENSYN_NUMERICS_ARITHMETIC_H
#define GENSYN_NUMERICS_ARITHMETIC_H

#include <concepts>
#include <cstdint>
#include <utility>

namespace gensyn {

namespace detail {
/// Loop bodies for the concept's checks.
struct AnyBody {
  template <class Index, class V> V operator()(Index, V v) const { return v; }
  template <class Index> void operator()(Index) const {}
};

template <class A, class T>
concept FloatOf = requires(const A &a, T x, typename A::Mask m) {
  { x + x } -> std::convertible_to<T>;
  { x - x } -> std::convertible_to<T>;
  { x * x } -> std::convertible_to<T>;
  { x / x } -> std::convertible_to<T>;
  { -x } -> std::convertible_to<T>;
  { x < x } -> std::convertible_to<typename A::Mask>;
  { x <= x } -> std::convertible_to<typename A::Mask>;
  { x > x } -> std::convertible_to<typename A::Mask>;
  { x >= x } -> std::convertible_to<typename A::Mask>;
  { x == x } -> std::convertible_to<typename A::Mask>;
  { x != x } -> std::convertible_to<typename A::Mask>;
  { a.fma(x, x, x) } -> std::convertible_to<T>;
  { a.sqrt(x) } -> std::convertible_to<T>;
  { a.abs(x) } -> std::convertible_to<T>;
  { a.isNan(x) } -> std::convertible_to<typename A::Mask>;
  { a.select(m, x, x) } -> std::convertible_to<T>;
};

template <class A, class T>
concept IntegerOf = requires(const A &a, T x, typename A::Mask m) {
  { x + x } -> std::convertible_to<T>;
  { x - x } -> std::convertible_to<T>;
  { x * x } -> std::convertible_to<T>;
  { x & x } -> std::convertible_to<T>;
  { x | x } -> std::convertible_to<T>;
  { x ^ x } -> std::convertible_to<T>;
  { x << 1 } -> std::convertible_to<T>;
  { x >> 1 } -> std::convertible_to<T>;
  { x == x } -> std::convertible_to<typename A::Mask>;
  { x != x } -> std::convertible_to<typename A::Mask>;
  { a.sar(x, 1) } -> std::convertible_to<T>;
  { a.select(m, x, x) } -> std::convertible_to<T>;
};
} // namespace detail

/// Scalars or vectors and the operations on them: enough for the functions.
template <class A>
concept ElementwiseArithmetic =
    detail::FloatOf<A, typename A::F32> &&
    detail::FloatOf<A, typename A::F64> &&
    detail::IntegerOf<A, typename A::I32> &&
    detail::IntegerOf<A, typename A::I64> &&
    requires(const A &a, typename A::F32 f, typename A::F64 d,
             typename A::I32 i, typename A::I64 l, typename A::Mask m) {
      { A::kSplitChains } -> std::convertible_to<bool>;
      { a.f32(1.0f) } -> std::convertible_to<typename A::F32>;
      { a.f64(1.0) } -> std::convertible_to<typename A::F64>;
      { a.i32(uint32_t{1}) } -> std::convertible_to<typename A::I32>;
      { a.i64(uint64_t{1}) } -> std::convertible_to<typename A::I64>;
      { a.widen(f) } -> std::convertible_to<typename A::F64>;
      { a.narrow(d) } -> std::convertible_to<typename A::F32>;
      { a.bits(f) } -> std::convertible_to<typename A::I32>;
      { a.bits(d) } -> std::convertible_to<typename A::I64>;
      { a.real(i) } -> std::convertible_to<typename A::F32>;
      { a.real(l) } -> std::convertible_to<typename A::F64>;
      { a.extend(i) } -> std::convertible_to<typename A::I64>;
      { a.truncate(l) } -> std::convertible_to<typename A::I32>;
      { m & m } -> std::convertible_to<typename A::Mask>;
      { m | m } -> std::convertible_to<typename A::Mask>;
      { !m } -> std::convertible_to<typename A::Mask>;
    };

/// Loops and lanes: enough for the reductions.
template <class A>
concept LoopArithmetic =
    requires(const A &a, typename A::Index i, typename A::F32 f) {
      { a.index(int64_t{1}) } -> std::convertible_to<typename A::Index>;
      { i + i } -> std::convertible_to<typename A::Index>;
      { i - i } -> std::convertible_to<typename A::Index>;
      { i * i } -> std::convertible_to<typename A::Index>;
      { a.minimum(i, i) } -> std::convertible_to<typename A::Index>;
      { a.quotient(i, int64_t{2}) } -> std::convertible_to<typename A::Index>;
      {
        a.loop(i, i, i, f, detail::AnyBody())
      } -> std::convertible_to<typename A::F32>;
      a.forEach(i, i, i, detail::AnyBody());
      requires requires(decltype(a.lanes(int64_t{2}, f)) &store) {
        { a.lane(store, i) } -> std::convertible_to<typename A::F32>;
        a.setLane(store, i, f);
      };
    };

/// Data-dependent digit positions, as exact sums need. Scalars only, since an
/// Index is a scalar.
template <class A>
concept DigitArithmetic =
    ElementwiseArithmetic<A> && LoopArithmetic<A> &&
    requires(const A &a, typename A::I64 l, typename A::Index i) {
      { a.shiftLeft(l, l) } -> std::convertible_to<typename A::I64>;
      { a.shiftRight(l, l) } -> std::convertible_to<typename A::I64>;
      { a.position(l) } -> std::convertible_to<typename A::Index>;
      { a.number(i) } -> std::convertible_to<typename A::I64>;
    };

/// Elements and loops: what most descriptions need.
template <class A>
concept Arithmetic = ElementwiseArithmetic<A> && LoopArithmetic<A>;

} // namespace gensyn

#endif // GENSYN_NUMERICS_ARITHMETIC_H
