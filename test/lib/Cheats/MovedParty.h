// A party that answers about another place than it was asked about.
#ifndef GENSYN_TEST_LIB_CHEATS_MOVEDPARTY_H
#define GENSYN_TEST_LIB_CHEATS_MOVEDPARTY_H

#include "AlteredParty.h"

namespace gensyn::cheats {

/// The path of a question; null if its kind has none.
google::protobuf::RepeatedPtrField<dispute::Iteration> *
pathOf(dispute::Question &question);

class MovedParty final : public proof::Party {
public:
  using Move = std::function<void(dispute::Question &)>;

  /// Answers with an AlteredParty, after `move` changed the question.
  MovedParty(proof::RunSource &honest, Lie lie, Move move,
             AlteredParty::Alter alter = nullptr)
      : liar(honest, std::move(lie), std::move(alter)), move(std::move(move)) {}

  dispute::Answer ask(const dispute::Question &question) override;

private:
  AlteredParty liar;
  Move move;
};

} // namespace gensyn::cheats

#endif
