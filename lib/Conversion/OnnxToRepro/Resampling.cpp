// Resize and Upsample: one dimension after another, each a sum of gathered
// elements times constant weights, from left to right by fma. Coordinates and
// weights are known when compiling; they are computed in f64 and rounded once.

#include "Indexed.h"
#include "OperatorTable.h"

#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {
/// What the attributes say, of both operators.
struct Sampling {
  StringRef mode = "nearest", coordinates = "asymmetric",
            nearest = "floor"; ///< as ONNX names them
  bool antialias = false, excludeOutside = false;
  double cubicA = -0.75, extrapolation = 0;
};

/// Which elements make one of the result, along a dimension.
struct Taps {
  SmallVector<int64_t> index; ///< ascending, maybe outside
  SmallVector<double> weight;
  bool isOutside = false; ///< the extrapolation value stands here
};

/// One dimension: extents, scale and the part that tf_crop_and_resize takes.
struct Axis {
  int64_t in, out;
  double scale, start = 0, end = 1;
};
} // namespace

/// Where position `at` of the result lies in the operand.
static double originOf(const Sampling &how, const Axis &axis, double at,
                       bool &isOutside) {
  const double width = axis.scale * double(axis.in);
  const auto last = double(axis.in - 1);
  const double halfPixel = (at + 0.5) / axis.scale - 0.5;
  if (how.coordinates == "asymmetric")
    return at / axis.scale;
  if (how.coordinates == "align_corners")
    return width == 1 ? 0 : at * last / (width - 1);
  if (how.coordinates == "pytorch_half_pixel")
    return width == 1 ? -0.5 : halfPixel;
  if (how.coordinates == "half_pixel_symmetric")
    return double(axis.in) / 2 * (1 - double(axis.out) / width) + halfPixel;
  if (how.coordinates == "tf_crop_and_resize") {
    const double part = (axis.end - axis.start) * last;
    const double x =
        (width == 1 ? part / 2 : at * part / (width - 1)) + axis.start * last;
    isOutside = x < 0 || x > last;
    return x;
  }
  return halfPixel;
}

static double cubicWeight(double a, double x) {
  x = std::fabs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The weights of the elements around a position `ratio`, in (0, 1], behind
/// the second half's first but one. With antialias the kernel is as wide as
/// the result's elements are apart.
static SmallVector<double> weightsAt(const Sampling &how, double scale,
                                     double ratio) {
  if (how.mode == "nearest") {
    const bool second = ratio == 1 || how.nearest == "ceil" ||
                        (how.nearest == "round_prefer_floor" && ratio > 0.5) ||
                        (how.nearest == "round_prefer_ceil" && ratio >= 0.5);
    return {second ? 0.0 : 1.0, second ? 1.0 : 0.0};
  }
  const double width = how.mode == "cubic" ? 2 : 1;
  const double step = how.antialias ? std::min(scale, 1.0) : 1.0;
  const auto first = static_cast<int64_t>(std::floor(-width / step)) + 1;
  SmallVector<double> weights;
  double sum = 0;
  for (int64_t i = first; i < 2 - first; ++i) {
    const double x = (double(i) - ratio) * step;
    weights.push_back(how.mode == "cubic" ? cubicWeight(how.cubicA, x)
                                          : std::max(0.0, 1 - std::fabs(x)));
    sum += weights.back();
  }
  if (how.antialias)
    for (double &weight : weights)
      weight /= sum;
  return weights;
}

static Taps tapsAt(const Sampling &how, const Axis &axis, int64_t at) {
  Taps taps;
  const double origin = originOf(how, axis, double(at), taps.isOutside);
  const double floor = std::floor(origin);
  // A position on an element counts as the end of the step before it.
  const double ratio = origin == floor ? 1.0 : origin - floor;
  taps.weight = weightsAt(how, axis.scale, ratio);
  const auto count = static_cast<int64_t>(taps.weight.size());
  const auto second = static_cast<int64_t>(floor) + (origin == floor ? 0 : 1);
  double sum = 0;
  for (int64_t k = 0; k < count; ++k) {
    taps.index.push_back(second - count / 2 + k);
    if (how.excludeOutside &&
        (taps.index.back() < 0 || taps.index.back() >= axis.in))
      taps.weight[k] = 0;
    sum += taps.weight[k];
  }
  if (how.excludeOutside && sum != 0)
    for (double &weight : taps.weight)
      weight /= sum;
  for (int64_t &index : taps.index) // the edges go on
    index = std::clamp<int64_t>(index, 0, axis.in - 1);
  return taps;
}

/// A constant along dimension `dim` of a tensor of `rank` dimensions.
static Value constantAlong(NodeBuilder &b, ArrayRef<double> values,
                           Type element, int64_t dim, int64_t rank) {
  auto f64 = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                   b.builder.getF64Type());
  Value line =
      b.convert(b.elements(DenseElementsAttr::get(f64, values)), element);
  return b.along(line, dim, rank);
}

