// Reference semantics of contract, reduce and arg_reduce. Maps become offset
// tables before any loop over points; orders are lib/Numerics' reduceOrdered.

#include "../IR/WindowGroups.h"
#include "ReduceIdentity.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/ExactSum.h"
#include "gensyn/Numerics/Reduce.h"
#include "gensyn/Numerics/Scalar.h"
#include "gensyn/Numerics/Walk.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
using Results = FailureOr<SmallVector<Tensor>>;

/// The offsets of one tensor's elements: `base + offset[i]` for a parallel
/// tuple and point i, unless a checked index is out of range.
struct Access {
  struct Check {
    int64_t base = 0, extent = 0;
    LinearExpr expr;
    std::vector<int64_t> part;
  };
  std::vector<int64_t> offset;
  SmallVector<Check> checks;
  int64_t base = 0;

  bool inside(int64_t i) const {
    for (const Check &check : checks) {
      int64_t index = check.base + check.part[i];
      if (index < 0 || index >= check.extent)
        return false;
    }
    return true;
  }
};

/// Walks the parallel tuples of a space; at each one, `accesses` has the
/// offsets of the points in the operands.
class PointWalk {
public:
  explicit PointWalk(const IterationSpace &space) : space(space) {
    for (auto [i, reduced] : llvm::enumerate(space.reduced)) {
      (reduced ? points : parallel).push_back(i);
      (reduced ? pointExtents : parallelExtents).push_back(space.extents[i]);
    }
    for (int64_t extent : pointExtents)
      numPoints *= extent;
    for (unsigned t = 0; t + 1 < space.maps.size(); ++t)
      accesses.push_back(makeAccess(t));
  }

  int64_t count() const { return numPoints; }
  const Access &operator[](unsigned operand) const { return accesses[operand]; }

  /// Calls `body(result offset)` for every tuple whose result index is inside
  /// (domain_r1).
  template <class Body> void forEach(Body &&body) {
    const LinearMap &result = space.maps.back();
    std::vector<int64_t> strides = stridesOf(space.shapes.size() - 1);
    forEachIndex(parallelExtents, [&](const std::vector<int64_t> &tuple) {
      int64_t offset = 0;
      for (size_t dim = 0; dim < result.size(); ++dim) {
        int64_t index = at(result[dim], tuple);
        if (index < 0 || index >= space.shapes.back()[dim])
          return;
        offset += index * strides[dim];
      }
      for (unsigned t = 0; t < accesses.size(); ++t) {
        Access &access = accesses[t];
        std::vector<int64_t> in = stridesOf(t);
        access.base = 0;
        for (size_t dim = 0; dim < in.size(); ++dim)
          access.base += at(space.maps[t][dim], tuple) * in[dim];
        for (Access::Check &check : access.checks)
          check.base = at(check.expr, tuple);
      }
      body(offset);
    });
  }

private:
  std::vector<int64_t> stridesOf(unsigned t) const {
    return rowMajorStrides(std::span<const int64_t>(space.shapes[t].data(),
                                                    space.shapes[t].size()));
  }

  /// Constant and parallel part of an expression.
  int64_t at(const LinearExpr &expr, const std::vector<int64_t> &tuple) const {
    int64_t value = expr.constant;
    for (size_t i = 0; i < tuple.size(); ++i)
      value += expr.coefficients[parallel[i]] * tuple[i];
    return value;
  }

