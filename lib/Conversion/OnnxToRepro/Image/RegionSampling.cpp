// RoiAlign: each bin of a region is the mean, or the maximum, of samples
// between four elements. Their number must be known at compile time.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

namespace {
/// Samples along one dimension: [regions, bins, samples].
struct Samples {
  Value low, high;     ///< indices, i64
  Value toLow, toHigh; ///< weights
  Value inside;        ///< i1
  Extents iterators;   ///< of the points, by dimension
};

class RegionSampler {
public:
  RegionSampler(NodeBuilder &b, int64_t samples)
      : b(b), x(b.operand("X")), regions(b.operand("rois")), samples(samples),
        isHalfPixel(
            b.node.hasFormalAttribute("coordinate_transformation_mode") &&
            b.string("coordinate_transformation_mode") == "half_pixel") {}

  Value build() {
    const Samples y = locate(1, 2, b.integer("output_height"), {0, 2, 4});
    const Samples across = locate(0, 3, b.integer("output_width"), {0, 3, 5});
    points = {shapeOf(regions)[0],    shapeOf(x)[1], shapeOf(y.low)[1],
              shapeOf(across.low)[1], samples,       samples};
    const bool isMax = b.string("mode") == "max";
    Value value;
    for (auto [rows, rowWeight] :
         {std::pair(y.low, y.toLow), std::pair(y.high, y.toHigh)})
      for (auto [columns, columnWeight] :
           {std::pair(across.low, across.toLow),
            std::pair(across.high, across.toHigh)}) {
        Value weight =
            b.mul(spread(rowWeight, y), spread(columnWeight, across));
        Value part = b.mul(weight, read(rows, columns, y, across));
        value = !value  ? part
                : isMax ? b.binary<repro::MaxOp>(value, part)
                        : b.add(value, part);
      }
    Value inside = b.binary<repro::AndOp>(spread(y.inside, y),
                                          spread(across.inside, across));
    value = b.select(inside, value, b.fill(0, value));
    auto kind = isMax ? repro::ReduceKind::Max : repro::ReduceKind::Sum;
    value = b.reduce(kind, value, {4, 5}, /*keep=*/false);
    return isMax ? value
                 : b.div(value, b.fill(double(samples * samples), value));
  }

private:
  Value number(double value) { return b.fill(value, elementOf(regions)); }
  Value clampLow(Value v, double low) {
    return b.select(b.compare(CompareKind::Lt, v, low), number(low), v);
  }

  /// `first` is the column of the start in the regions; that of the end is two
  /// further.
  Samples locate(int64_t first, int64_t dim, int64_t bins, Extents along) {
    const int64_t count = shapeOf(regions)[0];
    const auto extent = double(shapeOf(x)[dim]);
    auto end = [&](int64_t column) {
      Value v =
          b.reshape(b.sliceDim(regions, 1, column, column + 1), {count, 1, 1});
      v = b.mul(v, number(b.real("spatial_scale")));
      return isHalfPixel ? b.sub(v, number(0.5)) : v;
    };
    Value start = end(first);
    Value length = b.sub(end(first + 2), start);
    if (!isHalfPixel) // regions are at least one element large
      length = clampLow(length, 1);
    Value bin = b.div(length, number(double(bins)));
    Type element = elementOf(regions);
    Value number0 = b.iota(1, {1, bins, 1}, b.builder.getI32Type());
    Value within = b.iota(2, {1, 1, samples}, b.builder.getI32Type());
    Value step = b.add(b.convert(within, element), number(0.5));
    Value v = b.add(b.add(start, b.mul(b.convert(number0, element), bin)),
                    b.div(b.mul(step, bin), number(double(samples))));
    Samples result;
    result.inside =
        b.binary<repro::AndOp>(b.compare(CompareKind::Ge, v, -1.0),
                               b.compare(CompareKind::Le, v, extent));
    v = clampLow(v, 0);
    Value low = b.round(repro::RoundKind::Floor, v);
    Value isLast = b.compare(CompareKind::Ge, low, extent - 1);
    v = b.select(isLast, number(extent - 1), v);
    low = b.select(isLast, number(extent - 1), low);
    Value high = b.select(isLast, low, b.add(low, number(1)));
    result.toHigh = b.sub(v, low);
    result.toLow = b.sub(number(1), result.toHigh);
    result.low = b.convert(low, b.builder.getI64Type());
    result.high = b.convert(high, b.builder.getI64Type());
    result.iterators = std::move(along);
    return result;
  }

  /// Broadcasts a value per sample of one dimension to all points.
  Value spread(Value value, const Samples &samplesOf) {
    Extents shape(points.size(), 1);
    for (auto [k, iterator] : llvm::enumerate(samplesOf.iterators))
      shape[iterator] = shapeOf(value)[k];
    value = b.reshape(value, shape);
    if (!elementOf(value).isInteger(1))
      value = b.convert(value, elementOf(x));
    return b.broadcastTo(value, points);
  }

  Value read(Value rows, Value columns, const Samples &y,
             const Samples &across) {
    IndexMaps maps(b, static_cast<int64_t>(points.size()));
    Exprs place = {maps.add(b.raw("batch_indices"), {0}), b.iterator(1),
                   maps.add(rows, y.iterators),
                   maps.add(columns, across.iterators)};
    return maps.gather(x, points, place);
  }

  NodeBuilder &b;
  Value x, regions;
  int64_t samples;
  bool isHalfPixel;
  Extents points;
};
} // namespace

static Value convertRoiAlign(NodeBuilder &b) {
  const int64_t samples = b.integer("sampling_ratio");
  if (samples <= 0)
    return b.refuse("sampling_ratio 0 makes the number of samples depend on "
                    "data");
  if (!isFloat(b.raw("X")))
    return b.refuse("only floats can be interpolated");
  if (llvm::is_contained(shapeOf(b.raw("X")), 0))
    return b.refuse("X has no elements");
  return RegionSampler(b, samples).build();
}

void onnx_to_repro::addRegionSampling(OperatorTable &table) {
  table.add("RoiAlign", {10, 16, 22}, convertRoiAlign);
}
