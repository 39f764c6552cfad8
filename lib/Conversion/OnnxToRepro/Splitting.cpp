// Parts of tensors and what joins them; sequences whose parts are known.

#include "OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

static Value convertConcat(NodeBuilder &b) {
  Values parts = b.raws("inputs");
  return b.concat(parts, b.axis("axis", b.resultType().getRank()));
}

/// The sizes are those of the results, wherever the node has them from.
static Values convertSplit(NodeBuilder &b) {
  Value x = b.raw("input");
  int64_t dim = b.axis("axis", rankOf(x)), start = 0;
  Values parts;
  for (unsigned i = 0; i < b.node->getNumResults(); ++i) {
    if (isa<NoneType>(b.node->getResult(i).getType()))
      return {b.refuse("an output in the list is absent")};
    int64_t limit = start + b.resultType(i).getDimSize(dim);
    parts.push_back(b.sliceDim(x, dim, start, limit));
    start = limit;
  }
  return parts;
}

namespace {
/// A slice of one dimension of `extent` by Python's rules.
struct Slicing {
  int64_t start, limit, stride;
  bool isReversed;
};
} // namespace

static Slicing resolveSlice(int64_t start, int64_t end, int64_t step,
                            int64_t extent) {
  auto clamp = [&](int64_t i, int64_t low, int64_t high) {
    return std::clamp(i < 0 ? i + extent : i, low, high);
  };
  if (step > 0) {
    int64_t first = clamp(start, 0, extent);
    return {first, std::max(first, clamp(end, 0, extent)), step, false};
  }
  // Written from the last element to the first, then reversed. -step would
  // overflow for the least integer, which no extent tells from a large one.
  int64_t stride = step < -extent ? extent + 1 : -step;
  int64_t first = clamp(start, -1, extent - 1);
  int64_t beyond = clamp(end, -1, extent - 1);
  if (first <= beyond)
    return {0, 0, 1, false};
  int64_t last = first - (first - beyond - 1) / stride * stride;
  return {last, first + 1, stride, true};
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
  Extents low(rank, 0), high(shapeOf(x)), stride(rank, 1), reversed;
  for (size_t i = 0; i < starts->size(); ++i) {
    int64_t dim = axes ? NodeBuilder::normalized((*axes)[i], rank) : int64_t(i);
    Slicing part = resolveSlice((*starts)[i], (*ends)[i],
                                steps ? (*steps)[i] : 1, shapeOf(x)[dim]);
    low[dim] = part.start;
    high[dim] = part.limit;
    stride[dim] = part.stride;
    if (part.isReversed)
      reversed.push_back(dim);
  }
  llvm::sort(reversed);
  return b.reverse(b.slice(x, low, high, stride), reversed);
}

/// Indices that are known: one slice where they are a progression, else the
/// parts joined.
static Value convertGather(NodeBuilder &b) {
  Value x = b.raw("data");
  int64_t dim = b.axis("axis", rankOf(x)), extent = shapeOf(x)[dim];
  std::optional<Extents> indices = b.constantIntegers(b.raw("indices"));
  if (!indices || indices->size() > 256)
    return b.refuse("indices must be at most 256 constants");
  if (indices->empty())
    return b.reshape(b.sliceDim(x, dim, 0, 0), b.resultType().getShape());
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
  return b.reshape(b.concat(parts, dim), b.resultType().getShape());
}

/// Element `position` of SplitToSequence: `split` is one size or a list of
/// them; absent, the elements have one index each, without the dimension unless
/// keepdims says so.
static Value splitPart(NodeBuilder &b, gensyn::onnx::NodeOp split,
                       int64_t position) {
  Value x = split.input("input");
  int64_t rank = rankOf(x);
  int64_t dim = NodeBuilder::normalized(*split.integer("axis"), rank);
  int64_t extent = shapeOf(x)[dim], start = 0, size = 1;
  if (Value sizes = split.input("split")) {
    std::optional<Extents> known = b.constantIntegers(sizes);
    if (!known)
      return b.refuse("the sizes of the sequence must be constants");
    if (rankOf(sizes) == 0) {
      size = known->front();
      known = Extents((extent + size - 1) / size, size);
    }
    if (position < 0)
      position += known->size();
    if (position < 0 || position >= int64_t(known->size()))
      return b.refuse("the position is outside the sequence");
    for (int64_t i = 0; i < position; ++i)
      start += (*known)[i];
    size = (*known)[position];
  } else {
    start = NodeBuilder::normalized(position, extent);
    if (start < 0 || start >= extent)
      return b.refuse("the position is outside the sequence");
  }
  Value part = b.sliceDim(x, dim, start, std::min(extent, start + size));
  return b.reshape(part, b.resultType().getShape());
}

static Value convertSequenceAt(NodeBuilder &b) {
  std::optional<Extents> position = b.constantIntegers(b.raw("position"));
  auto producer = dyn_cast_or_null<gensyn::onnx::NodeOp>(
      b.raw("input_sequence").getDefiningOp());
  if (!position || position->size() != 1 || !producer)
    return b.refuse("the sequence and the position must be known");
  int64_t at = position->front();
  if (producer.opType() == "SplitToSequence")
    return splitPart(b, producer, at);
  if (producer.opType() != "SequenceConstruct")
    return b.refuse("sequences from " + producer.opType() +
                    " are not supported");
  at = NodeBuilder::normalized(at, producer->getNumOperands());
  if (at < 0 || at >= int64_t(producer->getNumOperands()))
    return b.refuse("the position is outside the sequence");
  return producer->getOperand(at);
}

/// What is left of a sequence after its users took their elements.
static Value refuseSequence(NodeBuilder &b) {
  return b.refuse("a sequence is only supported where SequenceAt takes it "
                  "apart");
}

void onnx_to_repro::addSplitting(OperatorTable &table) {
  table.add("Concat", {4, 11, 13}, convertConcat);
  table.addMany("Split", {2, 11, 13, 18}, convertSplit);
  table.add("Slice", {1, 10, 11, 13}, convertSlice);
  table.add("Gather", {1, 11, 13}, convertGather);
  table.add("SequenceAt", {11}, convertSequenceAt);
  table.add("SplitToSequence", {11, 24}, refuseSequence);
  table.add("SequenceConstruct", {11}, refuseSequence);
}
