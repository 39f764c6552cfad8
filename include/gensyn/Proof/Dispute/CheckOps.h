// Spot checks of single ops of a step by the reference.
#ifndef GENSYN_PROOF_DISPUTE_CHECKOPS_H
#define GENSYN_PROOF_DISPUTE_CHECKOPS_H

#include "gensyn/Proof/Dispute/RunSource.h"
#include "gensyn/Runtime/Compiler/Compiler.h"

#include <cstdint>
#include <functional>
#include <string>

namespace gensyn::proof {

struct OpsCheckOptions {
  /// Evaluates one element of one op.
  runtime::Compiler *compiler = nullptr;
  /// Ops to draw, and elements of each. Fewer are found where operands are too
  /// large.
  uint64_t ops = 0, elements = 8;
  /// Which ones.
  uint64_t seed = 0;
  /// The most bytes of the tiles that an element is computed from; an op that
  /// needs more is passed over.
  uint64_t mostBytes = uint64_t(256) << 20;
  /// Called with the number of ops that are done; may be null.
  std::function<void(uint64_t done)> progress;
};

struct OpsCheck {
  /// Ops and elements that were computed, and ops that were passed over.
  uint64_t ops = 0, elements = 0, passed = 0;
  /// The first element that is another one: "node 'fc' (Gemm), repro.contract:
  /// element [3, 4] of value 17 is 0.5 (0x3f000000), and the reference computes
  /// 0.25 (0x3e800000)". Empty if there is none.
  std::string problem;
};

/// Draws ops of the step's program, or of an iteration where an op has some,
/// and compares random elements of what the back end computed with what the
/// reference computes from the same operands; and what the op with iterations
/// returns, with what they leave. Throws a Failure as the source does.
OpsCheck checkOps(const std::shared_ptr<StepSource> &step,
                  const OpsCheckOptions &options);

} // namespace gensyn::proof

#endif
