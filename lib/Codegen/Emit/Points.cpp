// Iterators, points and bounds of a reduction as IR; see docs/Numerics.md,
// domain_c1 to domain_r1.

#include "Points.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {

using CmpI = arith::CmpIPredicate;

/// Sets the value of an iterator; unless it is `always` in range, that becomes
/// a condition of being reached.
void Points::place(unsigned iterator, Value value, bool always) {
  if (!always)
    reached =
        index.both(reached, index.less(value, domain.getExtents()[iterator]));
  if (iterators[iterator]) // also determined by another index: they must agree
    reached = index.both(reached,
                         index.compare(CmpI::eq, value, iterators[iterator]));
  else
    iterators[iterator] = value;
}

// Solves index = c d + k: d = (index - k) / c if that is an integer.
void Points::locateOne(unsigned iterator, const LinearExpr &expr,
                       int64_t extent, Value at) {
  const int64_t c = expr.coefficients[iterator], k = expr.constant;
  const int64_t size = domain.getExtents()[iterator];
  AffineExpr d0 = getAffineDimExpr(0, emitter.builder.getContext());
  if (c == 1 || c == -1) {
    bool always = true;
    for (int64_t i : {int64_t{0}, extent - 1})
      always = always && (i - k) * c >= 0 && (i - k) * c < size;
    place(iterator, emitter.apply((d0 - k) * c, at), always);
    return;
  }
  // Shifted by a multiple of c so that no negative value is divided.
  const int64_t step = std::abs(c), sign = c < 0 ? -1 : 1;
  const int64_t least = std::min(-k * sign, (extent - 1 - k) * sign);
  const int64_t shift = least < 0 ? (-least + step - 1) / step : 0;
  Value shifted = emitter.apply((d0 - k) * sign + shift * step, at);
  Value whole = index.compare(CmpI::eq, emitter.apply(d0 % step, shifted), 0);
  reached = index.both(reached, whole);
  place(iterator, emitter.apply(d0.floorDiv(step) - shift, shifted),
        /*always=*/false);
}

// Solves index = s q + d r + k with 0 <= r < s / gcd(s, d), which makes q and r
// unique: with u = (index - k) / g, s' = s / g, d' = d / g, r = u / d' modulo
// s' and q = (u - d' r) / s'.
void Points::locateTwo(const LinearExpr &expr, int64_t extent, Value at) {
  SmallVector<unsigned> used = expr.iterators();
  unsigned q = used[0], r = used[1];
  auto factor = [&](unsigned i) { return expr.coefficients[i]; };
  int64_t g = std::gcd(factor(q), factor(r));
  if (domain.getExtents()[r] > std::abs(factor(q)) / g)
    std::swap(q, r);
  const int64_t s = std::abs(factor(q)) / g, d = factor(r) / g;
  const int64_t sign = factor(q) < 0 ? -1 : 1; // of q; s has none
  int64_t inverse = 0; // of d modulo s; s is small: it is a stride
  while (inverse < s && ((d * inverse) % s + s) % s != 1 % s)
    ++inverse;
  // Tests at compile time if every index leads to iterators in range.
  bool always = true;
  for (int64_t i = 0; always && i < extent; ++i) {
    const int64_t u = i - expr.constant;
    if (u % g != 0) {
      always = false;
      break;
    }
    const int64_t residue = (((u / g) * inverse) % s + s) % s;
    const int64_t quotient = sign * ((u / g - d * residue) / s);
    always = residue < domain.getExtents()[r] && quotient >= 0 &&
             quotient < domain.getExtents()[q];
  }
  OpBuilder &builder = emitter.builder;
  AffineExpr d0 = getAffineDimExpr(0, builder.getContext());
  AffineExpr d1 = getAffineDimExpr(1, builder.getContext());
  const int64_t period = g * s, k = expr.constant;
  const int64_t shift = k > 0 ? (k + period - 1) / period : 0;
  Value shifted = emitter.apply(d0 - k + shift * period, at);
  if (g > 1) {
    Value whole = index.compare(CmpI::eq, emitter.apply(d0 % g, shifted), 0);
    if (!always)
      reached = index.both(reached, whole);
    shifted = emitter.apply(d0.floorDiv(g), shifted);
  }
  Value residue = emitter.apply((d0 * inverse) % s, shifted);
  // Divisible by s but possibly negative: shifted up before the division and
  // back after it. d r is below d s, and above it if d is negative.
  const int64_t lift = std::abs(d);
  Value lifted = emitter.apply(d0 - d1 * d + lift * s, {shifted, residue});
  Value quotient =
      emitter.apply((d0.floorDiv(s) - (lift + shift)) * sign, lifted);
  place(r, residue, always);
  place(q, quotient, always);
}