  Access makeAccess(unsigned t) const {
    Access access;
    std::vector<int64_t> strides = stridesOf(t);
    for (auto [dim, expr] : llvm::enumerate(space.maps[t])) {
      auto [low, high] = space.range(expr);
      if (low < 0 || high >= space.shapes[t][dim])
        access.checks.push_back({0, space.shapes[t][dim], expr, {}});
    }
    access.offset.reserve(numPoints);
    forEachIndex(pointExtents, [&](const std::vector<int64_t> &point) {
      auto part = [&](const LinearExpr &expr) {
        int64_t value = 0;
        for (size_t i = 0; i < point.size(); ++i)
          value += expr.coefficients[points[i]] * point[i];
        return value;
      };
      int64_t offset = 0;
      for (size_t dim = 0; dim < strides.size(); ++dim)
        offset += part(space.maps[t][dim]) * strides[dim];
      access.offset.push_back(offset);
      for (Access::Check &check : access.checks)
        check.part.push_back(part(check.expr));
    });
    return access;
  }

  const IterationSpace &space;
  std::vector<unsigned> parallel, points;
  std::vector<int64_t> parallelExtents, pointExtents;
  int64_t numPoints = 1;
  SmallVector<Access, 2> accesses;
};

template <class T> Tensor widened(const Tensor &tensor) {
  if (tensor.elementType() == elementTypeOf<T>())
    return tensor;
  return scalar::convertTensor(tensor, elementTypeOf<T>());
}

template <class T> T multiplyAdd(T a, T b, T acc) {
  if constexpr (scalar::Float<T>)
    return Native::fma(a, b, acc);
  else
    return scalar::add(acc, scalar::mul(a, b));
}
} // namespace

template <class T>
static void contract(const IterationSpace &space, ContractOp op, const T *a,
                     const T *b, const Order &order, T *out) {
  PointWalk walk(space);
  Native native;
  auto join = [](T x, T y) { return scalar::Number<T> ? T(x + y) : x; };
  bool checked = !walk[0].checks.empty() || !walk[1].checks.empty();
  bool skipA = op.getBound(0) == Bound::Skip;
  bool skipB = op.getBound(1) == Bound::Skip;
  walk.forEach([&](int64_t offset) {
    const Access &accessA = walk[0], &accessB = walk[1];
    const T *pa = a + accessA.base, *pb = b + accessB.base;
    const int64_t *oa = accessA.offset.data(), *ob = accessB.offset.data();
    auto takesPart = [&](int64_t i, T &x, T &y) {
      bool inA = accessA.inside(i), inB = accessB.inside(i);
      x = inA ? pa[oa[i]] : T(0), y = inB ? pb[ob[i]] : T(0);
      return (inA || !skipA) && (inB || !skipB);
    };
    T sum = 0;
    if (order.isExact()) {
      if constexpr (scalar::Float<T>)
        sum = exactDot(native, walk.count(), [&](int64_t i) {
          std::pair<T, T> factors;
          return takesPart(i, factors.first, factors.second)
                     ? factors
                     : std::pair<T, T>();
        });
    } else if (!checked) {
      sum = reduceOrdered(
          native, order, walk.count(), T(0),
          [&](T acc, int64_t i) {
            return multiplyAdd(pa[oa[i]], pb[ob[i]], acc);
          },
          join);
    } else {
      sum = reduceOrdered(
          native, order, walk.count(), T(0),
          [&](T acc, int64_t i) {
            T x, y;
            return takesPart(i, x, y) ? multiplyAdd(x, y, acc) : acc;
          },
          join);
    }
    // contract_r3: a zero result is +0.
    if constexpr (scalar::Float<T>)
      sum = scalar::canonical(sum + T(0));
    out[offset] = sum;
  });
}

/// The order of a float sum, or nothing after an error on the op.
static FailureOr<Order> orderOf(Operation *op, OrderAttr order,
                                bool isOrdered) {
  if (!isOrdered)
    return Order::sequential();
  if (!order)
    return op->emitOpError("has no order, so its bits are not defined"),
           failure();
  return order.getOrder();
}

