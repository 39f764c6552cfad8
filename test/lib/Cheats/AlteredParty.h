// A party whose answers are altered.
#ifndef GENSYN_TEST_LIB_CHEATS_ALTEREDPARTY_H
#define GENSYN_TEST_LIB_CHEATS_ALTEREDPARTY_H

#include "AlteredRun.h"
#include "gensyn/Proof/Dispute/AnsweringParty.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"

namespace gensyn::cheats {

class AlteredParty final : public proof::Party {
public:
  using Alter =
      std::function<void(const dispute::Question &, dispute::Answer &)>;

  /// Tells a run with a lie; `alter` may be null, and throw a Failure.
  AlteredParty(proof::RunSource &honest, Lie lie, Alter alter)
      : run(honest, std::move(lie)), party(run), alter(std::move(alter)) {}

  dispute::Answer ask(const dispute::Question &question) override;
  /// The root that it committed to before the dispute.
  Digest root() { return run.commitments().points.back().root; }

private:
  AlteredRun run;
  proof::AnsweringParty party;
  Alter alter;
};

} // namespace gensyn::cheats

#endif