static Value resample(NodeBuilder &b, const Sampling &how, const Axis &axis,
                      Value x, int64_t dim) {
  SmallVector<Taps> all;
  bool anyOutside = false;
  for (int64_t at = 0; at < axis.out; ++at) {
    all.push_back(tapsAt(how, axis, at));
    anyOutside |= all.back().isOutside;
  }
  auto part = [&](auto &&of) {
    SmallVector<int64_t> indices;
    for (const Taps &taps : all)
      indices.push_back(of(taps));
    return gatherAlong(b, x, constantIndices(b, indices), dim,
                       repro::IndexBound::Zero);
  };
  Value result;
  if (how.mode == "nearest") {
    result = part([](const Taps &taps) {
      return taps.index[taps.weight[0] == 1 ? 0 : 1];
    });
  } else {
    for (size_t k = 0; k < all.front().index.size(); ++k) {
      SmallVector<double> weights;
      for (const Taps &taps : all)
        weights.push_back(taps.weight[k]);
      Value weight = constantAlong(b, weights, elementOf(x), dim, rankOf(x));
      Value element = part([&](const Taps &taps) { return taps.index[k]; });
      b.unify({&element, &weight});
      result = result ? repro::FmaOp::create(b.builder, b.location,
                                             element.getType(), element, weight,
                                             result)
                            .getResult()
                      : b.mul(element, weight);
    }
  }
  if (!anyOutside)
    return result;
  SmallVector<bool> flags;
  for (const Taps &taps : all)
    flags.push_back(taps.isOutside);
  auto mask = RankedTensorType::get({axis.out}, b.builder.getI1Type());
  Value outside =
      b.along(b.elements(DenseElementsAttr::get(mask, flags)), dim, rankOf(x));
  return b.select(outside, b.fill(how.extrapolation, elementOf(x)), result);
}

/// The elements of a constant operand of floats; absent where it is not one.
static std::optional<SmallVector<double>> constantReals(NodeBuilder &b,
                                                        Value value) {
  SmallVector<double> result;
  if (!value)
    return result;
  DenseElementsAttr elements = b.constant(value);
  if (!elements || !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  for (const APFloat &element : elements.getValues<APFloat>()) {
    APFloat wide = element;
    bool isInexact;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &isInexact);
    result.push_back(wide.convertToDouble());
  }
  return result;
}

/// Resamples each dimension whose axis changes anything.
static Value resampleAll(NodeBuilder &b, const Sampling &how, Value x,
                         ArrayRef<Axis> axes) {
  if (how.mode != "nearest" && how.mode != "linear" && how.mode != "cubic")
    return b.refuse("mode '" + how.mode +
                    "' is none of nearest, linear, cubic");
  if (how.antialias && how.mode == "nearest")
    return b.refuse("antialias is for linear and cubic");
  if (how.mode != "nearest" && !isFloat(x))
    return b.refuse("only floats can be interpolated");
  for (auto [dim, axis] : llvm::enumerate(axes)) {
    const bool isSame = axis.in == axis.out && axis.scale == 1 &&
                        axis.start == 0 && axis.end == 1;
    if (isSame || axis.out == 0)
      continue;
    if (axis.in == 0 || !(axis.scale > 0))
      return b.refuse("dimension " + Twine(dim) + " has nothing to resize");
    x = resample(b, how, axis, x, static_cast<int64_t>(dim));
  }
  return b.reshape(x, b.resultType().getShape());
}

/// The axes of a tensor, unscaled.
static SmallVector<Axis> plainAxes(NodeBuilder &b, Value x) {
  SmallVector<Axis> axes;
  for (auto [in, out] : llvm::zip(shapeOf(x), b.resultType().getShape()))
    axes.push_back({in, out, 1});
  return axes;
}

