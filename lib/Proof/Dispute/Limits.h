// Limits of questions, which both sides know.
#ifndef GENSYN_LIB_PROOF_DISPUTE_LIMITS_H
#define GENSYN_LIB_PROOF_DISPUTE_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace gensyn::proof {

/// Iterations that are asked for at a time.
inline constexpr uint64_t mostIterations = 64;
/// Ops that an op may be in.
inline constexpr size_t mostNested = 64;

} // namespace gensyn::proof

#endif
