// The order of samples in an epoch.
#ifndef GENSYN_RUNTIME_DATA_SHUFFLE_H
#define GENSYN_RUNTIME_DATA_SHUFFLE_H

#include <cstdint>
#include <vector>

namespace gensyn::runtime {

/// A permutation of [0, count) that is a pure function of count, seed and
/// epoch (the first one is 1). It is a normative part of a training run
/// (docs/Numerics.md, random_r6):
///
/// Start with the identity p. For i from count-1 down to 1, let w be the Philox
/// block of the counter (i low, i high, epoch low, epoch high) and the key
/// (seed low, seed high), u = w[0] + 2^32 w[1], j = floor(u (i+1) / 2^64);
/// exchange p[i] and p[j]. (low and high: the 32-bit halves.)
std::vector<int64_t> permutation(int64_t count, uint64_t seed, uint64_t epoch);

} // namespace gensyn::runtime

#endif
