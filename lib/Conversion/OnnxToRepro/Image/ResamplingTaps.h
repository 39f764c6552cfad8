// The elements and weights from which an element of a resized dimension is
// computed.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_RESAMPLINGTAPS_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_RESAMPLINGTAPS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace gensyn::onnx_to_repro {

/// The attributes of Resize and Upsample, with ONNX's names for the modes.
struct Sampling {
  llvm::StringRef mode = "nearest", coordinates = "asymmetric",
                  nearest = "floor";
  bool antialias = false, excludeOutside = false;
  double cubicA = -0.75, extrapolation = 0;
};

/// One dimension: extents, scale, and the region of tf_crop_and_resize.
struct Axis {
  int64_t in, out;
  float scale, start = 0, end = 1;
};

/// The elements of the operand, with their weights, for one element of the
/// result.
struct Taps {
  llvm::SmallVector<int64_t> index; ///< ascending, in the operand
  llvm::SmallVector<double> weight;
  bool isOutside = false; ///< the extrapolation value is the result
};

/// The number of taps that an axis needs.
int64_t kernelTaps(const Sampling &how, const Axis &axis);

/// The taps of each element of the result; all elements have the same number.
/// Coordinates are computed in float32, each operation rounded, as in
/// onnxruntime and PyTorch, since they decide which elements are read.
llvm::SmallVector<Taps> resamplingTaps(const Sampling &how, const Axis &axis);

} // namespace gensyn::onnx_to_repro

#endif
