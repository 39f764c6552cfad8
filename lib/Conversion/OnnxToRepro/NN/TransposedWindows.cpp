// Transposed windows: ConvTranspose and Col2Im add up the contributions to an
// element. Element indices are stride * o + dilation * k - pad. Each is written
// with a phase r as stride * q + dilation * r - pad, so that the outputs o and
// the taps k that contribute to it are o = q - d t and k = s t + r, and no
// other tap is visited (rule domain_c4, shape P).

#include "../Support/OperatorTable.h"
#include "Windows.h"

#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {
/// The index expressions of one spatial dimension.
struct Place {
  AffineExpr element, output, tap;
};

/// One spatial dimension before its reduced iterator is numbered.
struct Phases {
  AffineExpr q, r; // r is null if there is one phase
  int64_t first, strideStep, dilationStep;
};
} // namespace

static int64_t floorDiv(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Numbers the parallel iterators q and r. `window.extent` is that of the
/// elements, which index the result.
static Phases addPhases(Iterators &all, const Window &window) {
  int64_t common = std::gcd(window.stride, window.dilation);
  Phases phases;
  phases.strideStep = window.stride / common;
  phases.dilationStep = window.dilation / common;
  phases.first = floorDiv(
      window.padLow - window.dilation * (phases.strideStep - 1), window.stride);
  int64_t last = floorDiv(window.extent - 1 + window.padLow, window.stride);
  phases.q = all.parallel(last - phases.first + 1);
  phases.r =
      phases.strideStep > 1 ? all.parallel(phases.strideStep) : AffineExpr();
  return phases;
}

/// Numbers the reduced iterator t.
static Place addTaps(Iterators &all, const Window &window,
                     const Phases &phases) {
  int64_t taps = (window.kernel + phases.strideStep - 1) / phases.strideStep;
  AffineExpr t = all.reduce(taps);
  AffineExpr q = phases.q + phases.first;
  Place place;
  place.element = q * window.stride - window.padLow;
  place.output = q - t * phases.dilationStep;
  place.tap = t * phases.strideStep;
  if (phases.r) {
    place.element = place.element + phases.r * window.dilation;
    place.tap = place.tap + phases.r;
  }
  return place;
}

/// The padding of ConvTranspose. If output_shape is given, or auto_pad asks for
/// stride times the extent, it is the remainder; an odd element goes to the
/// beginning, with SAME_UPPER to the end (version 1 exchanged the two).
static int64_t transposedPad(NodeBuilder &b, const Window &window,
                             int64_t index, int64_t spatial) {
  StringRef automatic = b.string("auto_pad");
  if (automatic == "NOTSET" && b.integers("output_shape").empty())
    return listOr(b, "pads", 2 * spatial, 0)[index];
  if (automatic == "VALID")
    return 0;
  int64_t reach = (window.kernel - 1) * window.dilation + 1;
  int64_t total = (window.output - 1) * window.stride +
                  listOr(b, "output_padding", spatial, 0)[index] + reach -
                  window.extent;
  total = std::max<int64_t>(total, 0);
  bool isSmallFirst = (automatic == "SAME_UPPER") == (b.since() >= 11);
  return isSmallFirst ? total / 2 : total - total / 2;
}

/// These windows have the operand as outputs and the result as elements.
static SmallVector<Window> readTransposed(NodeBuilder &b, Value x, Value w) {
  int64_t spatial = rankOf(x) - 2;
  Extents strides = listOr(b, "strides", spatial, 1);
  Extents dilations = listOr(b, "dilations", spatial, 1);
  Extents pads = listOr(b, "pads", 2 * spatial, 0);
  Extents more = listOr(b, "output_padding", spatial, 0);
  if (!b.refusal().empty())
    return {};
  // Otherwise the size of the result is given, and determines the pads.
  const bool hasPads =
      b.string("auto_pad") == "NOTSET" && b.integers("output_shape").empty();
  SmallVector<Window> windows(spatial);
  for (auto [i, window] : llvm::enumerate(windows)) {
    if (more[i] < 0 || more[i] > kMaxWindow) {
      b.refuse("output_padding must not be negative and below 2^20");
      return {};
    }
    window.extent = b.resultShape()[i + 2];
    window.output = shapeOf(x)[i + 2];
    window.kernel = shapeOf(w)[i + 2];
    window.stride = strides[i];
    window.dilation = dilations[i];
    if (std::min(window.stride, window.dilation) < 1 ||
        std::max({window.stride, window.dilation, window.kernel}) >
            kMaxWindow) {
      b.refuse("strides and dilations must be positive and below 2^20");
      return {};
    }
    window.padLow = transposedPad(b, window, i, spatial);
    const int64_t padHigh = hasPads ? pads[i + spatial] : 0;
    if (std::min(window.padLow, padHigh) < 0 ||
        std::max(window.padLow, padHigh) > kMaxWindow) {
      b.refuse("pads must not be negative and below 2^20");
      return {};
    }
    if (hasPads && window.extent != (window.output - 1) * window.stride +
                                        (window.kernel - 1) * window.dilation +
                                        1 + more[i] - window.padLow - padHigh) {
      b.refuse("dimension " + Twine(i + 2) + " of the result, " +
               Twine(window.extent) + ", is not what the pads leave");
      return {};
    }
  }
  return windows;
}

/// y[n, g, f, i...] = sum over c and the contributing taps of x[n, g, c, o...]
/// w[g, c, f, k...].
static Value convertConvTranspose(NodeBuilder &b) {
  Value x = b.operand("X"), w = b.operand("W"), bias = b.operand("B");
  int64_t groups = b.integer("group");
  SmallVector<Window> windows = readTransposed(b, x, w);
  if (windows.empty() || !b.refusal().empty())
    return nullptr;
  if (groups < 1 || shapeOf(x)[1] % groups || shapeOf(w)[0] != shapeOf(x)[1])
    return b.refuse("group does not divide the channels");
  x = splitDim(b, x, 1, groups);
  w = splitDim(b, w, 0, groups);
  Iterators all{b, {}, {}};
  AffineExpr n = all.parallel(shapeOf(x)[0]), g = all.parallel(groups);
  AffineExpr f = all.parallel(shapeOf(w)[2]);
  SmallVector<Phases> phases;
  for (const Window &window : windows)
    phases.push_back(addPhases(all, window));
  AffineExpr c = all.reduce(shapeOf(x)[2]);
  SmallVector<AffineExpr> xMap = {n, g, c}, wMap = {g, c, f}, yMap = {n, g, f};
  Extents shape = {shapeOf(x)[0], groups, shapeOf(w)[2]};
  for (auto [window, phase] : llvm::zip(windows, phases)) {
    Place place = addTaps(all, window, phase);
    xMap.push_back(place.output);
    wMap.push_back(place.tap);
    yMap.push_back(place.element);
    shape.push_back(window.extent);
  }
  Value y =
      b.contractTo(shape, x, w, all.extents, all.reduced, {xMap, wMap, yMap},
                   repro::Bound::Zero, repro::Bound::Skip);
  y = b.reshape(y, b.resultShape());
  return bias ? b.add(y, b.along(bias, 1, rankOf(y))) : y;
}

/// Sums columns [N, C k..., o...] into images [N, C, i...].
static Value convertCol2Im(NodeBuilder &b) {
  Value x = b.operand("input");
  std::optional<Extents> image = b.constantIntegers(b.raw("image_shape"));
  std::optional<Extents> block = b.constantIntegers(b.raw("block_shape"));
  if (!image || !block || image->size() != block->size())
    return b.refuse("image_shape and block_shape must be constants");
  size_t spatial = image->size();
  Extents strides = listOr(b, "strides", spatial, 1);
  Extents dilations = listOr(b, "dilations", spatial, 1);
  Extents pads = listOr(b, "pads", 2 * spatial, 0);
  if (!b.refusal().empty())
    return nullptr;
  ShapeView result = b.resultShape();
  Extents columns = {result[0], result[1]}, outputs;
  Iterators all{b, {}, {}};
  SmallVector<AffineExpr> yMap = {all.parallel(result[0]),
                                  all.parallel(result[1])};
  SmallVector<Window> windows(spatial);
  SmallVector<Phases> phases;
  for (auto [i, window] : llvm::enumerate(windows)) {
    window.extent = (*image)[i];
    window.kernel = (*block)[i];
    window.stride = strides[i];
    window.dilation = dilations[i];
    window.padLow = pads[i];
    if (std::min({window.stride, window.dilation, window.kernel}) < 1 ||
        std::min(pads[i], pads[i + spatial]) < 0 ||
        std::max({window.stride, window.dilation, window.kernel, pads[i],
                  pads[i + spatial]}) > kMaxWindow)
      return b.refuse("block_shape, strides and dilations must be positive, "
                      "pads not negative, all below 2^20");
    int64_t reach = (window.kernel - 1) * window.dilation + 1;
    window.output =
        (window.extent + pads[i] + pads[i + spatial] - reach) / window.stride +
        1;
    columns.push_back(window.kernel);
    outputs.push_back(window.output);
    phases.push_back(addPhases(all, window));
  }
  llvm::append_range(columns, outputs);
  if (product(columns) != product(shapeOf(x)))
    return b.refuse("the columns do not fit the image");
  SmallVector<AffineExpr> taps, places;
  for (auto [window, phase] : llvm::zip(windows, phases)) {
    Place place = addTaps(all, window, phase);
    taps.push_back(place.tap);
    places.push_back(place.output);
    yMap.push_back(place.element);
  }
  SmallVector<AffineExpr> xMap = {yMap[0], yMap[1]};
  llvm::append_range(xMap, taps);
  llvm::append_range(xMap, places);
  return b.reduceTo(result, repro::ReduceKind::Sum, b.reshape(x, columns),
                    all.extents, all.reduced, {xMap, yMap});
}

void onnx_to_repro::addTransposedWindows(OperatorTable &table) {
  table.add("ConvTranspose", {1, 11, 22}, convertConvTranspose);
  table.add("Col2Im", {18}, convertCol2Im);
}
