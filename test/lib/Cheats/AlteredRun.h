// A run as somebody tells it who lies about one step.
#ifndef GENSYN_TEST_LIB_CHEATS_ALTEREDRUN_H
#define GENSYN_TEST_LIB_CHEATS_ALTEREDRUN_H

#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Proof/Dispute/RunSource.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"

#include <functional>

namespace gensyn::cheats {

/// What is told otherwise of a step; each may be null. All that follows from a
/// lie is told as if it were true: histories, roots, and other states after
/// all later steps if the state after this one is another one.
struct Lie {
  int64_t step = 0;
  std::function<void(proof::StepSource::Record &)> record;
  std::function<void(runtime::WitnessedState &)> before, after;
  /// Of one value, of the step's program or of the one that the path names.
  /// What an op on the path returns is altered to fit.
  std::vector<dispute::Iteration> path;
  uint64_t value = 0;
  std::function<void(Tensor &)> alter;
  /// Of the carried values after each iteration of the op that computes
  /// `value`.
  std::function<void(proof::CarriedValues &)> carried;
  std::function<void(plan::EntriesResponse &)> program;
  /// Of the whole run.
  std::function<void(proof::RunCommitments &)> commitments;
};

class AlteredRun final : public proof::RunSource {
public:
  /// `honest` must outlive it.
  AlteredRun(proof::RunSource &honest, Lie lie)
      : honest(honest), lie(std::move(lie)) {}

  proof::RunCommitments commitments() override;
  std::vector<proof::StepClaim>
  claims(const std::vector<int64_t> &steps) override;
  std::shared_ptr<proof::StepSource> open(int64_t step) override;

private:
  proof::StepClaim alterClaim(int64_t step, const proof::StepClaim &claim);

  proof::RunSource &honest;
  Lie lie;
};

/// Flips the highest bit of a state's first tensor, so to say.
void spoil(runtime::WitnessedState &state);

} // namespace gensyn::cheats

#endif
