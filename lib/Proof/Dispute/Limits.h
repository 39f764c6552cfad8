// Limits of questions, which both sides know.
#ifndef GENSYN_LIB_PROOF_DISPUTE_LIMITS_H
#define GENSYN_LIB_PROOF_DISPUTE_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace gensyn::proof {

/// Iterations that are asked for at a time.
inline constexpr uint64_t mostIterations = 64;
/// Ops that an op may be in. Who asks goes on as deep as the program does: no
/// text with more levels is read (TextFacts.cpp).
inline constexpr size_t mostNested = 256;

} // namespace gensyn::proof

#endif
