// NonMaxSuppression: boxes by descending score; each selected box suppresses
// those that overlap it too much.

#include "../Support/Indexed.h"
#include "../Support/LoopBuilder.h"
#include "../Support/OperatorTable.h"
#include "../Tensor/NonZeroCompress.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

namespace {
/// [batch, classes, boxes] each.
struct Boxes {
  Value low[2], high[2], area;
};
} // namespace

static Value smaller(NodeBuilder &b, Value x, Value y) {
  return b.binary<repro::MinOp>(x, y);
}
static Value larger(NodeBuilder &b, Value x, Value y) {
  return b.binary<repro::MaxOp>(x, y);
}
static Value both(NodeBuilder &b, Value x, Value y) {
  return b.binary<repro::AndOp>(x, y);
}

/// The boxes [batch, boxes, 4] in the order of `places`, as two opposite
/// corners or as centre and size.
static Boxes inOrder(NodeBuilder &b, Value boxes, Value places) {
  auto line = [&](int64_t part) {
    IndexMaps maps(b, 3);
    AffineExpr place = maps.add(places, {0, 1, 2});
    return maps.gather(boxes, shapeOf(places),
                       {b.iterator(0), place,
                        getAffineConstantExpr(part, b.builder.getContext())});
  };
  Boxes result;
  for (int dim = 0; dim < 2; ++dim) {
    Value first = line(dim), second = line(2 + dim);
    if (b.integer("center_point_box")) {
      Value half = b.div(second, b.fill(2, second));
      result.low[dim] = b.sub(first, half);
      result.high[dim] = b.add(first, half);
    } else {
      result.low[dim] = smaller(b, first, second);
      result.high[dim] = larger(b, first, second);
    }
  }
  result.area = b.mul(b.sub(result.high[1], result.low[1]),
                      b.sub(result.high[0], result.low[0]));
  return result;
}

/// True if the intersection is more than `threshold` of the union.
static Value overlaps(NodeBuilder &b, const Boxes &x, const Boxes &y,
                      Value threshold) {
  Value width[2];
  for (int dim = 0; dim < 2; ++dim)
    width[dim] = b.sub(smaller(b, x.high[dim], y.high[dim]),
                       larger(b, x.low[dim], y.low[dim]));
  Value common = b.mul(width[1], width[0]);
  Value all = b.sub(b.add(x.area, y.area), common);
  Value is = b.compare(CompareKind::Gt, b.div(common, all), threshold);
  for (Value positive : {width[0], width[1], x.area, y.area, common, all})
    is = both(b, is, b.compare(CompareKind::Gt, positive, 0));
  return is;
}

/// The mask of selected boxes among the sorted ones, [batch, classes, boxes].
static Value select(NodeBuilder &b, Boxes boxes, Value isCandidate, Value most,
                    Value threshold) {
  const Extents shape(shapeOf(isCandidate));
  const Extents one = {shape[0], shape[1], 1};
  Type i64 = b.builder.getI64Type();
  LoopBuilder loop(b, shape[2]);
  for (Value *value : {&boxes.low[0], &boxes.low[1], &boxes.high[0],
                       &boxes.high[1], &boxes.area, &most, &threshold})
    *value = loop.share(*value);
  Value isOpen = loop.carry(isCandidate);
  Value isSelected = loop.carry(b.fill(0, isCandidate));
  Value count = loop.carry(b.fill(0, i64, one));
  loop.open();
  auto current = [&](Value line) {
    IndexMaps maps(b, 3);
    AffineExpr place = maps.add(loop.index(), {});
    return maps.gather(line, one, {b.iterator(0), b.iterator(1), place},
                       repro::IndexBound::Zero);
  };
  Boxes own;
  for (int dim = 0; dim < 2; ++dim) {
    own.low[dim] = current(boxes.low[dim]);
    own.high[dim] = current(boxes.high[dim]);
  }
  own.area = current(boxes.area);
  Value isTaken =
      both(b, current(isOpen), b.compare(CompareKind::Lt, count, most));
  Value isOwn = b.compare(CompareKind::Eq, b.iota(2, shape, i64), loop.index());
  Value isSuppressed = both(b, overlaps(b, own, boxes, threshold), isTaken);
  isSelected = b.binary<repro::OrOp>(isSelected, both(b, isOwn, isTaken));
  isOpen = both(b, isOpen, b.unary<repro::NotOp>(isSuppressed));
  count = b.add(count, b.convert(isTaken, i64));
  return loop.close({isOpen, isSelected, count})[1];
}

/// [count, 3]: batch, class, box.
static Value convertNonMaxSuppression(NodeBuilder &b) {
  Value boxes = b.raw("boxes"), scores = b.raw("scores");
  const int64_t count = b.resultShape()[0];
  if (shapeOf(boxes)[2] != 4 || shapeOf(scores)[0] != shapeOf(boxes)[0] ||
      shapeOf(scores)[2] != shapeOf(boxes)[1] || product(shapeOf(scores)) == 0)
    return b.refuse("the shapes of boxes and scores do not agree");
  Type i64 = b.builder.getI64Type();
  auto number = [&](StringRef formal, Type element) {
    Value value = b.raw(formal);
    return value ? b.reshape(value, {}) : b.fill(0, element);
  };
  Value most = number("max_output_boxes_per_class", i64);
  Value threshold = number("iou_threshold", elementOf(boxes));
  const Extents shape(shapeOf(scores));
  auto sort = repro::SortOp::create(
      b.builder, b.location, scores.getType(),
      RankedTensorType::get(shape, b.builder.getI32Type()),
      repro::SortDirection::Descending, scores, 2, shape[2]);
  Value places = b.convert(sort.getPositions(), i64);
  Value isCandidate = b.fill(1, b.builder.getI1Type(), shape);
  if (Value least = b.raw("score_threshold"))
    isCandidate =
        b.compare(CompareKind::Gt, sort.getValues(), b.reshape(least, {}));
  Value isSelected =
      select(b, inOrder(b, boxes, places), isCandidate, most, threshold);
  const int64_t total = product(shape);
  Value flat = truePositions(b, b.reshape(isSelected, {total}), count);
  auto column = [&](Value value) { return b.reshape(value, {count, 1}); };
  auto constant = [&](int64_t value) { return b.fill(double(value), flat); };
  Value batch = b.div(flat, constant(shape[1] * shape[2]));
  Value kind = b.binary<repro::RemOp>(b.div(flat, constant(shape[2])),
                                      constant(shape[1]));
  Value box = gatherAlong(b, b.reshape(places, {total}), flat, 0);
  return b.concat({column(batch), column(kind), column(box)}, 1);
}

void onnx_to_repro::addNonMaxSuppression(OperatorTable &table) {
  table.add("NonMaxSuppression", {10, 11}, convertNonMaxSuppression);
}
