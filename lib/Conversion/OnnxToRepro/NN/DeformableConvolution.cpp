// DeformConv: the positions of the taps are data. Values are interpolated
// bilinearly between elements, and are zero outside of the image.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {
class Deformed {
public:
  explicit Deformed(NodeBuilder &b)
      : b(b), x(b.operand("X")), weights(b.operand("W")),
        offsets(b.operand("offset")), mask(b.operand("mask")) {}

  Value build() {
    if (rankOf(x) != 4)
      return b.refuse("only images of two dimensions are supported");
    groups = b.integer("group");
    offsetGroups = b.integer("offset_group");
    rows = shapeOf(weights)[2];
    columns = shapeOf(weights)[3];
    taps = rows * columns;
    Extents out(b.resultShape());
    const int64_t n = out[0], channels = shapeOf(x)[1], filters = out[1];
    if (groups < 1 || offsetGroups < 1 || channels % offsetGroups ||
        channels % groups || filters % groups ||
        shapeOf(weights)[1] != channels / groups ||
        shapeOf(offsets) !=
            ArrayRef<int64_t>({n, offsetGroups * taps * 2, out[2], out[3]}))
      return b.refuse("the shapes of operands and groups do not agree");
    if (!b.canTabulate({taps, out[2], out[3]}))
      return nullptr;
    place = {n, offsetGroups, taps, out[2], out[3]};
    Value columnsOf = sample(channels / offsetGroups);
    const int64_t points = out[2] * out[3], own = channels / groups;
    Value image = b.reshape(columnsOf, {n, groups, own, taps, points});
    Value filter = b.reshape(weights, {groups, filters / groups, own, taps});
    auto it = [&](unsigned dim) { return b.iterator(dim); };
    Value y = b.contract(
        image, filter, {n, groups, filters / groups, points, own, taps}, {4, 5},
        {{it(0), it(1), it(4), it(5), it(3)}, {it(1), it(2), it(4), it(5)}});
    y = b.reshape(y, out);
    if (Value bias = b.operand("B"))
      y = b.add(y, b.along(bias, 1, 4));
    return y;
  }

private:
  int64_t setting(StringRef name, size_t i, int64_t otherwise) const {
    Extents values = b.integers(name);
    return i < values.size() ? values[i] : otherwise;
  }

  /// Coordinates of the taps along `dim`, [n, groups, taps, height, width].
  Value coordinates(int64_t dim) {
    Value offset =
        b.reshape(offsets, {place[0], place[1], taps, 2, place[3], place[4]});
    offset = b.reshape(b.sliceDim(offset, 3, dim, dim + 1), place);
    // These are integers, so the floats are exact.
    SmallVector<float> regular;
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t row = 0; row < place[3]; ++row)
        for (int64_t column = 0; column < place[4]; ++column)
          regular.push_back(
              float((dim ? column : row) * setting("strides", dim, 1) +
                    (dim ? tap % columns : tap / columns) *
                        setting("dilations", dim, 1) -
                    setting("pads", dim, 0)));
    auto type = RankedTensorType::get({taps, place[3], place[4]},
                                      b.builder.getF32Type());
    Value base =
        b.elements(DenseElementsAttr::get(type, ArrayRef<float>(regular)));
    return b.add(b.convert(base, elementOf(offset)), offset);
  }

  /// [n, channels, taps, height, width], masked.
  Value sample(int64_t perGroup) {
    Extents all = {place[0], place[1], perGroup, taps, place[3], place[4]};
    Extents factor = all;
    factor[2] = 1;
    Value low[2], high[2], near[2], far[2];
    for (int64_t dim = 0; dim < 2; ++dim) {
      Value at = coordinates(dim);
      Value floor = b.round(repro::RoundKind::Floor, at);
      far[dim] = b.sub(at, floor);
      near[dim] = b.sub(b.fill(1, far[dim]), far[dim]);
      low[dim] = b.convert(floor, b.builder.getI64Type());
      high[dim] = b.add(low[dim], b.fill(1, low[dim]));
    }
    Value total;
    for (int corner = 0; corner < 4; ++corner) {
      const bool isBelow = corner / 2, isRight = corner % 2;
      IndexMaps maps(b, 6);
      AffineExpr row = maps.add(isBelow ? high[0] : low[0], {0, 1, 3, 4, 5});
      AffineExpr column = maps.add(isRight ? high[1] : low[1], {0, 1, 3, 4, 5});
      Value value =
          maps.gather(x, all,
                      {b.iterator(0), b.iterator(1) * perGroup + b.iterator(2),
                       row, column},
                      repro::IndexBound::Zero);
      Value weight =
          b.mul(isBelow ? far[0] : near[0], isRight ? far[1] : near[1]);
      weight = b.broadcastTo(b.reshape(weight, factor), all);
      total = total
                  ? repro::FmaOp::create(b.builder, b.location, value.getType(),
                                         value, weight, total)
                        .getResult()
                  : b.mul(value, weight);
    }
    return mask ? b.mul(total, b.reshape(mask, factor)) : total;
  }

  NodeBuilder &b;
  Value x, weights, offsets, mask;
  int64_t groups, offsetGroups, rows, columns, taps;
  Extents place;
};
} // namespace

static Value convertDeformConv(NodeBuilder &b) { return Deformed(b).build(); }

void onnx_to_repro::addDeformableConvolution(OperatorTable &table) {
  table.add("DeformConv", {19, 22}, convertDeformConv);
}
