// MaxRoiPool: the maximum of each bin of data-dependent regions.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;
using repro::RoundKind;

/// Column `i` of the regions, [regions, 1].
static Value corner(NodeBuilder &b, Value regions, int64_t i) {
  return b.sliceDim(regions, 1, i, i + 1);
}

/// A mask of the positions of an image of `extent` that belong to each bin,
/// [regions, pooled, extent]. Bins have equal width, and their edges are
/// rounded outwards.
static Value binsAlong(NodeBuilder &b, Value regions, int64_t from, int64_t to,
                       int64_t pooled, int64_t extent) {
  Type element = elementOf(regions);
  auto number = [&](double value) { return b.fill(value, element); };
  auto edge = [&](int64_t i) { // rounds half away from 0
    Value v = b.mul(corner(b, regions, i), number(b.real("spatial_scale")));
    return b.select(b.compare(CompareKind::Lt, v, 0),
                    b.round(RoundKind::Ceil, b.sub(v, number(0.5))),
                    b.round(RoundKind::Floor, b.add(v, number(0.5))));
  };
  const int64_t count = shapeOf(regions)[0];
  Value start = edge(from);
  Value size = b.add(b.sub(edge(to), start), number(1));
  size = b.binary<repro::MaxOp>(size, number(1));
  Value bin = b.reshape(b.div(size, number(double(pooled))), {count, 1, 1});
  start = b.reshape(start, {count, 1, 1});
  auto along = [&](int64_t dim) {
    return b.convert(b.iota(dim, {1, pooled, extent}, b.builder.getI64Type()),
                     element);
  };
  Value low = b.round(RoundKind::Floor, b.mul(along(1), bin));
  Value high = b.round(RoundKind::Ceil, b.mul(b.add(along(1), number(1)), bin));
  Value place = along(2);
  return b.binary<repro::AndOp>(
      b.compare(CompareKind::Ge, place, b.add(low, start)),
      b.compare(CompareKind::Lt, place, b.add(high, start)));
}

/// The maximum of each bin, 0 if a bin is empty.
static Value convertMaxRoiPool(NodeBuilder &b) {
  Value x = b.operand("X"), regions = b.operand("rois");
  ShapeView shape = b.resultShape();
  if (shapeOf(regions)[1] != 5)
    return b.refuse("the regions have " + Twine(shapeOf(regions)[1]) +
                    " numbers each, expected 5: image and corners");
  const int64_t count = shape[0], height = shapeOf(x)[2], width = shapeOf(x)[3];
  Value image = b.reshape(
      b.convert(corner(b, regions, 0), b.builder.getI64Type()), {count});
  Value rows = binsAlong(b, regions, 2, 4, shape[2], height);
  Value columns = binsAlong(b, regions, 1, 3, shape[3], width);
  Value least = b.fill(-std::numeric_limits<double>::infinity(), elementOf(x));
  // Reduces over columns, then over rows: the mask of a rectangle is the
  // product of both.
  Value y = b.reshape(gatherAlong(b, x, image, 0),
                      {count, shape[1], height, 1, width});
  y = b.select(b.reshape(columns, {count, 1, 1, shape[3], width}), y, least);
  y = b.reduce(repro::ReduceKind::Max, y, {4}, /*keep=*/false);
  y = b.reshape(y, {count, shape[1], 1, height, shape[3]});
  y = b.select(b.reshape(rows, {count, 1, shape[2], height, 1}), y, least);
  y = b.reduce(repro::ReduceKind::Max, y, {3}, /*keep=*/false);
  auto any = [&](Value mask, ArrayRef<int64_t> to) {
    return b.reshape(b.reduce(repro::ReduceKind::Or, mask, {2}, false), to);
  };
  Value isFilled =
      b.binary<repro::AndOp>(any(rows, {count, 1, shape[2], 1}),
                             any(columns, {count, 1, 1, shape[3]}));
  return b.select(isFilled, y, b.fill(0, elementOf(x)));
}

void onnx_to_repro::addRegionPooling(OperatorTable &table) {
  table.add("MaxRoiPool", {1, 22}, convertMaxRoiPool);
}
