// Operators that split and join tensors.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"
#include "gensyn/Dialect/Onnx/IR/SliceBounds.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

static Value convertConcat(NodeBuilder &b) {
  Values parts = b.raws("inputs");
  return b.concat(parts, b.axis("axis", b.resultType().getRank()));
}

/// The sizes are those of the results, whichever way they were specified.
static Values convertSplit(NodeBuilder &b) {
  Value x = b.raw("input");
  int64_t dim = b.axis("axis", rankOf(x)), start = 0;
  Values parts;
  for (unsigned i = 0; i < b.node->getNumResults(); ++i) {
    if (isa<NoneType>(b.node->getResult(i).getType()))
      return {b.refuse("an output in the list is absent")};
    int64_t limit = start + b.resultShape(i)[dim];
    if (limit > shapeOf(x)[dim])
      return {b.refuse("the parts are larger than the whole")};
    parts.push_back(b.sliceDim(x, dim, start, limit));
    start = limit;
  }
  return parts;
}

/// Version 1 has attributes, later ones have inputs.
static Value convertSlice(NodeBuilder &b) {
  Value x = b.raw("data");
  int64_t rank = rankOf(x);
  std::optional<Extents> starts, ends, axes, steps;
  if (b.since() < 10) {
    starts = b.integers("starts");
    ends = b.integers("ends");
    axes = b.integers("axes");
    if (axes->empty())
      axes.reset();
  } else {
    starts = b.constantIntegers(b.raw("starts"));
    ends = b.constantIntegers(b.raw("ends"));
    axes = b.constantIntegers(b.raw("axes"));
    steps = b.constantIntegers(b.raw("steps"));
    if ((b.raw("axes") && !axes) || (b.raw("steps") && !steps))
      return b.refuse("axes and steps must be constants");
  }
  if (!starts || !ends)
    return b.refuse("starts and ends must be constants");
  if (!axes)
    axes = range(0, starts->size());
  if (!steps)
    steps = Extents(starts->size(), 1);
  if (ends->size() != starts->size() || axes->size() != starts->size() ||
      steps->size() != starts->size() || llvm::is_contained(*steps, 0))
    return b.refuse("starts, ends, axes and steps do not fit each other");
  if (!b.checkDimensions(*axes, rank))
    return nullptr;
  Extents low(rank, 0), high(shapeOf(x)), stride(rank, 1), reversed;
  for (size_t i = 0; i < starts->size(); ++i) {
    int64_t dim = NodeBuilder::normalized((*axes)[i], rank);
    const auto part = gensyn::onnx::SliceBounds::of(
        (*starts)[i], (*ends)[i], (*steps)[i], shapeOf(x)[dim]);
    const int64_t count = part.count();
    low[dim] = part.begin;
    high[dim] = std::max(part.begin, part.end);
    stride[dim] = std::abs(part.step);
    if (part.step > 0)
      continue;
    // Built from the last element to the first, then reversed.
    low[dim] = count ? part.begin + (count - 1) * part.step : 0;
    high[dim] = count ? part.begin + 1 : 0;
    if (count)
      reversed.push_back(dim);
  }
  llvm::sort(reversed);
  return b.reverse(b.slice(x, low, high, stride), reversed);
}

/// The limit on slices: more would make the program long.
static constexpr size_t kMaxParts = 8;

/// Rows of a table; rows equal to `padding` get no gradient.
static Value gatherTrained(NodeBuilder &b, Value table, Value index,
                           int64_t padding) {
  Value rows = gatherAlong(b, table, index, 0);
  Value isPadding = b.compare(repro::CompareKind::Eq, index,
                              b.fill(static_cast<double>(padding), index));
  Extents shape(shapeOf(index));
  shape.resize(rankOf(rows), 1);
  isPadding = b.broadcastTo(b.reshape(isPadding, shape), shapeOf(rows));
  return b.select(isPadding, b.stopGradient(rows), rows);
}

/// For constant indices: one slice if they are a progression, or a
/// concatenation of slices if there are few.
static Value convertGather(NodeBuilder &b) {
  Value x = b.raw("data");
  int64_t dim = b.axis("axis", rankOf(x)), extent = shapeOf(x)[dim];
  std::optional<Extents> indices = b.constantIntegers(b.raw("indices"));
  auto padding =
      b.node->getAttrOfType<IntegerAttr>(gensyn::onnx::names::paddingRow);
  if (!indices || indices->size() > kMaxParts || padding) {
    Value index = b.raw("indices");
    if (b.since() >= 11)
      index = fromEnd(b, index, extent);
    if (padding && dim == 0)
      return gatherTrained(b, x, index, padding.getInt());
    return gatherAlong(b, x, index, dim);
  }
  if (indices->empty())
    return b.reshape(b.sliceDim(x, dim, 0, 0), b.resultShape());
  Values parts;
  for (size_t i = 0, next; i < indices->size(); i = next) {
    int64_t first = NodeBuilder::normalized((*indices)[i], extent);
    if (first < 0 || first >= extent)
      return b.refuse("index " + Twine((*indices)[i]) +
                      " is out of range for extent " + Twine(extent));
    for (next = i + 1; next < indices->size() &&
                       NodeBuilder::normalized((*indices)[next], extent) ==
                           first + int64_t(next - i);)
      ++next;
    parts.push_back(
        b.sliceDim(x, dim, first, std::min(extent, first + int64_t(next - i))));
  }
  return b.reshape(b.concat(parts, dim), b.resultShape());
}

/// Sequences accessed at known positions have been replaced before.
static Value refuseSequence(NodeBuilder &b) {
  return b.refuse("the sequence's parts or the position depend on data");
}

void onnx_to_repro::addSplitting(OperatorTable &table) {
  table.add("Concat", {4, 11, 13}, convertConcat);
  table.addMany("Split", {2, 11, 13, 18}, convertSplit);
  table.add("Slice", {1, 10, 11, 13}, convertSlice);
  table.add("Gather", {1, 11, 13}, convertGather);
  table.add("SequenceAt", {11}, refuseSequence);
  table.add("SplitToSequence", {11, 24}, refuseSequence);
}