Results ContractOp::evaluate(ArrayRef<Tensor> operands) {
  auto space =
      *IterationSpace::get(getDomain(), getMaps(), getOperands(), getResult());
  ElementType element = *gensyn::repro::getElementType(
      cast<ShapedType>(getResult().getType()).getElementType());
  auto order = orderOf(*this, getOrderAttr(), isFloat(element));
  if (failed(order))
    return failure();
  Tensor result(element, shapeOf(getResult()));
  dispatch(element, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T>) {
      const Tensor a = widened<T>(operands[0]), b = widened<T>(operands[1]);
      contract<T>(space, *this, a.as<T>(), b.as<T>(), *order, result.as<T>());
    }
  });
  return SmallVector<Tensor>{result};
}

Results ReduceOp::evaluate(ArrayRef<Tensor> operands) {
  auto space =
      *IterationSpace::get(getDomain(), getMaps(), getOperand(), getResult());
  ElementType element = operands[0].elementType();
  ReduceKind kind = getKind();
  bool isOrdered = isFloat(element) &&
                   (kind == ReduceKind::Sum || kind == ReduceKind::Product);
  auto order = orderOf(*this, getOrderAttr(), isOrdered);
  if (failed(order))
    return failure();
  Tensor result(element, shapeOf(getResult()));
  dispatch(element, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T> || std::is_same_v<T, bool>) {
      PointWalk walk(space);
      T *out = result.as<T>();
      std::fill_n(out, result.numElements(), reduceIdentity<T>(kind));
      const T *in = operands[0].as<T>();
      walk.forEach([&](int64_t offset) {
        const Access &access = walk[0];
        auto element = [&](int64_t i) {
          return in[access.base + access.offset[i]];
        };
        T value{};
        if (order->isExact()) { // a skipped point adds 0
          if constexpr (scalar::Float<T>)
            value = exactSum(Native(), walk.count(), [&](int64_t i) {
              return access.inside(i) ? element(i) : T(0);
            });
        } else {
          value = reduceOrdered(
              Native(), *order, walk.count(), reduceIdentity<T>(kind),
              [&](T acc, int64_t i) {
                return access.inside(i) ? combine(NativeArithmetic<T>(), kind,
                                                  acc, element(i))
                                        : acc;
              },
              [&](T x, T y) {
                return combine(NativeArithmetic<T>(), kind, x, y);
              });
        }
        if constexpr (scalar::Float<T>)
          value = scalar::canonical(value);
        out[offset] = value;
      });
    }
  });
  return SmallVector<Tensor>{result};
}

/// arg_r1: true if x beats the best so far.
template <class T> static bool beats(ArgKind kind, bool last, T x, T best) {
  if constexpr (scalar::Float<T>)
    if (x != x || best != best)
      return x != x && (best == best || last);
  bool better = kind == ArgKind::Max ? scalar::totalLess(best, x)
                                     : scalar::totalLess(x, best);
  bool worse = kind == ArgKind::Max ? scalar::totalLess(x, best)
                                    : scalar::totalLess(best, x);
  return better || (last && !worse);
}

Results ArgReduceOp::evaluate(ArrayRef<Tensor> operands) {
  auto space =
      *IterationSpace::get(getDomain(), getMaps(), getOperand(), getResult());
  Tensor result(ElementType::I32, shapeOf(getResult()));
  dispatch(operands[0].elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (scalar::Number<T> || std::is_same_v<T, bool>) {
      PointWalk walk(space);
      int32_t *out = result.as<int32_t>();
      std::fill_n(out, result.numElements(), -1);
      const T *in = operands[0].as<T>();
      walk.forEach([&](int64_t offset) {
        const Access &access = walk[0];
        int32_t winner = -1;
        T best{};
        for (int64_t i = 0; i < walk.count(); ++i) {
          if (!access.inside(i))
            continue;
          T x = in[access.base + access.offset[i]];
          if (winner < 0 || beats<T>(getKind(), getLast(), x, best)) {
            winner = static_cast<int32_t>(i);
            best = x;
          }
        }
        out[offset] = winner;
      });
    }
  });
  return SmallVector<Tensor>{result};
}
