// Reductions over any set of dimensions.

#include "../Support/OperatorTable.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;
using repro::ReduceKind;

/// The sorted dimensions to reduce, from an attribute or an input. An empty
/// list means all, or with noop_with_empty_axes none. Nothing after `refuse`.
static std::optional<Extents> readAxes(NodeBuilder &b, int64_t rank) {
  Extents axes;
  bool isInput = b.node.hasFormalInput("axes");
  if (!isInput) {
    axes = b.integers("axes");
  } else if (Value input = b.raw("axes")) {
    std::optional<Extents> known = b.constantIntegers(input);
    if (!known) {
      b.refuse("axes must be constants");
      return std::nullopt;
    }
    axes = *known;
  }
  if (axes.empty())
    return isInput && b.integer("noop_with_empty_axes") ? Extents()
                                                        : range(0, rank);
  // A scalar is treated as a tensor with one dimension, so nothing is reduced.
  if (!b.checkDimensions(axes, std::max<int64_t>(rank, 1)))
    return std::nullopt;
  if (rank == 0)
    return Extents();
  for (int64_t &axis : axes)
    axis = NodeBuilder::normalized(axis, rank);
  llvm::sort(axes);
  axes.erase(llvm::unique(axes), axes.end());
  return axes;
}

namespace {
/// A function applied to the operand before a reduction (`Before`) or to its
/// result (`After`).
using Step = Value (*)(NodeBuilder &, Value);
Value keep(NodeBuilder &, Value x) { return x; }
Value square(NodeBuilder &b, Value x) { return b.mul(x, x); }
Value magnitude(NodeBuilder &b, Value x) {
  return elementOf(x).isUnsignedInteger() ? x : b.unary<repro::AbsOp>(x);
}
Value logarithm(NodeBuilder &b, Value x) {
  if (!isFloat(x))
    return b.refuse("only floats have a logarithm");
  return b.unary<repro::LogOp>(x);
}

Value root(NodeBuilder &b, Value x) {
  if (!isFloat(x))
    return b.refuse("only floats have a square root");
  return b.rootOfSum(x);
}

template <ReduceKind kind, Step before = keep, Step after = keep>
Value convertReduce(NodeBuilder &b) {
  Value x = before(b, b.operand("data"));
  std::optional<Extents> axes = readAxes(b, rankOf(x));
  if (!axes)
    return nullptr;
  Value reduced = after(b, b.reduce(kind, x, *axes, /*keep=*/true));
  return reduced ? b.reshape(reduced, b.resultShape()) : reduced;
}

/// The maximum of booleans is their disjunction, the minimum their conjunction.
template <ReduceKind kind, ReduceKind ofBooleans>
Value convertExtremum(NodeBuilder &b) {
  return elementOf(b.operand("data")).isInteger(1)
             ? convertReduce<ofBooleans>(b)
             : convertReduce<kind>(b);
}
} // namespace

static Value convertReduceMean(NodeBuilder &b) {
  Value x = b.operand("data");
  std::optional<Extents> axes = readAxes(b, rankOf(x));
  if (!axes)
    return nullptr;
  return b.reshape(axes->empty() ? x : b.mean(x, *axes), b.resultShape());
}

/// m + log(sum of exp(x - m)), where m is the maximum, or 0 if that is
/// infinite, so that no difference of infinities arises.
static Value convertReduceLogSumExp(NodeBuilder &b) {
  Value x = b.operand("data");
  std::optional<Extents> axes = readAxes(b, rankOf(x));
  if (!axes)
    return nullptr;
  if (!isFloat(x))
    return b.refuse("only floats have an exponential");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value top = b.reduce(ReduceKind::Max, x, *axes, /*keep=*/true);
  Value isFinite =
      b.compare(CompareKind::Lt, b.unary<repro::AbsOp>(top), infinity);
  Value shift = b.stopGradient(b.select(isFinite, top, b.fill(0, top)));
  Value total = b.sum(b.unary<repro::ExpOp>(b.sub(x, shift)), *axes);
  return b.reshape(b.add(shift, b.unary<repro::LogOp>(total)), b.resultShape());
}

void onnx_to_repro::addReductions(OperatorTable &table) {
  table.add("ReduceSum", {1, 11, 13}, convertReduce<ReduceKind::Sum>);
  table.add("ReduceMean", {1, 11, 13, 18}, convertReduceMean);
  table.add("ReduceProd", {1, 11, 13, 18}, convertReduce<ReduceKind::Product>);
  table.add("ReduceMax", {1, 11, 12, 13, 18, 20},
            convertExtremum<ReduceKind::Max, ReduceKind::Or>);
  table.add("ReduceMin", {1, 11, 12, 13, 18, 20},
            convertExtremum<ReduceKind::Min, ReduceKind::And>);
  table.add("ReduceL1", {1, 11, 13, 18},
            convertReduce<ReduceKind::Sum, magnitude>);
  table.add("ReduceL2", {1, 11, 13, 18},
            convertReduce<ReduceKind::Sum, square, root>);
  table.add("ReduceSumSquare", {1, 11, 13, 18},
            convertReduce<ReduceKind::Sum, square>);
  table.add("ReduceLogSum", {1, 11, 13, 18, 28},
            convertReduce<ReduceKind::Sum, keep, logarithm>);
  table.add("ReduceLogSumExp", {1, 11, 13, 18, 28}, convertReduceLogSumExp);
}
