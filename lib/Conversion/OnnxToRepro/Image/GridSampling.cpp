// GridSample gathers the elements around the coordinates of a grid and weights
// them. For each dimension, the last one first, products are added from left to
// right by fma. Elements outside are zeros, or those of the padding mode.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

namespace {
class GridSampler {
public:
  explicit GridSampler(NodeBuilder &b)
      : b(b), x(b.operand("X")), grid(b.operand("grid")),
        spatial(rankOf(x) - 2), mode(b.string("mode")),
        padding(b.string("padding_mode")),
        aligned(b.integer("align_corners") != 0) {}

  Value build() {
    if (shapeOf(grid).back() != spatial)
      return b.refuse("the grid has other dimensions than X");
    if (!isFloat(x) && !isNearest())
      return b.refuse("only floats can be interpolated");
    if (padding != "zeros" && llvm::is_contained(shapeOf(x).drop_front(2), 0))
      return b.refuse("X has no element to pad with");
    for (int64_t dim = 0; dim < spatial; ++dim)
      locate(dim);
    return sample(0);
  }

private:
  bool isNearest() const { return mode == "nearest"; }
  bool isCubic() const { return mode == "cubic" || mode == "bicubic"; }
  Value number(double value) { return b.fill(value, elementOf(grid)); }
  Value trunc(Value v) { return b.round(repro::RoundKind::Trunc, v); }

  /// Constants of a dimension: the bounds of reflection, and the index of the
  /// last element.
  struct Range {
    double low, high, last;
  };

  /// `v`, reflected at both ends until it is in [low, high].
  Value reflect(Value v, double low, double high) {
    const double reach = high - low;
    if (reach == 0)
      return b.fill(low, v);
    Value below = b.compare(CompareKind::Lt, v, low);
    Value above = b.compare(CompareKind::Gt, v, high);
    Value far = b.select(below, b.sub(number(low), v), b.sub(v, number(high)));
    Value turns = trunc(b.div(far, number(reach)));
    Value rest = b.sub(far, b.mul(turns, number(reach)));
    Value isOdd = b.compare(CompareKind::Ne,
                            b.binary<repro::RemOp>(turns, b.fill(2, turns)), 0);
    Value fromLow = b.add(number(low), rest);
    Value fromHigh = b.sub(number(high), rest);
    return b.select(below, b.select(isOdd, fromHigh, fromLow),
                    b.select(above, b.select(isOdd, fromLow, fromHigh), v));
  }
  /// Clamps to [low, high]; the derivative at both ends is 0, as in PyTorch.
  Value clamp(Value v, double low, double high) {
    v = b.select(b.compare(CompareKind::Le, v, low), number(low), v);
    return b.select(b.compare(CompareKind::Ge, v, high), number(high), v);
  }
  /// The position that the padding mode substitutes for `v`. If a reflected
  /// position is still beyond the edge element, that element is the nearest.
  Value pad(Value v, const Range &range) {
    if (padding == "zeros")
      return v;
    if (padding == "reflection")
      v = reflect(v, range.low, range.high);
    return clamp(v, 0, range.last);
  }

  /// Computes indices and weights along one dimension. Cubic weights are those
  /// of the position before padding; only the indices of their elements are
  /// padded.
  void locate(int64_t dim) {
    const auto extent = double(shapeOf(x)[2 + dim]);
    const Range range = {aligned ? 0 : -0.5,
                         aligned ? extent - 1 : extent - 0.5, extent - 1};
    // The grid lists the last dimension first.
    const int64_t part = spatial - 1 - dim;
    Value v = b.reshape(b.sliceDim(grid, spatial + 1, part, part + 1),
                        shapeOf(grid).drop_back());
    Value one = number(1), two = number(2);
    v = aligned ? b.mul(b.div(b.add(v, one), two), number(extent - 1))
                : b.div(b.sub(b.mul(b.add(v, one), number(extent)), one), two);
    if (isNearest())
      v = b.round(repro::RoundKind::Even, v);
    else if (!isCubic())
      v = pad(v, range);
    Value first = isNearest() ? v : b.round(repro::RoundKind::Floor, v);
    Values &into = indices.emplace_back();
    const int64_t begin = isCubic() ? -1 : 0;
    const int64_t count = isNearest() ? 1 : isCubic() ? 4 : 2;
    for (int64_t k = 0; k < count; ++k) {
      Value at =
          begin + k == 0 ? first : b.add(first, number(double(begin + k)));
      into.push_back(b.convert(pad(at, range), b.builder.getI64Type()));
    }
    weights.push_back(isNearest() ? Values() : weigh(b.sub(v, first)));
  }

  Values weigh(Value ratio) {
    Value rest = b.sub(number(1), ratio);
    if (!isCubic())
      return {spread(rest), spread(ratio)};
    auto near = [&](Value t) { // (1.25 t - 2.25) t t + 1
      Value inner = b.sub(b.mul(number(1.25), t), number(2.25));
      return b.add(b.mul(b.mul(inner, t), t), number(1));
    };
    auto far = [&](Value t) { // ((-0.75 u + 3.75) u - 6) u + 3, u = t + 1
      Value u = b.add(t, number(1));
      Value inner = b.add(b.mul(number(-0.75), u), number(3.75));
      inner = b.sub(b.mul(inner, u), number(6));
      return b.add(b.mul(inner, u), number(3));
    };
    return {spread(far(ratio)), spread(near(ratio)), spread(near(rest)),
            spread(far(rest))};
  }

  /// Broadcasts a value per point of the grid to the shape of the result.
  Value spread(Value value) {
    Extents shape(shapeOf(value));
    shape.insertAt(1, 1);
    return b.broadcastTo(b.convert(b.reshape(value, shape), elementOf(x)),
                         resultShape());
  }
  Extents resultShape() const {
    Extents shape = {shapeOf(x)[0], shapeOf(x)[1]};
    llvm::append_range(shape, shapeOf(grid).slice(1, spatial));
    return shape;
  }

  /// The sum over the taps of dimensions from `dim` on, for the taps already
  /// chosen in earlier dimensions.
  Value sample(int64_t dim) {
    if (dim == spatial)
      return read();
    Value sum;
    for (size_t k = 0; k < indices[dim].size(); ++k) {
      chosen.push_back(indices[dim][k]);
      Value value = sample(dim + 1);
      chosen.pop_back();
      if (isNearest())
        return value;
      Value weight = weights[dim][k];
      sum = sum ? repro::FmaOp::create(b.builder, b.location, value.getType(),
                                       value, weight, sum)
                      .getResult()
                : b.mul(value, weight);
    }
    return sum;
  }

  Value read() {
    IndexMaps maps(b, spatial + 2);
    Extents iterators = {0};
    llvm::append_range(iterators, range(2, spatial + 2));
    Exprs place = {b.iterator(0), b.iterator(1)};
    for (Value index : chosen)
      place.push_back(maps.add(index, iterators));
    return maps.gather(x, resultShape(), place, repro::IndexBound::Zero);
  }

  NodeBuilder &b;
  Value x, grid;
  int64_t spatial;
  StringRef mode, padding;
  bool aligned;
  SmallVector<Values> indices, weights;
  Values chosen;
};
} // namespace

static Value convertGridSample(NodeBuilder &b) {
  if (rankOf(b.raw("X")) < 3)
    return b.refuse("X has no dimension to sample along");
  return GridSampler(b).build();
}

void onnx_to_repro::addGridSampling(OperatorTable &table) {
  table.add("GridSample", {16, 20, 22}, convertGridSample);
}
