// Resize and Upsample: one dimension after another, each a sum of gathered
// elements times constant weights, from left to right by fma.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"
#include "ResamplingTaps.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// The largest supported kernel: each tap is an op.
static constexpr int64_t kMaxTaps = 4096;

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
  if (!b.canTabulate({axis.out, kernelTaps(how, axis)}))
    return nullptr;
  const SmallVector<Taps> all = resamplingTaps(how, axis);
  auto part = [&](auto &&of) {
    SmallVector<int64_t> indices;
    for (const Taps &taps : all)
      indices.push_back(of(taps));
    return gatherAlong(b, x, constantIndices(b, indices), dim,
                       repro::IndexBound::Zero);
  };
  Value result;
  if (how.mode == "nearest") {
    result = part([](const Taps &taps) { return taps.index.front(); });
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
  if (llvm::none_of(all, [](const Taps &taps) { return taps.isOutside; }))
    return result;
  SmallVector<bool> flags;
  for (const Taps &taps : all)
    flags.push_back(taps.isOutside);
  auto mask = RankedTensorType::get({axis.out}, b.builder.getI1Type());
  Value outside =
      b.along(b.elements(DenseElementsAttr::get(mask, flags)), dim, rankOf(x));
  return b.select(outside, b.fill(how.extrapolation, elementOf(x)), result);
}

/// The elements of a constant operand of floats; nothing if it is not constant.
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

/// True for tf_crop_and_resize with a region of the whole dimension.
static bool isWhole(const Axis &axis) {
  return axis.start == 0 && axis.end == 1;
}

/// Resamples each dimension whose axis changes. If the result has the operand's
/// shape, it is the operand, whatever the scales: onnxruntime and PyTorch's
/// bilinear and nearest modes do the same.
static Value resampleAll(NodeBuilder &b, const Sampling &how, Value x,
                         ArrayRef<Axis> axes) {
  if (how.mode != "nearest" && how.mode != "linear" && how.mode != "cubic")
    return b.refuse("mode '" + how.mode +
                    "' is none of nearest, linear, cubic");
  if (how.antialias && how.mode == "nearest")
    return b.refuse("antialias is for linear and cubic");
  if (how.mode != "nearest" && !isFloat(x))
    return b.refuse("only floats can be interpolated");
  if (llvm::all_of(axes, [](const Axis &axis) {
        return axis.in == axis.out && isWhole(axis);
      }))
    return x;
  for (auto [dim, axis] : llvm::enumerate(axes)) {
    if (axis.out == 0 ||
        (axis.in == axis.out && axis.scale == 1 && isWhole(axis)))
      continue;
    if (axis.in == 0 || !(axis.scale > 0))
      return b.refuse("dimension " + Twine(dim) + " has nothing to resize");
    if (kernelTaps(how, axis) > kMaxTaps)
      return b.refuse("antialias of dimension " + Twine(dim) + " takes " +
                      Twine(kernelTaps(how, axis)) + " elements, at most " +
                      Twine(kMaxTaps));
    x = resample(b, how, axis, x, static_cast<int64_t>(dim));
    if (!x)
      return nullptr;
  }
  return b.reshape(x, b.resultShape());
}

/// The axes of a tensor, unscaled.
static SmallVector<Axis> plainAxes(NodeBuilder &b, Value x) {
  SmallVector<Axis> axes;
  for (auto [in, out] : llvm::zip(shapeOf(x), b.resultShape()))
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
    axis.scale = static_cast<float>(scale);
  return resampleAll(b, how, how.mode == "nearest" ? x : b.first(), axes);
}

/// Computes the scale of each axis from scales or sizes; a policy that keeps
/// the ratio makes them equal.
static bool readScales(NodeBuilder &b, ArrayRef<int64_t> dims,
                       SmallVectorImpl<Axis> &axes) {
  auto scales = constantReals(b, b.raw("scales"));
  Value sizes = b.node.hasFormalInput("sizes") ? b.raw("sizes") : Value();
  if (scales && !scales->empty()) {
    if (scales->size() != dims.size())
      return b.refuse("scales are not one per axis"), false;
    for (auto [dim, scale] : llvm::zip_equal(dims, *scales))
      axes[dim].scale = static_cast<float>(scale);
    return true;
  }
  auto known = sizes ? b.constantIntegers(sizes) : std::nullopt;
  if (!scales || !known || known->size() != dims.size())
    return b.refuse("scales or sizes must be constants, one per axis"), false;
  std::optional<float> common;
  StringRef policy = b.node.hasFormalAttribute("keep_aspect_ratio_policy")
                         ? b.string("keep_aspect_ratio_policy")
                         : StringRef("stretch");
  for (auto [dim, size] : llvm::zip_equal(dims, *known)) {
    const float scale = float(size) / float(axes[dim].in);
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
  if (how.coordinates == "tf_half_pixel_for_nn" && b.since() >= 13)
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
      axes[dim].start = static_cast<float>((*roi)[k]);
      axes[dim].end = static_cast<float>((*roi)[dims.size() + k]);
    }
  }
  return resampleAll(b, how, how.mode == "nearest" ? x : b.first(), axes);
}

void onnx_to_repro::addResampling(OperatorTable &table) {
  table.add("Resize", {10, 11, 13, 18, 19}, convertResize);
  table.add("Upsample", {7, 9, 10}, convertUpsample);
}
