// A dispute as a file: what both parties answered, from which anybody decides
// again, without them.
#ifndef GENSYN_PROOF_DISPUTE_CASE_H
#define GENSYN_PROOF_DISPUTE_CASE_H

#include "gensyn/Proof/Dispute/Dispute.h"
#include "gensyn/Proof/Dispute/Party.h"

#include <filesystem>
#include <memory>

namespace gensyn::proof {

/// Settles a dispute, and keeps all answers.
class DisputeCase {
public:
  DisputeCase();
  ~DisputeCase();

  /// As settle(). The case has the roots of the options, too, and which of the
  /// parties had to sign its answers.
  Verdict settle(Party &first, Party &second, const DisputeOptions &options);
  /// Decides again from the answers that are kept. Roots of the options come
  /// before those of the case, so that a case of other runs is none of these.
  /// Throws a Failure as settle(), and (bad input) if an answer is absent, or
  /// is not what a signer of the options signed: then whoever wrote the file
  /// may have altered it. See isFirstSigned() for whose answers
  /// these are.
  Verdict decide(const DisputeOptions &options) const;

  /// Throws a Failure: bad input for a file that is not a case, input or output
  /// for one that cannot be read or has more than `mostBytes`.
  static DisputeCase read(const std::filesystem::path &path,
                          uint64_t mostBytes);
  /// The bytes of a file.
  std::string serialize() const;

  /// True if the case says that the party had to sign its answers, or has a
  /// signature of one.
  bool isFirstSigned() const;
  bool isSecondSigned() const;

  /// The number of all answers, and their bytes.
  int64_t answers() const;
  uint64_t bytes() const;

private:
  std::shared_ptr<dispute::Case> kept;
};

} // namespace gensyn::proof

#endif
