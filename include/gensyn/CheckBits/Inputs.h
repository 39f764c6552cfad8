// Inputs that expose a difference: generated from a seed, in several mixes.

#ifndef GENSYN_CHECKBITS_INPUTS_H
#define GENSYN_CHECKBITS_INPUTS_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/TypeRange.h"

namespace gensyn::checkbits {

/// The distribution of a trial's elements. Mixes are kept separate, since one
/// NaN among the operands of a long sum would hide any other difference.
enum class Mix : uint8_t {
  /// Ordinary finite numbers around 1, of both signs; small integers.
  Ordinary,
  /// Finite over the whole range: huge, tiny, subnormal, zeros of both signs;
  /// integers at both ends.
  Wide,
  /// Halves and small integers, and numbers half way between two of a narrower
  /// type, for ties.
  Ties,
  /// Ordinary ones, and one in eight infinite, a NaN of odd sign and payload, a
  /// zero, a subnormal or the greatest finite number.
  Special,
  /// Uniformly distributed bits.
  Raw,
};
inline constexpr unsigned kNumMixes = 5;

/// A tensor of elements of `mix`; a function of `seed`, equal on every machine.
Tensor makeInput(ElementType type, std::vector<int64_t> shape, Mix mix,
                 uint64_t seed);

/// Tensors for `types`, which are ranked tensors of the closed set. Trials
/// cycle through the mixes: trial t has mix t mod kNumMixes. i1 and integers
/// are mixed likewise; in one trial of two, integers are small and not
/// negative, as indices are.
std::vector<Tensor> makeInputs(mlir::TypeRange types, uint64_t seed,
                               unsigned trial);

} // namespace gensyn::checkbits

#endif
