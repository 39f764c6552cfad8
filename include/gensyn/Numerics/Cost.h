// The policy that counts operations; see Arithmetic.h.

#ifndef GENSYN_NUMERICS_COST_H
#define GENSYN_NUMERICS_COST_H

#include "gensyn/Numerics/Arithmetic.h"

#include <algorithm>
#include <cstdint>

namespace gensyn {

/// Operations by their cost on a machine. Bit operations and free operations
/// (reinterpretation, constants, a sign folded into an fma) are not counted.
struct OperationCounts {
  int64_t f32 = 0;     ///< f32 add, sub, mul, fma
  int64_t f64 = 0;     ///< f64 add, sub, mul, fma
  int64_t divide = 0;  ///< f32 and f64 division
  int64_t sqrt = 0;    ///< f32 and f64 square root
  int64_t integer = 0; ///< i32 and i64 arithmetic, logic, shifts, abs
  int64_t compare = 0;
  int64_t select = 0;
  int64_t convert = 0; ///< f32 to f64 and back
  bool operator==(const OperationCounts &) const = default;
};

/// Counts the operations of a description, once per element. Loops are
/// executed, so counts of reductions are exact, and counting takes as many
/// iterations as the reduction. Usage:
///
///   OperationCounts counts;
///   Cost a(counts);
///   functions::exp(a, a.f32(0));
class Cost {
  /// A value carries no data, only a pointer to the counter.
  struct Value {
    OperationCounts *n;
  };

public:
  struct Mask : Value {
    friend Mask operator&(Mask x, Mask) { return x; }
    friend Mask operator|(Mask x, Mask) { return x; }
    Mask operator!() const { return *this; }
    /// Counts one comparison.
    static Mask make(OperationCounts *n) { return ++n->compare, Mask{{n}}; }
  };

private:
  template <int Bits> struct Real : Value {
    int64_t &arithmetic() const {
      return Bits == 32 ? this->n->f32 : this->n->f64;
    }
    friend Real operator+(Real x, Real) { return ++x.arithmetic(), x; }
    friend Real operator-(Real x, Real) { return ++x.arithmetic(), x; }
    friend Real operator*(Real x, Real) { return ++x.arithmetic(), x; }
    friend Real operator/(Real x, Real) { return ++x.n->divide, x; }
    Real operator-() const { return *this; }
    friend Mask operator<(Real x, Real) { return Mask::make(x.n); }
    friend Mask operator<=(Real x, Real) { return Mask::make(x.n); }
    friend Mask operator>(Real x, Real) { return Mask::make(x.n); }
    friend Mask operator>=(Real x, Real) { return Mask::make(x.n); }
    friend Mask operator==(Real x, Real) { return Mask::make(x.n); }
    friend Mask operator!=(Real x, Real) { return Mask::make(x.n); }
  };
  template <int Bits> struct Integer : Value {
    friend Integer operator+(Integer x, Integer) { return x.count(); }
    friend Integer operator-(Integer x, Integer) { return x.count(); }
    friend Integer operator*(Integer x, Integer) { return x.count(); }
    friend Integer operator&(Integer x, Integer) { return x.count(); }
    friend Integer operator|(Integer x, Integer) { return x.count(); }
    friend Integer operator^(Integer x, Integer) { return x.count(); }
    friend Integer operator<<(Integer x, int) { return x.count(); }
    friend Integer operator>>(Integer x, int) { return x.count(); }
    friend Mask operator==(Integer x, Integer) { return Mask::make(x.n); }
    friend Mask operator!=(Integer x, Integer) { return Mask::make(x.n); }
    Integer count() const { return ++this->n->integer, *this; }
  };

public:
  static constexpr bool kSplitChains = false;

  using F32 = Real<32>;
  using F64 = Real<64>;
  using I32 = Integer<32>;
  using I64 = Integer<64>;
  using Index = int64_t;

  /// Counts are added to `counts`, which must outlive the policy.
  explicit Cost(OperationCounts &counts) : n(&counts) {}

  F32 f32(float) const { return {{n}}; }
  F64 f64(double) const { return {{n}}; }
  I32 i32(uint32_t) const { return {{n}}; }
  I64 i64(uint64_t) const { return {{n}}; }
  Index index(int64_t c) const { return c; }

  F64 widen(F32) const { return ++n->convert, F64{{n}}; }
  F32 narrow(F64) const { return ++n->convert, F32{{n}}; }
  template <int B> Real<B> fma(Real<B> x, Real<B>, Real<B>) const {
    return ++x.arithmetic(), x;
  }
  template <int B> Real<B> sqrt(Real<B> x) const { return ++n->sqrt, x; }
  template <int B> Real<B> abs(Real<B> x) const { return ++n->integer, x; }
  I32 bits(F32) const { return {{n}}; }
  I64 bits(F64) const { return {{n}}; }
  F32 real(I32) const { return {{n}}; }
  F64 real(I64) const { return {{n}}; }
  template <int B> Integer<B> sar(Integer<B> x, int) const { return x.count(); }
  I64 extend(I32) const { return {{n}}; }
  I32 truncate(I64) const { return {{n}}; }
  template <int B> Mask isNan(Real<B>) const { return Mask::make(n); }
  template <class T> T select(Mask, T x, T) const { return ++n->select, x; }

  Index minimum(Index x, Index y) const { return std::min(x, y); }
  Index quotient(Index x, int64_t c) const { return x / c; }
  template <class V, class Body>
  V loop(Index begin, Index end, Index step, V carried, Body &&body) const {
    for (Index i = begin; i < end; i += step)
      carried = body(i, carried);
    return carried;
  }
  template <class Body>
  void forEach(Index begin, Index end, Index step, Body &&body) const {
    for (Index i = begin; i < end; i += step)
      body(i);
  }
  /// All lanes cost the same, so one value stands for them.
  template <class V> V lanes(int64_t, V identity) const { return identity; }
  template <class V> V lane(const V &store, Index) const { return store; }
  template <class V> void setLane(V &store, Index, V value) const {
    store = value;
  }

private:
  OperationCounts *n;
};

static_assert(Arithmetic<Cost>);

} // namespace gensyn

#endif // GENSYN_NUMERICS_COST_H
