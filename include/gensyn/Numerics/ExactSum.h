// Sums and dot products rounded once, described once; see docs/Numerics.md,
// order_r4.
//
// A sum of floats is a sum of integers times a power of two: all bits of all
// floats fit a fixed-point number of 277 bits (f32; products of two 554, f64
// 2098 and 4196). It is stored as digits of 32 bits in integers of 64, so that
// a term adds to two or three digits without carry propagation: a digit holds
// 2^29 terms before its carry must be propagated (Neal, "Fast exact summation
// using small and large superaccumulators", 2015; the idea is Kulisch's).
// Integer addition is associative, so the result does not depend on an order.
//
// Infinities and NaNs are counted in three more cells, which are selected like
// digits, so that the summation loop has no branch.
//
// f32 sums are first computed in f64 with an error bound, which nearly always
// determines the rounded result; the digits are then not used.

#ifndef GENSYN_NUMERICS_EXACTSUM_H
#define GENSYN_NUMERICS_EXACTSUM_H

#include "gensyn/Numerics/Arithmetic.h"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace gensyn {

/// The number of terms after which the digits' carries must be propagated: a
/// term adds less than 2^33 to a digit.
inline constexpr int64_t kExactBatch = int64_t(1) << 29;

/// The accumulator: zero after construction. F is A::F32 or A::F64, the type of
/// the terms (or of their factors) and of the result.
template <DigitArithmetic A, class F, bool isProduct> class ExactSum {
  using I64 = typename A::I64;
  using Index = typename A::Index;
  using Mask = typename A::Mask;

public:
  /// The maximum number of terms (g2).
  static constexpr int kCountBits = 40;

  explicit ExactSum(const A &a) : a(a), digits(a.lanes(kCells, a.i64(0))) {}

  /// Adds x.
  void add(F x)
    requires(!isProduct)
  {
    const Parts p = split(x);
    addTerm(p.significand, zero(), p.shift, p.isSpecial, x);
  }
  /// Adds x y.
  void add(F x, F y)
    requires isProduct
  {
    const Parts p = split(x), q = split(y);
    const F rounded = x * y; // exact for infinities and NaNs
    I64 high = zero();
    const I64 low = multiply(p.significand, q.significand, high);
    addTerm(low, high, p.shift + q.shift, p.isSpecial | q.isSpecial, rounded);
  }

  /// Propagates the carries, which brings the digits back to 32 bits; the
  /// uppermost digit keeps the sign. Must be called every kExactBatch terms.
  void carry() {
    const Index top = a.index(kTop);
    const I64 out =
        a.loop(a.index(0), top, a.index(1), zero(), [&](Index j, I64 in) {
          const I64 sum = a.lane(digits, j) + in;
          a.setLane(digits, j, sum & digitMask());
          return a.sar(sum, 32);
        });
    a.setLane(digits, top, a.lane(digits, top) + out);
  }

  /// The sum so far, rounded to nearest even: +0 if it is zero or rounds to
  /// zero, infinite on overflow. A NaN or infinities of both signs among the
  /// terms give the canonical NaN, infinities of one sign that infinity.
  F round() {
    carry();
    const I64 isNegative = a.sar(a.lane(digits, a.index(kTop)), 63);
    negateIf(isNegative);
    return withSpecials(roundMagnitude(isNegative));
  }

private:
  static constexpr bool isDouble = std::is_same_v<F, typename A::F64>;
  static constexpr int kPrecision = isDouble ? 53 : 24;
  static constexpr int kExponentBits = isDouble ? 11 : 8;
  /// Exponents of the greatest and the least normal number.
  static constexpr int kMaxExponent = (1 << (kExponentBits - 1)) - 1;
  static constexpr int kMinExponent = 1 - kMaxExponent;
  /// The weight of bit 0 is 2^kBase: the least subnormal, or its square.
  static constexpr int kFactors = isProduct ? 2 : 1;
  static constexpr int kBase = kFactors * (kMinExponent - (kPrecision - 1));
  static constexpr int kBits =
      kFactors * (kMaxExponent + 1) - kBase + kCountBits;
  /// Extra zero digits, so that three digits may be read at any position.
  static constexpr int kPad = 2;
  static constexpr int kTop = kPad + (kBits + 31) / 32;
  /// Counts of +Inf, -Inf and NaN, and two cells for the upper digits, all
  /// zero, of the 1 that is added.
  static constexpr int kSpecial = kTop + 1;
  static constexpr int kCells = kSpecial + 5;
  /// A significand of at most 32 bits needs two digits wherever it lies.
  static constexpr bool isShort = !isDouble && !isProduct;

  struct Parts {
    I64 significand; // an integer below 2^kPrecision
    I64 shift;       // its weight is 2^shift times that of the least subnormal
    Mask isSpecial;  // infinite or NaN
  };

  I64 zero() const { return a.i64(0); }
  I64 digitMask() const { return a.i64(0xFFFFFFFF); }
  I64 bitsOf(F x) const {
    if constexpr (isDouble)
      return a.bits(x);
    else
      return a.extend(a.bits(x));
  }
  F constant(uint64_t bits) const { return realOf(a.i64(bits)); }
  F realOf(I64 bits) const {
    if constexpr (isDouble)
      return a.real(bits);
    else
      return a.real(a.truncate(bits));
  }
  /// All ones for a negative x, else 0.
  I64 signOf(F x) const {
    return a.sar(isDouble ? bitsOf(x) : bitsOf(x) << 32, 63);
  }

  Parts split(F x) const {
    constexpr uint64_t implicit = uint64_t(1) << (kPrecision - 1);
    constexpr uint64_t most = (uint64_t(1) << kExponentBits) - 1;
    const I64 bits = bitsOf(x);
    const I64 exponent = (bits >> (kPrecision - 1)) & a.i64(most);
    const I64 fraction = bits & a.i64(implicit - 1);
    const Mask isSubnormal = exponent == zero();
    return {a.select(isSubnormal, fraction, fraction | a.i64(implicit)),
            a.select(isSubnormal, exponent, exponent - a.i64(1)),
            exponent == a.i64(most)};
  }

  /// x y as low + 2^64 high.
  I64 multiply(I64 x, I64 y, I64 &high) const {
    if constexpr (!isDouble) {
      return x * y;
    } else {
      const I64 mask = digitMask();
      const I64 x0 = x & mask, x1 = x >> 32, y0 = y & mask, y1 = y >> 32;
      const I64 low = x0 * y0, m = x1 * y0, n = x0 * y1;
      const I64 middle = (low >> 32) + (m & mask) + (n & mask);
      high = x1 * y1 + (m >> 32) + (n >> 32) + (middle >> 32);
      return (low & mask) | (middle << 32);
    }
  }

  /// Adds (low + 2^64 high) 2^shift with the sign of `like`. If `isSpecial`,
  /// counts `like`, which is an infinity or a NaN, instead.
  void addTerm(I64 low, I64 high, I64 shift, Mask isSpecial, F like) {
    const I64 negative = signOf(like);
    const I64 cell =
        a.select(a.isNan(like), a.i64(2 << 5), negative & a.i64(1 << 5));
    const I64 place = a.select(isSpecial, cell + a.i64(kSpecial << 5),
                               shift + a.i64(kPad << 5));
    const I64 sign = a.select(isSpecial, zero(), negative);
    addWord(a.select(isSpecial, a.i64(1), low), sign, place);
    if constexpr (isDouble && isProduct)
      addWord(a.select(isSpecial, zero(), high), sign, place + a.i64(64));
  }

  /// Adds a word at bit `place`, negated if `sign` is all ones.
  void addWord(I64 word, I64 sign, I64 place) {
    const I64 shift = place & a.i64(31);
    const Index j = a.position(place >> 5);
    const I64 rest = a.shiftRight(word, a.i64(32) - shift);
    addDigit(j, a.shiftLeft(word, shift) & digitMask(), sign);
    addDigit(j + a.index(1), isShort ? rest : rest & digitMask(), sign);
    if constexpr (!isShort)
      addDigit(j + a.index(2), rest >> 32, sign);
  }
  void addDigit(Index j, I64 digit, I64 sign) {
    a.setLane(digits, j, a.lane(digits, j) + ((digit ^ sign) - sign));
  }

  /// If `sign` is all ones: takes the two's complement of all digits.
  void negateIf(I64 sign) {
    const Index top = a.index(kTop);
    const I64 out = a.loop(
        a.index(0), top, a.index(1), sign & a.i64(1), [&](Index j, I64 in) {
          const I64 sum = ((a.lane(digits, j) ^ sign) & digitMask()) + in;
          a.setLane(digits, j, sum & digitMask());
          return sum >> 32;
        });
    a.setLane(digits, top, (a.lane(digits, top) ^ sign) + out);
  }

  /// x if it is positive as a signed number, else 0.
  I64 positive(I64 x) const { return x & (a.sar(x, 63) ^ a.i64(~uint64_t(0))); }
  /// The smaller of two signed numbers less than 2^63 apart.
  I64 smaller(I64 x, I64 y) const { return y + ((x - y) & a.sar(x - y, 63)); }
  /// x with its last bit set if `any` is not zero: rounding to odd, so that a
  /// second rounding to two bits fewer equals a single one.
  I64 sticky(I64 x, I64 any) const {
    return a.select(any != zero(), x | a.i64(1), x);
  }

  /// The digits, now of a non-negative number, as a float.
  F roundMagnitude(I64 isNegative) {
    // The uppermost nonzero digit, and whether any digit below the next two is
    // nonzero.
    const I64 k = a.loop(a.index(kPad), a.index(kTop + 1), a.index(1),
                         a.i64(kPad), [&](Index j, I64 found) {
                           return a.select(a.lane(digits, j) != zero(),
                                           a.number(j), found);
                         });
    const Index top = a.position(k);
    const I64 below =
        a.loop(a.index(0), top - a.index(2), a.index(1), zero(),
               [&](Index j, I64 any) { return any | a.lane(digits, j); });
    // 64 bits from the leading one on, and the exponent of that one.
    I64 leading = a.lane(digits, top), left = zero();
    for (int step = 16; step >= 1; step /= 2) {
      const Mask isFree = (leading >> (32 - step)) == zero();
      leading = a.select(isFree, leading << step, leading);
      left = a.select(isFree, left + a.i64(static_cast<uint64_t>(step)), left);
    }
    const I64 middle = a.lane(digits, top - a.index(1));
    const I64 last = a.shiftLeft(a.lane(digits, top - a.index(2)), left);
    const I64 window =
        (leading << 32) + a.shiftLeft(middle, left) + (last >> 32);
    const I64 exponent =
        (k << 5) - left +
        a.i64(static_cast<uint64_t>(int64_t{kBase} + 31 - int64_t{32} * kPad));
    // Keep two bits more than fit, rounded to odd, then drop as many as a
    // subnormal lacks.
    constexpr int kept = kPrecision + 2;
    const I64 odd = sticky(window >> (64 - kept),
                           (window << kept) | (last & digitMask()) | below);
    const I64 over =
        exponent - a.i64(static_cast<uint64_t>(int64_t(kMinExponent)));
    const I64 lost = smaller(positive(zero() - over), a.i64(63));
    const I64 shifted = a.shiftRight(odd, lost);
    const I64 exact = sticky(shifted, a.shiftLeft(shifted, lost) ^ odd);
    // Above the midpoint, or at it and odd.
    const Mask isAbove = (exact & a.i64(3)) == a.i64(3);
    const Mask isOddTie = (exact & a.i64(6)) == a.i64(6);
    const Mask isUp = isAbove | isOddTie;
    const I64 significand = (exact >> 2) + a.select(isUp, a.i64(1), zero());
    // The implicit bit adds one to the exponent's field, so does a carry.
    const I64 field = smaller(positive(over), a.i64(2 * kMaxExponent));
    const I64 bits =
        smaller((field << (kPrecision - 1)) + significand, a.i64(kInfinity));
    const I64 sign = isNegative & a.i64(kSign);
    return realOf(a.select(bits == zero(), bits, bits | sign));
  }

  F withSpecials(F sum) const {
    auto has = [&](int cell) {
      return a.lane(digits, a.index(kSpecial + cell)) != zero();
    };
    const Mask isPlus = has(0), isMinus = has(1), isNan = has(2);
    F result = a.select(isPlus, constant(kInfinity), sum);
    result = a.select(isMinus, constant(kInfinity | kSign), result);
    return a.select((isPlus & isMinus) | isNan, constant(kNan), result);
  }

  static constexpr uint64_t kSign = uint64_t(1) << (isDouble ? 63 : 31);
  static constexpr uint64_t kInfinity = ((uint64_t(1) << kExponentBits) - 1)
                                        << (kPrecision - 1);
  static constexpr uint64_t kNan = kInfinity | uint64_t(1) << (kPrecision - 2);

  const A &a;
  decltype(std::declval<const A &>().lanes(int64_t(2),
                                           std::declval<I64>())) digits;
};