static Value convertUpsample(NodeBuilder &b) {
  Value x = b.firstRaw();
  Sampling how;
  how.mode = b.string("mode");
  SmallVector<Axis> axes = plainAxes(b, x);
  std::optional<SmallVector<double>> scales;
  if (b.node.hasFormalInput("scales")) {
    scales = constantReals(b, b.raw("scales"));
  } else if (auto given = b.node.reals("scales")) {
    scales.emplace(given->begin(), given->end());
  }
  if (!scales || scales->size() != axes.size())
    return b.refuse("scales must be constants, one per dimension");
  for (auto [axis, scale] : llvm::zip_equal(axes, *scales))
    axis.scale = scale;
  return resampleAll(b, how, how.mode == "nearest" ? x : b.first(), axes);
}

/// Scales or sizes give the scale of each axis; a policy that keeps the ratio
/// makes them one.
static bool readScales(NodeBuilder &b, ArrayRef<int64_t> dims,
                       SmallVectorImpl<Axis> &axes) {
  auto scales = constantReals(b, b.raw("scales"));
  Value sizes = b.node.hasFormalInput("sizes") ? b.raw("sizes") : Value();
  if (scales && !scales->empty()) {
    if (scales->size() != dims.size())
      return b.refuse("scales are not one per axis"), false;
    for (auto [dim, scale] : llvm::zip_equal(dims, *scales))
      axes[dim].scale = scale;
    return true;
  }
  auto known = sizes ? b.constantIntegers(sizes) : std::nullopt;
  if (!scales || !known || known->size() != dims.size())
    return b.refuse("scales or sizes must be constants, one per axis"), false;
  std::optional<double> common;
  StringRef policy = b.node.hasFormalAttribute("keep_aspect_ratio_policy")
                         ? b.string("keep_aspect_ratio_policy")
                         : StringRef("stretch");
  for (auto [dim, size] : llvm::zip_equal(dims, *known)) {
    const double scale = double(size) / double(axes[dim].in);
    axes[dim].scale = scale;
    common = !common                  ? scale
             : policy == "not_larger" ? std::min(*common, scale)
                                      : std::max(*common, scale);
  }
  if (policy != "stretch" && common)
    for (int64_t dim : dims)
      axes[dim].scale = *common;
  return true;
}

static Value convertResize(NodeBuilder &b) {
  Value x = b.firstRaw();
  const int64_t rank = rankOf(x);
  Sampling how;
  how.mode = b.string("mode");
  if (b.since() >= 11) {
    how.coordinates = b.string("coordinate_transformation_mode");
    how.nearest = b.string("nearest_mode");
    how.cubicA = b.real("cubic_coeff_a");
    how.excludeOutside = b.integer("exclude_outside") != 0;
    how.extrapolation = b.real("extrapolation_value");
  }
  if (how.coordinates == "tf_half_pixel_for_nn")
    return b.refuse("coordinate mode tf_half_pixel_for_nn is gone since 13");
  Extents dims = range(0, rank);
  if (b.since() >= 18) {
    how.antialias = b.integer("antialias") != 0;
    if (Extents given = b.integers("axes"); !given.empty()) {
      if (!b.checkDimensions(given, rank))
        return nullptr;
      dims = given;
      for (int64_t &dim : dims)
        dim = NodeBuilder::normalized(dim, rank);
    }
  }
  SmallVector<Axis> axes = plainAxes(b, x);
  if (!readScales(b, dims, axes))
    return nullptr;
  if (how.coordinates == "tf_crop_and_resize") {
    auto roi = constantReals(b, b.raw("roi"));
    if (!roi || roi->size() != 2 * dims.size())
      return b.refuse("roi must be constants, two per axis");
    for (auto [k, dim] : llvm::enumerate(dims)) {
      axes[dim].start = (*roi)[k];
      axes[dim].end = (*roi)[dims.size() + k];
    }
  }
  return resampleAll(b, how, how.mode == "nearest" ? x : b.first(), axes);
}

void onnx_to_repro::addResampling(OperatorTable &table) {
  table.add("Resize", {10, 11, 13, 18, 19}, convertResize);
  table.add("Upsample", {7, 9, 10}, convertUpsample);
}
