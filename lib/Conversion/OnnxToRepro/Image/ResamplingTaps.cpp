// Coordinates and weights of Resize and Upsample. Where ONNX's text does not
// define the precision of a coordinate, it is float32, as in onnxruntime.

#include "ResamplingTaps.h"

#include <algorithm>
#include <cmath>

using namespace gensyn::onnx_to_repro;
using llvm::SmallVector;

/// The position in the operand for position `at` of the result.
static float originOf(const Sampling &how, const Axis &axis, float at) {
  const auto in = static_cast<float>(axis.in);
  const auto out = static_cast<float>(axis.out);
  const float halfPixel = (at + 0.5f) / axis.scale - 0.5f;
  if (how.coordinates == "asymmetric")
    return at / axis.scale;
  if (how.coordinates == "tf_half_pixel_for_nn")
    return (at + 0.5f) / axis.scale;
  // Uses the result's size, which may differ from the product of size and
  // scale.
  if (how.coordinates == "align_corners")
    return axis.out == 1 ? 0 : at * (in - 1) / (out - 1);
  if (how.coordinates == "pytorch_half_pixel")
    return axis.out > 1 ? halfPixel : 0;
  if (how.coordinates == "half_pixel_symmetric") {
    const float adjustment = out / (axis.scale * in);
    const double offset = in / 2 * (1 - adjustment);
    const double center = (double(at) + 0.5) / double(axis.scale);
    return static_cast<float>(offset + center - 0.5);
  }
  if (how.coordinates == "tf_crop_and_resize") {
    const float last = in - 1;
    if (axis.out > 1)
      return axis.start * last +
             at * (axis.end - axis.start) * last / (out - 1);
    return static_cast<float>(0.5 * double(axis.start + axis.end) *
                              double(last));
  }
  return halfPixel;
}

static double cubicWeight(double a, double x) {
  x = std::fabs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The element that nearest mode selects for a position; it may lie outside.
static double nearestTo(const Sampling &how, float origin) {
  const double floor = std::floor(origin), ratio = origin - floor;
  const bool second = (how.nearest == "ceil" && ratio > 0) ||
                      (how.nearest == "round_prefer_floor" && ratio > 0.5) ||
                      (how.nearest == "round_prefer_ceil" && ratio >= 0.5);
  return floor + second;
}

/// The distance of the operand's elements in units of the kernel: with
/// antialias the kernel is as wide as the distance of the result's elements.
static double stepOf(const Sampling &how, const Axis &axis) {
  return how.antialias ? std::min(double(axis.scale), 1.0) : 1.0;
}

int64_t gensyn::onnx_to_repro::kernelTaps(const Sampling &how,
                                          const Axis &axis) {
  if (how.mode == "nearest")
    return 1;
  const double width = how.mode == "cubic" ? 2 : 1;
  const double reach = std::ceil(width / stepOf(how, axis));
  return 2 * static_cast<int64_t>(std::min(reach, double(1LL << 40)));
}

/// Adds the weights of the elements around `origin`.
static void addKernel(const Sampling &how, const Axis &axis, double origin,
                      Taps &taps) {
  const int64_t count = kernelTaps(how, axis);
  const auto first = static_cast<int64_t>(std::floor(origin)) - count / 2 + 1;
  double sum = 0;
  for (int64_t i = first; i < first + count; ++i) {
    const double x = (double(i) - origin) * stepOf(how, axis);
    const double weight = how.mode == "cubic" ? cubicWeight(how.cubicA, x)
                                              : std::max(0.0, 1 - std::fabs(x));
    const bool isExcluded = how.excludeOutside && (i < 0 || i >= axis.in);
    taps.index.push_back(i);
    taps.weight.push_back(isExcluded ? 0 : weight);
    sum += taps.weight.back();
  }
  if ((how.antialias || how.excludeOutside) && sum != 0)
    for (double &weight : taps.weight)
      weight /= sum;
}

static Taps tapsAt(const Sampling &how, const Axis &axis, int64_t at) {
  Taps taps;
  float origin = originOf(how, axis, static_cast<float>(at));
  const auto last = static_cast<float>(axis.in - 1);
  taps.isOutside = how.coordinates == "tf_crop_and_resize" &&
                   !(origin >= 0 && origin <= last);
  if (std::isnan(origin)) // the region has a NaN
    origin = 0;
  // Far outside only the edge element matters, so indices stay small.
  const float margin = how.antialias ? 2 + 2 / axis.scale : 2;
  origin = std::clamp(origin, -margin, last + margin);
  if (how.mode == "linear" && !how.antialias)
    origin = std::clamp(origin, 0.0f, last);
  if (how.mode == "nearest") {
    taps.index.push_back(static_cast<int64_t>(nearestTo(how, origin)));
    taps.weight.push_back(1);
  } else {
    addKernel(how, axis, double(origin), taps);
  }
  for (int64_t &index : taps.index) // clamps to the edges
    index = std::clamp<int64_t>(index, 0, axis.in - 1);
  return taps;
}

SmallVector<Taps> gensyn::onnx_to_repro::resamplingTaps(const Sampling &how,
                                                        const Axis &axis) {
  SmallVector<Taps> all;
  for (int64_t at = 0; at < axis.out; ++at)
    all.push_back(tapsAt(how, axis, at));
  return all;
}
