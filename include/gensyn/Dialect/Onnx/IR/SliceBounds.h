// The elements of a dimension that the operator Slice selects.
#ifndef GENSYN_DIALECT_ONNX_IR_SLICEBOUNDS_H
#define GENSYN_DIALECT_ONNX_IR_SLICEBOUNDS_H

#include <algorithm>
#include <cstdint>

namespace gensyn::onnx {

/// The elements begin, begin + step, ... before `end`, all of them in the
/// dimension; `end` is -1 if a negative step runs past the first element.
struct SliceBounds {
  int64_t begin = 0, end = 0, step = 1;

  /// Follows Python's rules, except that with a negative step a start before
  /// the first element is the first one. Any start and end are valid; `step` is
  /// not 0 and `extent` not negative.
  static SliceBounds of(int64_t start, int64_t end, int64_t step,
                        int64_t extent) {
    const int64_t last = extent - 1;
    auto clamp = [&](int64_t i, int64_t low, int64_t high) {
      return std::clamp(i < 0 ? i + extent : i, low, high);
    };
    // Clamps the step to the extent, beyond which all steps are equivalent:
    // sums and negations of larger ones may overflow.
    step = std::clamp(step, -extent - 1, extent + 1);
    if (step > 0)
      return {clamp(start, 0, extent), clamp(end, 0, extent), step};
    if (extent == 0)
      return {0, 0, step};
    return {clamp(start, 0, last), clamp(end, -1, last), step};
  }

  int64_t count() const {
    const int64_t span = step > 0 ? end - begin : begin - end;
    return span > 0 ? (span - 1) / (step > 0 ? step : -step) + 1 : 0;
  }
};

} // namespace gensyn::onnx

#endif
