// The order in which an epoch visits its samples.
#ifndef GENSYN_RUNTIME_SHUFFLE_H
#define GENSYN_RUNTIME_SHUFFLE_H

#include <array>
#include <cstdint>
#include <vector>

namespace gensyn::runtime {

/// Philox4x32-10 (Salmon et al., SC 2011): four words that depend on nothing
/// but the counter and the key.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

/// A permutation of [0, count) that is a pure function of count, seed and
/// epoch (the first one is 1). It is a normative part of a training run:
///
/// Start with the identity p. For i from count-1 down to 1, let w be
/// philox4x32((i low, i high, epoch low, epoch high), (seed low, seed high)),
/// u = w[0] + 2^32 w[1], j = floor(u (i+1) / 2^64); exchange p[i] and p[j].
/// (low and high: the 32-bit halves.)
std::vector<int64_t> permutation(int64_t count, uint64_t seed, uint64_t epoch);

} // namespace gensyn::runtime

#endif
