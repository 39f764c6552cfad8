// Shows that elements behind a mask change no result, without their scores.
//
// An attention mask hides scores: it selects -inf in their place, or adds -inf
// or a number that is so low that a score is lost in its rounding. What the row
// computes of such an element, its probability and the gradients of that, is
// zero, and a zero adds nothing to a sum (contract_r3). So a tile all of whose
// elements are hidden needs no scores. Nothing here knows masks or attention:
// ops are followed from what a walk reduces or sums down to the scores, with
// rules for what is known about results while operands are any numbers of
// limited size. What cannot be known before the run is a condition that the
// kernel checks; operands of contractions are limited by OperandLimits.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_MASKEDELEMENTS_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_MASKEDELEMENTS_H

#include "TileElements.h"

namespace gensyn::gpu {

/// Operands of contractions are numbers of at most 2^kOperandBits, else nothing
/// is concluded. A score is at most the square of that times its points.
constexpr int kOperandBits = 40;

class MaskedElements {
public:
  explicit MaskedElements(const repro::KernelForm &form) : form(form) {}

  /// True if `isZero` or `know` find conditions.
  bool canBeZero(mlir::Value tensor);
  bool canBeKnown(mlir::Value tensor);

  /// Emits, at a position of `elements`, the condition that the element is a
  /// zero of either sign, whatever the scores are.
  mlir::Value isZero(KernelBuilder &k, TileElements &elements,
                     mlir::Value tensor, size_t row, size_t column);
  /// Emits the element, if it is the same whatever the scores are; and that
  /// condition.
  struct Known {
    mlir::Value value, condition;
  };
  Known know(KernelBuilder &k, TileElements &elements, mlir::Value tensor,
             size_t row, size_t column);

private:
  class Rules;

  const repro::KernelForm &form;
};

} // namespace gensyn::gpu

#endif
