// Disputes about a synthetic run, as random as they can be.

#ifndef GENSYN_TEST_FUZZ_DISPUTES_H
#define GENSYN_TEST_FUZZ_DISPUTES_H

#include "Cheats/MovedParty.h"
#include "Driver.h"
#include "SyntheticRun/SyntheticRun.h"
#include "Wire.h"
#include "gensyn/Proof/Dispute/Dispute.h"

namespace gensyn::fuzz {

/// A lie about a value, a state, a record or a point of a step.
cheats::Lie makeLie(Random &random);

/// Facts and a program that both parties have, however odd: with the digests
/// that make them those of the run.
cheats::Lie makeWorld(testing::SyntheticRun &run, int64_t step, Random &random);

/// Cuts, copies or alters one of several digests, or any bytes.
void changeDigests(Field &field, Random &random);

/// Alters some answers, those of any question; an answer that is none any more
/// is refused.
cheats::AlteredParty::Alter alterAnswers(uint64_t seed);

/// Moves some questions about an iteration to another one, or to another op.
cheats::MovedParty::Move moveQuestions(uint64_t seed);

/// Anything that a terminal would not print as it is.
bool isPrintable(const proof::Verdict &verdict);

} // namespace gensyn::fuzz

#endif // GENSYN_TEST_FUZZ_DISPUTES_H
