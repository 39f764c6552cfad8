// Pooling as reductions, over windows or over all elements.

#include "../Support/OperatorTable.h"
#include "Windows.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;
using repro::ReduceKind;

namespace {
/// Iterators n, c, o... | k... over the operand of a pooling operator.
struct PoolDomain {
  Extents extents, reduced;
  SmallVector<AffineExpr> map;
};
} // namespace

static PoolDomain domainOf(NodeBuilder &b, Value x, ArrayRef<Window> windows) {
  PoolDomain domain;
  domain.extents = {shapeOf(x)[0], shapeOf(x)[1]};
  for (const Window &window : windows)
    domain.extents.push_back(window.output);
  domain.map = {b.iterator(0), b.iterator(1)};
  for (auto [i, window] : llvm::enumerate(windows)) {
    int64_t tap = domain.extents.size();
    domain.reduced.push_back(tap);
    domain.extents.push_back(window.kernel);
    domain.map.push_back(window.index(b.iterator(2 + i), b.iterator(tap)));
  }
  return domain;
}

/// The index of the maximum in the whole operand: row major, or with
/// storage_order 1 with the last two dimensions exchanged, which ONNX calls
/// column major.
static Value winnerIndices(NodeBuilder &b, Value x, ArrayRef<Window> windows,
                           const PoolDomain &domain) {
  Type i64 = b.builder.getI64Type();
  Value tap =
      b.convert(b.argWindows(repro::ArgKind::Max, false, x, domain.extents,
                             domain.reduced, domain.map),
                i64);
  ShapeView result = shapeOf(tap), shape = shapeOf(x);
  bool isColumnMajor = b.integer("storage_order") == 1;
  // The last spatial dimension varies fastest, or the first.
  Extents weights(windows.size(), 1);
  for (size_t i = 1; i < windows.size(); ++i) {
    if (isColumnMajor)
      weights[i] = weights[i - 1] * windows[i - 1].extent;
    else
      weights[windows.size() - 1 - i] =
          weights[windows.size() - i] * windows[windows.size() - i].extent;
  }
  auto number = [&](int64_t value) { return b.fill(double(value), tap); };
  int64_t plane = product(shape.drop_front(2));
  Value channel = b.add(b.mul(b.iota(0, result, i64), number(shape[1])),
                        b.iota(1, result, i64));
  Value index = b.mul(channel, number(plane));
  for (int64_t i = int64_t(windows.size()) - 1; i >= 0; --i) {
    const Window &window = windows[i];
    Value own = b.binary<repro::RemOp>(tap, number(window.kernel));
    tap = b.div(tap, number(window.kernel));
    Value place = b.mul(b.iota(2 + i, result, i64), number(window.stride));
    Value at = b.add(place, b.mul(own, number(window.dilation)));
    at = b.sub(at, number(window.padLow));
    index = b.add(index, b.mul(at, number(weights[i])));
  }
  return index;
}

static Values convertMaxPool(NodeBuilder &b) {
  Value x = b.operand("X");
  SmallVector<Window> windows = readWindows(b, x, b.integers("kernel_shape"));
  if (windows.empty())
    return {};
  PoolDomain domain = domainOf(b, x, windows);
  Values results = {b.reduceWindows(ReduceKind::Max, x, domain.extents,
                                    domain.reduced, domain.map)};
  if (b.isWanted(1))
    results.push_back(winnerIndices(b, x, windows, domain));
  return results;
}

/// The number of counted taps of each output: those on the operand, and with
/// count_include_pad those on its padding. Taps that ceil_mode adds beyond the
/// padding never count.
static SmallVector<float> countTaps(NodeBuilder &b, const Window &window,
                                    bool includesPad) {
  int64_t low = includesPad ? -window.padLow : 0;
  int64_t high = window.extent + (includesPad ? window.padHigh : 0);
  if (window.output > 0 && window.at(0, 0) >= low &&
      window.at(window.output - 1, window.kernel - 1) < high)
    return {float(window.kernel)}; // all taps count
  if (!b.canTabulate({window.output, window.kernel}))
    return {};
  SmallVector<float> counts;
  for (int64_t o = 0; o < window.output; ++o) {
    int64_t count = 0;
    for (int64_t k = 0; k < window.kernel; ++k)
      count += window.at(o, k) >= low && window.at(o, k) < high;
    counts.push_back(float(count));
  }
  return counts;
}

