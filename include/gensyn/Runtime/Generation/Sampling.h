// Sampling of the next token, with the same result on every machine.
#ifndef GENSYN_RUNTIME_GENERATION_SAMPLING_H
#define GENSYN_RUNTIME_GENERATION_SAMPLING_H

#include <cstdint>
#include <span>

namespace gensyn::runtime {

struct SamplingOptions {
  /// Divisor of the logits; 0 selects the largest logit (greedy).
  double temperature = 0;
  /// Number of largest logits to sample from; 0: all.
  int64_t topK = 0;
  uint64_t seed = 0;
};

/// Returns the token that follows, sampled from one row of `logits`.
///
/// Greedy: the first one of the largest logits. Else, in f32 unless said
/// otherwise: the kept tokens are the topK largest, of equal ones the first;
/// e[i] = exp((l[i] - max l) / temperature), each step rounded; c[i] = e[0] +
/// ... + e[i] over the kept ones, added in f64 from left to right. The token is
/// the first kept one with c[i] > u c[last], where u = floor(w / 2^11) 2^-53
/// and w the first two words (the low one first) of Philox4x32-10 with the
/// counter (position low, position high, 0, 0) and the key (seed low, seed
/// high). NaNs are never taken. Throws a Failure (bad input) where all logits
/// are NaN.
int64_t sampleToken(std::span<const float> logits,
                    const SamplingOptions &options, uint64_t position);

} // namespace gensyn::runtime

#endif
