// Reductions in a stated order, described once; see docs/Numerics.md, order_r1
// to order_r3. `exact` (order_r4) has no steps; it is in ExactSum.h.

#ifndef GENSYN_NUMERICS_REDUCE_H
#define GENSYN_NUMERICS_REDUCE_H

#include "gensyn/Numerics/Arithmetic.h"
#include "gensyn/Numerics/Order.h"

#include <cassert>
#include <cstdint>
#include <memory>

namespace gensyn {

namespace detail {
/// A reference to a callable. Nested orders are chosen at run time; without
/// type erasure they would instantiate templates without end. It is called once
/// per block, not per point.
template <class A, class V> class StepRef {
public:
  template <class Step>
  explicit StepRef(const Step &step)
      : object(&step), call([](const void *o, V acc, typename A::Index i) {
          return (*static_cast<const Step *>(o))(std::move(acc), i);
        }) {}
  V operator()(V acc, typename A::Index i) const {
    return call(object, std::move(acc), i);
  }

private:
  const void *object;
  V (*call)(const void *, V, typename A::Index);
};

template <class A, class V, class Step, class Join>
V reduceRange(const A &a, const Order &order, typename A::Index begin,
              typename A::Index end, V identity, const Step &step,
              const Join &join);

/// order_r2: lane l takes the points begin + l, begin + l + L, ...; then the
/// upper half of the lanes is joined onto the lower one until one is left.
template <class A, class V, class Step, class Join>
V reduceLanes(const A &a, int64_t count, typename A::Index begin,
              typename A::Index end, V identity, const Step &step,
              const Join &join) {
  using Index = typename A::Index;
  const Index zero = a.index(0), one = a.index(1), width = a.index(count);
  auto store = a.lanes(count, identity);
  // Whole rows of L points first: the loop over lanes then has constant bounds.
  const Index full = a.quotient(end - begin, count) * width;
  const Index tail = begin + full;
  auto row = [&](Index first, Index lanes) {
    a.forEach(zero, lanes, one, [&](Index l) {
      a.setLane(store, l, step(a.lane(store, l), first + l));
    });
  };
  a.forEach(begin, tail, width, [&](Index first) { row(first, width); });
  row(tail, end - tail);
  for (int64_t half = count / 2; half >= 1; half /= 2)
    a.forEach(zero, a.index(half), one, [&](Index l) {
      a.setLane(store, l,
                join(a.lane(store, l), a.lane(store, l + a.index(half))));
    });
  return a.lane(store, zero);
}

/// order_r3: block j is [j B, min((j + 1) B, n)), reduced by `inner` from the
/// identity; the results by `outer`, from the identity, with join as the step.
template <class A, class V, class Step, class Join>
V reduceBlocks(const A &a, const Order &order, typename A::Index begin,
               typename A::Index end, V identity, const Step &step,
               const Join &join) {
  using Index = typename A::Index;
  const int64_t size = order.blockSize();
  const Index blocks = a.quotient(end - begin + a.index(size - 1), size);
  auto block = [&](V acc, Index j) {
    const Index first = begin + j * a.index(size);
    const Index last = a.minimum(first + a.index(size), end);
    return join(std::move(acc), reduceRange(a, order.inner(), first, last,
                                            identity, step, join));
  };
  return reduceRange(a, order.outer(), a.index(0), blocks, identity,
                     StepRef<A, V>(block), join);
}

template <class A, class V, class Step, class Join>
V reduceRange(const A &a, const Order &order, typename A::Index begin,
              typename A::Index end, V identity, const Step &step,
              const Join &join) {
  using Index = typename A::Index;
  switch (order.kind()) {
  case Order::Kind::Lanes:
    return reduceLanes(a, order.laneCount(), begin, end, std::move(identity),
                       step, join);
  case Order::Kind::Blocked:
    return reduceBlocks(a, order, begin, end, std::move(identity), step, join);
  case Order::Kind::Sequential:
  case Order::Kind::Exact: // ruled out by the caller
    break;
  }
  return a.loop(begin, end, a.index(1), std::move(identity),
                [&](Index i, V acc) { return step(std::move(acc), i); });
}
} // namespace detail

/// Reduces the points 0 to n - 1 in `order` and returns the result.
///
/// `step(acc, i)` folds point i (an A::Index) into acc and returns it: `acc +
/// x_i` for a sum, `fma(a_i, b_i, acc)` for a contraction. `join(x, y)`
/// combines two partial results and is not symmetric in general: x is the one
/// of the lower lanes or earlier blocks. `identity` is the initial value of
/// every accumulator, including those of empty lanes and of joined blocks, and
/// the result for n = 0. V is any type that `a.loop` carries. `order` must be
/// well formed and not `exact`.
///
/// Example, a dot product:
///   Native a;
///   float dot = reduceOrdered(
///       a, order, n, 0.0f,
///       [&](float acc, int64_t i) { return a.fma(x[i], y[i], acc); },
///       [](float s, float t) { return s + t; });
template <LoopArithmetic A, class V, class Step, class Join>
V reduceOrdered(const A &a, const Order &order, typename A::Index n, V identity,
                const Step &step, const Join &join) {
  assert(!order.check() && !order.isExact() && "not an order of steps");
  return detail::reduceRange(a, order, a.index(0), n, std::move(identity), step,
                             join);
}

/// The same with the points' values computed separately:
/// `step(acc, element(i))`.
template <LoopArithmetic A, class V, class Step, class Join, class Element>
V reduceOrdered(const A &a, const Order &order, typename A::Index n, V identity,
                const Step &step, const Join &join, const Element &element) {
  return reduceOrdered(
      a, order, n, std::move(identity),
      [&](V acc, typename A::Index i) {
        return step(std::move(acc), element(i));
      },
      join);
}

} // namespace gensyn

#endif // GENSYN_NUMERICS_REDUCE_H