/// The number of counted taps of each output, broadcast to `like`. Numbers that
/// vary within a dimension are small vectors, whose product is exact.
static Value windowCounts(NodeBuilder &b, Value like, ArrayRef<Window> windows,
                          bool includesPad) {
  double common = 1;
  Value counts;
  for (auto [i, window] : llvm::enumerate(windows)) {
    SmallVector<float> taps = countTaps(b, window, includesPad);
    if (llvm::all_equal(taps)) {
      common *= taps.empty() ? 1 : taps.front();
      continue;
    }
    auto type =
        RankedTensorType::get({int64_t(taps.size())}, b.builder.getF32Type());
    Value line = b.convert(
        b.elements(DenseElementsAttr::get(type, ArrayRef<float>(taps))),
        elementOf(like));
    line = b.along(line, 2 + i, rankOf(like));
    counts = counts ? b.mul(counts, line) : line;
  }
  Value scalar = b.fill(common, elementOf(like));
  if (!counts)
    return scalar;
  return common == 1 ? counts : b.mul(counts, scalar);
}

static Value convertAveragePool(NodeBuilder &b) {
  Value x = b.operand("X");
  SmallVector<Window> windows = readWindows(b, x, b.integers("kernel_shape"));
  if (windows.empty())
    return nullptr;
  PoolDomain domain = domainOf(b, x, windows);
  Value total = b.reduceWindows(ReduceKind::Sum, x, domain.extents,
                                domain.reduced, domain.map);
  bool includesPad = b.since() >= 7 && b.integer("count_include_pad");
  return b.div(total, windowCounts(b, total, windows, includesPad));
}

/// The p-th root of the sum of p-th powers that `reduce` adds up. The
/// derivative of the root at 0 is 0.
static Value norm(NodeBuilder &b, llvm::function_ref<Value(Value)> reduce) {
  Value x = b.operand("X");
  int64_t p = b.integer("p");
  if (p == 1)
    return reduce(b.unary<repro::AbsOp>(x));
  if (p == 2)
    return b.rootOfSum(reduce(b.mul(x, x)));
  if (p < 1 || !elementOf(x).isF32())
    return b.refuse("p must be 1 or 2, or with elements of 32 bits or less "
                    "another positive number");
  Value powers = b.binary<repro::PowOp>(b.unary<repro::AbsOp>(x),
                                        b.fill(static_cast<double>(p), x));
  Value sum = reduce(powers);
  Value isZero = b.compare(CompareKind::Eq, sum, 0);
  Value root = b.binary<repro::PowOp>(b.select(isZero, b.fill(1, sum), sum),
                                      b.fill(1 / static_cast<double>(p), sum));
  return b.select(isZero, b.fill(0, sum), root);
}

static Value convertLpPool(NodeBuilder &b) {
  SmallVector<Window> windows =
      readWindows(b, b.operand("X"), b.integers("kernel_shape"));
  if (windows.empty())
    return nullptr;
  return norm(b, [&](Value powers) {
    PoolDomain domain = domainOf(b, powers, windows);
    return b.reduceWindows(ReduceKind::Sum, powers, domain.extents,
                           domain.reduced, domain.map);
  });
}

static Value convertGlobalLpPool(NodeBuilder &b) {
  return norm(
      b, [&](Value powers) { return b.sum(powers, range(2, rankOf(powers))); });
}

static Value convertGlobalMaxPool(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.reduce(ReduceKind::Max, x, range(2, rankOf(x)), /*keep=*/true);
}

static Value convertGlobalAveragePool(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.mean(x, range(2, rankOf(x)));
}

void onnx_to_repro::addPooling(OperatorTable &table) {
  table.addMany("MaxPool", {1, 8, 10, 11, 12, 22}, convertMaxPool);
  table.add("AveragePool", {1, 7, 10, 11, 19, 22}, convertAveragePool);
  table.add("LpPool", {2, 11, 18, 22}, convertLpPool);
  table.add("GlobalLpPool", {2, 22}, convertGlobalLpPool);
  table.add("GlobalMaxPool", {1, 22}, convertGlobalMaxPool);
  table.add("GlobalAveragePool", {1, 22}, convertGlobalAveragePool);
}