void Points::locate(AffineMap resultMap, ArrayRef<int64_t> shape,
                    ArrayRef<Value> indices) {
  for (auto [result, extent, at] :
       llvm::zip_equal(resultMap.getResults(), shape, indices)) {
    LinearExpr expr = *LinearExpr::get(result, domain.getRank());
    SmallVector<unsigned> used = expr.iterators();
    if (used.empty()) {
      if (extent != 1 || expr.constant != 0)
        reached =
            index.both(reached, index.compare(CmpI::eq, at, expr.constant));
    } else if (used.size() == 1) {
      locateOne(used[0], expr, extent, at);
    } else {
      locateTwo(expr, extent, at);
    }
  }
  // An iterator that no index names has one value (domain_c3).
  for (int64_t i : domain.getParallel())
    if (!iterators[static_cast<size_t>(i)])
      iterators[static_cast<size_t>(i)] = index(0);
}

Points::Carried Points::nest(ArrayRef<int64_t> reduced, bool unroll,
                             Carried carried,
                             function_ref<Carried(const Carried &)> body) {
  if (reduced.empty())
    return body(carried);
  const auto iterator = static_cast<size_t>(reduced.front());
  const int64_t extent = domain.getExtents()[iterator];
  if (unroll || extent == 1) {
    for (int64_t i = 0; i < extent; ++i) {
      iterators[iterator] = index(i);
      carried = nest(reduced.drop_front(), unroll, carried, body);
    }
    return carried;
  }
  Emit emit(emitter, emitter.builder.getIndexType());
  return emit.loop({&emitter.builder, index(0)},
                   {&emitter.builder, index(extent)},
                   {&emitter.builder, index(1)}, carried,
                   [&](Emit::Index i, const Carried &inner) {
                     iterators[iterator] = i.value;
                     return nest(reduced.drop_front(), unroll, inner, body);
                   });
}

Points::Carried Points::forEach(Carried carried,
                                function_ref<Carried(const Carried &)> body) {
  // A pooling window: less code than its loops and bounds would need.
  constexpr int64_t unrolled = 9;
  return nest(domain.getReduced(), domain.getNumPoints() <= unrolled,
              std::move(carried), body);
}

void Points::setPoint(Value number) {
  AffineExpr rest = getAffineDimExpr(0, emitter.builder.getContext());
  ArrayRef<int64_t> reduced = domain.getReduced();
  for (size_t k = reduced.size(); k-- > 0;) {
    const auto iterator = static_cast<size_t>(reduced[k]);
    const int64_t extent = domain.getExtents()[iterator];
    iterators[iterator] = emitter.apply(k == 0 ? rest : rest % extent, number);
    if (k > 0)
      rest = rest.floorDiv(extent);
  }
}

Value Points::pointNumber() {
  MLIRContext *context = emitter.builder.getContext();
  AffineExpr number = getAffineConstantExpr(0, context);
  for (int64_t iterator : domain.getReduced()) {
    const auto i = static_cast<unsigned>(iterator);
    number = number * domain.getExtents()[i] + getAffineDimExpr(i, context);
  }
  return emitter.apply(number, iterators);
}

Value Points::read(Value tensor, AffineMap map, Value &inside) {
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  if (llvm::is_contained(shape, 0))
    return {};
  SmallVector<Value> indices;
  for (auto [result, extent] : llvm::zip_equal(map.getResults(), shape)) {
    LinearExpr expr = *LinearExpr::get(result, domain.getRank());
    int64_t least = expr.constant, most = expr.constant;
    for (unsigned i : expr.iterators()) {
      const int64_t reach = expr.coefficients[i] * (domain.getExtents()[i] - 1);
      (reach < 0 ? least : most) += reach;
    }
    Value at = emitter.apply(result, iterators);
    if (least < 0 || most >= extent) {
      // Compared as unsigned, so that a negative index is out of bounds too.
      Value fits = index.less(at, extent);
      at = index.select(fits, at, index(0));
      inside = index.both(inside, fits);
    }
    indices.push_back(at);
  }
  return emitter.element(tensor, indices);
}

} // namespace gensyn::emit