namespace detail {
/// The rounded sum of terms, if it is certain.
template <class A> struct Estimate {
  typename A::F32 value;
  typename A::Mask isCertain;
};

/// Sums f64 terms in f64, in several lanes, with an error bound: if both ends
/// of the interval round to the same f32, so does the exact sum. Rounding
/// errors of the sums are below n u sum |t|, u = 2^-53 (see ErrorBound.h),
/// those of the ends and of the bound itself below 16 u sum |t| and a factor 1
/// + 2^-10. Infinities and NaNs are never certain.
template <DigitArithmetic A, class Term>
Estimate<A> estimate(const A &a, int64_t n, const Term &term) {
  using Index = typename A::Index;
  using F64 = typename A::F64;
  constexpr int64_t width = 16;
  auto sums = a.lanes(width, a.f64(0)), sizes = a.lanes(width, a.f64(0));
  auto row = [&](Index first, Index lanes) {
    a.forEach(a.index(0), lanes, a.index(1), [&](Index l) {
      const F64 t = term(first + l);
      a.setLane(sums, l, a.lane(sums, l) + t);
      a.setLane(sizes, l, a.lane(sizes, l) + a.abs(t));
    });
  };
  const int64_t whole = n - n % width;
  a.forEach(a.index(0), a.index(whole), a.index(width),
            [&](Index first) { row(first, a.index(width)); });
  if (whole < n)
    row(a.index(whole), a.index(n - whole));
  auto joined = [&](auto &store) {
    return a.loop(a.index(0), a.index(width), a.index(1), a.f64(0),
                  [&](Index l, F64 acc) { return acc + a.lane(store, l); });
  };
  const F64 sum = joined(sums);
  const F64 error = joined(sizes) * a.f64(static_cast<double>(n + 16) *
                                          (0x1p-53 * (1 + 0x1p-10)));
  const auto low = a.narrow(sum - error), high = a.narrow(sum + error);
  return {low + a.f32(0), low == high}; // -0 becomes +0
}

/// Adds the points 0 to n - 1 by `add(sum, i)`, and propagates carries between
/// batches. For f32, a sum in f64 of `term(i)`, the same terms, is tried first;
/// the points are added only if it does not determine the result.
template <class F, bool isProduct, DigitArithmetic A, class Add, class Term>
F exactly(const A &a, int64_t n, const Add &add, const Term &term,
          int64_t batch) {
  using Index = typename A::Index;
  constexpr bool isTried = std::is_same_v<F, typename A::F32>;
  ExactSum<A, F, isProduct> sum(a);
  auto addAll = [&](Index end) {
    auto points = [&](Index first, Index last) {
      a.forEach(first, last, a.index(1), [&](Index i) { add(sum, i); });
    };
    if (n <= batch)
      return points(a.index(0), end);
    a.forEach(a.index(0), end, a.index(batch), [&](Index first) {
      points(first, a.minimum(first + a.index(batch), end));
      sum.carry();
    });
  };
  if constexpr (isTried) {
    const Estimate<A> tried = estimate(a, n, term);
    addAll(a.position(
        a.select(tried.isCertain, a.i64(0), a.i64(static_cast<uint64_t>(n)))));
    return a.select(tried.isCertain, tried.value, sum.round());
  } else {
    addAll(a.index(n));
    return sum.round();
  }
}
} // namespace detail

