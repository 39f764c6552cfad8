// Positions of elements, and tensors made from positions.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::ArgKind;
using repro::CompareKind;

/// The row-major index of the maximum or minimum along dimensions [first,
/// last], which are dropped.
static Value argOver(NodeBuilder &b, ArgKind kind, bool isLast, Value x,
                     int64_t first, int64_t last) {
  SmallVector<AffineExpr> map;
  for (int64_t dim = 0; dim < rankOf(x); ++dim)
    map.push_back(b.iterator(dim));
  return b.argWindows(kind, isLast, x, shapeOf(x), range(first, last + 1), map);
}

namespace {
template <ArgKind kind> Value convertArg(NodeBuilder &b) {
  Value x = b.operand("data");
  int64_t dim = b.axis("axis", rankOf(x));
  bool isLast = b.since() >= 12 && b.integer("select_last_index");
  Value position = argOver(b, kind, isLast, x, dim, dim);
  return b.reshape(b.convert(position, b.builder.getI64Type()),
                   b.resultShape());
}
} // namespace

/// 1 at the first maximum, else 0. Before version 13 the operand is treated as
/// a matrix whose columns are the dimensions from `axis` on.
static Value convertHardmax(NodeBuilder &b) {
  Value x = b.operand("input");
  int64_t first = b.axis("axis", rankOf(x));
  int64_t last = b.since() < 13 ? rankOf(x) - 1 : first;
  int64_t count = product(shapeOf(x).slice(first, last - first + 1));
  Extents flat(shapeOf(x).take_front(first));
  flat.push_back(count);
  llvm::append_range(flat, shapeOf(x).drop_front(last + 1));
  Value rows = b.reshape(x, flat);
  Value winner = argOver(b, ArgKind::Max, false, rows, first, first);
  Extents kept(flat);
  kept[first] = 1;
  Value index = b.iota(first, flat, b.builder.getI32Type());
  Value isWinner = b.compare(CompareKind::Eq, index, b.reshape(winner, kept));
  return b.reshape(b.convert(isWinner, elementOf(x)), shapeOf(x));
}

/// Indices of any type are converted to int64 first. Negative ones count from
/// the end; those out of range give a row of off-values.
static Value convertOneHot(NodeBuilder &b) {
  ShapeView shape = b.resultShape();
  int64_t dim = b.axis("axis", shape.size()), depth = shape[dim];
  Value values = b.raw("values");
  Value off = b.reshape(b.sliceDim(values, 0, 0, 1), {});
  Value on = b.reshape(b.sliceDim(values, 0, 1, 2), {});
  Value index = b.convert(b.raw("indices"), b.builder.getI64Type());
  Value isNegative = b.compare(CompareKind::Lt, index, 0);
  index =
      b.select(isNegative, b.add(index, b.fill(double(depth), index)), index);
  Extents kept(shapeOf(index));
  kept.insertAt(dim, 1);
  Value position = b.iota(dim, shape, elementOf(index));
  Value isOn = b.compare(CompareKind::Eq, position, b.reshape(index, kept));
  return b.select(isOn, on, off);
}

void onnx_to_repro::addIndexing(OperatorTable &table) {
  table.add("ArgMax", {1, 11, 12, 13}, convertArg<ArgKind::Max>);
  table.add("ArgMin", {1, 11, 12, 13}, convertArg<ArgKind::Min>);
  table.add("Hardmax", {1, 11, 13}, convertHardmax);
  table.add("OneHot", {9, 11, 28}, convertOneHot);
}
