// See AnsweringParty.h.

#include "gensyn/Proof/Dispute/AnsweringParty.h"

#include "StepTrees.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Dispute/SignedAnswers.h"

#include <ranges>

namespace gensyn::proof {

AnsweringParty::AnsweringParty(RunSource &run) : run(run) {}
AnsweringParty::~AnsweringParty() = default;

StepTrees &AnsweringParty::openStep(int64_t step) {
  if (!trees || opened != step) {
    trees.reset();
    trees = std::make_unique<StepTrees>(run.open(step));
    opened = step;
  }
  return *trees;
}

static void set(const Digest &digest, std::string *to) {
  to->assign(digest.begin(), digest.end());
}

static dispute::RunAnswer
describe(const RunCommitments &commitments,
         const std::vector<RunSignature> &signatures) {
  dispute::RunAnswer answer;
  answer.set_facts(commitments.facts);
  for (const RunPoint &point : commitments.points) {
    dispute::RunAnswer::Point &to = *answer.add_points();
    to.set_step(point.step);
    set(point.history, to.mutable_history());
    set(point.state, to.mutable_state());
  }
  // The newest ones, those of the last root before all others.
  std::vector<RunSignature> newest;
  for (bool isOfLast : {true, false})
    for (const RunSignature &signature : signatures | std::views::reverse)
      if ((signature.root == commitments.points.back().root) == isOfLast &&
          newest.size() < size_t(kMostRunSignatures))
        newest.push_back(signature);
  for (const RunSignature &signature : newest) {
    dispute::RunAnswer::Signature &to = *answer.add_signatures();
    set(signature.root, to.mutable_root());
    to.set_step(signature.step);
    set(signature.key.bytes, to.mutable_public_key());
    to.set_time(signature.time);
    to.set_signature(signature.signature);
  }
  return answer;
}

static dispute::StepsAnswer describe(const std::vector<StepClaim> &claims) {
  dispute::StepsAnswer answer;
  for (const StepClaim &claim : claims) {
    dispute::StepsAnswer::Claim &to = *answer.add_claims();
    set(claim.history, to.mutable_history());
    set(claim.state, to.mutable_state());
  }
  return answer;
}

dispute::Answer AnsweringParty::ask(const dispute::Question &question) {
  dispute::Answer answer;
  auto show = [&](const auto &about) {
    return openStep(about.step()).show(about);
  };
  // About one program of the step.
  auto showIn = [&](const auto &about) {
    return openStep(about.step()).open(about.path()).show(about);
  };
  switch (question.kind_case()) {
  case dispute::Question::kRun:
    *answer.mutable_run() = describe(run.commitments(), run.signatures());
    return answer;
  case dispute::Question::kSteps:
    *answer.mutable_steps() = describe(run.claims(
        {question.steps().steps().begin(), question.steps().steps().end()}));
    return answer;
  case dispute::Question::kStep:
    *answer.mutable_step() = openStep(question.step().step()).describe();
    return answer;
  case dispute::Question::kNodes:
    *answer.mutable_nodes() = show(question.nodes());
    return answer;
  case dispute::Question::kEntries:
    *answer.mutable_entries() = show(question.entries());
    return answer;
  case dispute::Question::kTensor:
    *answer.mutable_tensor() = showIn(question.tensor());
    return answer;
  case dispute::Question::kParts:
    *answer.mutable_parts() = showIn(question.parts());
    return answer;
  case dispute::Question::kChunk:
    *answer.mutable_chunk() = showIn(question.chunk());
    return answer;
  case dispute::Question::kEvidence:
    *answer.mutable_evidence() = showIn(question.evidence());
    return answer;
  case dispute::Question::kSample:
    // All of the data are read for that.
    if (!hasSamplesRoot(run.commitments().facts))
      failBadInput("the run does not commit to its samples");
    *answer.mutable_sample() = show(question.sample());
    return answer;
  case dispute::Question::kProgram:
    *answer.mutable_program() = showIn(question.program());
    return answer;
  case dispute::Question::kIterations:
    *answer.mutable_iterations() = showIn(question.iterations());
    return answer;
  case dispute::Question::KIND_NOT_SET:
    break;
  }
  failBadInput("the question is of a kind that is not known");
}

} // namespace gensyn::proof