/// The sum of element(0) to element(n - 1), rounded once (order_r4). The
/// elements are A::F32 or A::F64, and n is at most 2^40. `element` may be
/// called twice for each. `batch` is for tests.
///
/// Example: float s = exactSum(Native(), n, [&](int64_t i) { return x[i]; });
template <DigitArithmetic A, class Element>
auto exactSum(const A &a, int64_t n, const Element &element,
              int64_t batch = kExactBatch) {
  using Index = typename A::Index;
  using F = std::invoke_result_t<const Element &, Index>;
  return detail::exactly<F, false>(
      a, n, [&](auto &sum, Index i) { sum.add(element(i)); },
      [&](auto i) { return a.widen(element(i)); }, batch);
}

/// The sum of the products of factors(0) to factors(n - 1), pairs of A::F32 or
/// of A::F64, rounded once.
template <DigitArithmetic A, class Factors>
auto exactDot(const A &a, int64_t n, const Factors &factors,
              int64_t batch = kExactBatch) {
  using Index = typename A::Index;
  using F = typename std::invoke_result_t<const Factors &, Index>::first_type;
  return detail::exactly<F, true>(
      a, n,
      [&](auto &sum, Index i) {
        auto [x, y] = factors(i);
        sum.add(x, y);
      },
      [&](auto i) { // exact: 24 and 24 bits in 53
        auto [x, y] = factors(i);
        return a.widen(x) * a.widen(y);
      },
      batch);
}

} // namespace gensyn

#endif // GENSYN_NUMERICS_EXACTSUM_H
