// Pad in all its modes. Negative amounts crop.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {
/// Amounts of padding for every dimension.
struct Amounts {
  Extents low, high;
};
} // namespace

/// Pads are an attribute in version 2 and an input later. From version 18 on
/// they apply to the dimensions in `axes`.
static std::optional<Amounts> readAmounts(NodeBuilder &b, int64_t rank) {
  std::optional<Extents> pads =
      b.since() < 11 ? b.integers("pads") : b.constantIntegers(b.raw("pads"));
  Extents axes = range(0, rank);
  if (b.since() >= 18 && b.raw("axes")) {
    std::optional<Extents> known = b.constantIntegers(b.raw("axes"));
    if (!known)
      return std::nullopt;
    axes = *known;
  }
  if (!pads || pads->size() != 2 * axes.size() ||
      !b.checkDimensions(axes, rank))
    return std::nullopt;
  Amounts amounts{Extents(rank, 0), Extents(rank, 0)};
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t dim = NodeBuilder::normalized(axis, rank);
    amounts.low[dim] = (*pads)[i];
    amounts.high[dim] = (*pads)[i + axes.size()];
  }
  return amounts;
}

static Value fillValue(NodeBuilder &b, Type element) {
  if (b.since() < 11)
    return b.fill(b.real("value"), element);
  Value value = b.raw("constant_value");
  return value ? b.reshape(value, {}) : b.fill(0, element);
}

/// `count` elements of one dimension that go before (or after) `x`.
static Value makeEdge(NodeBuilder &b, Value x, int64_t dim, int64_t count,
                      bool isLow, StringRef mode) {
  int64_t extent = shapeOf(x)[dim];
  if (extent == 0 || (mode == "reflect" && count >= extent) ||
      (mode == "wrap" && count > extent))
    return b.refuse("mode '" + mode + "' pads " + Twine(count) +
                    " elements to a dimension of " + Twine(extent));
  if (mode == "edge") {
    Extents shape(shapeOf(x));
    shape[dim] = count;
    int64_t at = isLow ? 0 : extent - 1;
    return b.broadcastTo(b.sliceDim(x, dim, at, at + 1), shape);
  }
  if (mode == "wrap")
    return isLow ? b.sliceDim(x, dim, extent - count, extent)
                 : b.sliceDim(x, dim, 0, count);
  Value inner = isLow ? b.sliceDim(x, dim, 1, count + 1)
                      : b.sliceDim(x, dim, extent - 1 - count, extent - 1);
  return b.reverse(inner, {dim});
}

/// One dimension after the other: corners are made from edges that exist
/// already.
static Value padByEdges(NodeBuilder &b, Value x, const Amounts &amounts,
                        StringRef mode) {
  for (int64_t dim = 0; dim < rankOf(x); ++dim) {
    Values parts = {x};
    if (amounts.low[dim] > 0)
      parts.insert(parts.begin(),
                   makeEdge(b, x, dim, amounts.low[dim], true, mode));
    if (amounts.high[dim] > 0)
      parts.push_back(makeEdge(b, x, dim, amounts.high[dim], false, mode));
    if (!b.refusal().empty())
      return nullptr;
    x = b.concat(parts, dim);
  }
  return x;
}

static Value padWith(NodeBuilder &b, Value x, Value value, const Extents &low,
                     const Extents &high) {
  OpBuilder &builder = b.builder;
  return repro::PadOp::create(
      builder, b.location, b.resultType(), x, value,
      builder.getDenseI64ArrayAttr(low), builder.getDenseI64ArrayAttr(high),
      builder.getDenseI64ArrayAttr(Extents(rankOf(x), 0)));
}

static Value convertPad(NodeBuilder &b) {
  Value x = b.raw("data");
  int64_t rank = rankOf(x);
  std::optional<Amounts> amounts = readAmounts(b, rank);
  if (!amounts)
    return b.refuse("pads and axes must be constants that fit the rank");
  Extents start(rank, 0), limit(shapeOf(x));
  bool isGrown = false;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t &low = amounts->low[dim], &high = amounts->high[dim];
    start[dim] = std::max<int64_t>(0, -low);
    limit[dim] += std::min<int64_t>(0, high);
    if (limit[dim] < start[dim])
      return b.refuse("pads cut off more than there is");
    low = std::max<int64_t>(0, low);
    high = std::max<int64_t>(0, high);
    isGrown |= low > 0 || high > 0;
  }
  x = b.slice(x, start, limit, Extents(rank, 1));
  if (!isGrown)
    return x;
  StringRef mode = b.string("mode");
  if (mode != "constant")
    return padByEdges(b, x, *amounts, mode);
  return padWith(b, x, fillValue(b, elementOf(x)), amounts->low, amounts->high);
}

/// Crops or pads each dimension to the inferred extent, half on each side; an
/// odd element goes to the end.
static Value convertCenterCropPad(NodeBuilder &b) {
  Value x = b.raw("input_data");
  int64_t rank = rankOf(x);
  Extents start(rank, 0), limit(shapeOf(x)), low(rank, 0), high(rank, 0);
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t more = b.resultType().getDimSize(dim) - shapeOf(x)[dim];
    if (more < 0) {
      start[dim] = -more / 2;
      limit[dim] = start[dim] + b.resultType().getDimSize(dim);
    } else {
      low[dim] = more / 2;
      high[dim] = more - more / 2;
    }
  }
  return padWith(b, b.slice(x, start, limit, Extents(rank, 1)),
                 b.fill(0, elementOf(x)), low, high);
}

void onnx_to_repro::addPadding(OperatorTable &table) {
  table.add("CenterCropPad", {18}, convertCenterCropPad);
  table.add("Pad", {2, 11, 13, 18, 19, 21, 23, 24, 25}, convertPad);
}
