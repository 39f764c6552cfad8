// Convolutions whose channels may become the last dimension, and what that
// gains.

#ifndef GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_CONVOLUTION_H
#define GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_CONVOLUTION_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::repro {

/// Dimension 1 of `rank` dimensions becomes the last one.
llvm::SmallVector<int64_t> channelsLast(int64_t rank);

/// True for tensors of at least three dimensions, the second of which may have
/// channels.
bool mayHaveChannels(mlir::Value value);

/// A contraction that slides filters over the images of a batch: operand
/// `image` is [batch, channels, positions...], the result the same.
struct Convolution {
  int64_t images, positions, filters, channels, taps;
  int64_t stride = 1;      ///< the largest
  unsigned image = 0;      ///< operand
  mlir::Value filter = {}; ///< the other operand
  /// Elements around a copy of the image, by dimension, that may be read
  /// instead if those out of bounds are zeros that take part.
  llvm::SmallVector<int64_t> low = {}, high = {};
  bool mayPad = false;
  double copied = 0; ///< elements of the copy

  static std::optional<Convolution> match(mlir::Operation *op);

  int64_t points() const { return channels * taps; }
  /// True if rows of the image have longer pieces than its channels, so that a
  /// copy is made of an image with channels first.
  bool hasFewChannels() const;
  /// True if pixels are so far apart that they share a set of a cache.
  bool isAliased() const;
  /// True unless all indices are in bounds, and pixels far apart.
  bool needsCopy() const;

  /// Processor cycles that vectors along channels save against vectors along
  /// the positions of images, and whether they do by a convolution without
  /// bounds, of a copy if it needs one.
  struct Gain {
    double cycles;
    bool isUnbounded;
  };
  /// Filters that last are copied once for many runs.
  Gain gain(bool lasts) const;

  llvm::LogicalResult findPadding(ContractOp op);
};

} // namespace gensyn::repro

#endif
