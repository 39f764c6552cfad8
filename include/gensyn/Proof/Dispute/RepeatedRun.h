// What a run folder on this machine says of a run, and what repeating it shows.
#ifndef GENSYN_PROOF_DISPUTE_REPEATEDRUN_H
#define GENSYN_PROOF_DISPUTE_REPEATEDRUN_H

#include "gensyn/Proof/Dispute/RunSource.h"
#include "gensyn/Runtime/Replay/Replay.h"

#include <functional>
#include <map>

namespace gensyn::proof {

struct RepeatOptions {
  /// With a run folder that has commitments.
  runtime::ReplaySide run;
  /// The most bytes of values that are computed at a time.
  uint64_t memory = uint64_t(2) << 30;
  /// Called with what is done: "repeating step 17"; may be null.
  std::function<void(const std::string &)> progress;
};

/// Repeats steps of the run, on any target. The claims that were found, and the
/// step that was opened last, are kept.
class RepeatedRun final : public RunSource {
public:
  /// Throws a Failure (bad input) for a folder without commitments, and
  /// for signatures that are none.
  explicit RepeatedRun(RepeatOptions options);

  RunCommitments commitments() override { return committed; }
  std::vector<RunSignature> signatures() override { return signatureLines; }
  std::vector<StepClaim> claims(const std::vector<int64_t> &steps) override;
  std::shared_ptr<StepSource> open(int64_t step) override;

private:
  /// Repeats the steps from `begin` to `end`, and keeps what they lead to.
  void repeat(int64_t begin, int64_t end);
  int64_t findStart(int64_t step) const;

  RepeatOptions options;
  RunCommitments committed;
  std::vector<RunSignature> signatureLines;
  std::map<int64_t, StepClaim> known;
  int64_t opened = 0;
  std::shared_ptr<StepSource> step;
};

} // namespace gensyn::proof

#endif
