// See RunCommitter.h.

#include "gensyn/Proof/Run/RunCommitter.h"

#include "gensyn/Executable/Support/Error.h"

namespace gensyn::proof {

static OrderedJson describe(const RunPoint &point) {
  return {{"step", point.step},
          {"history", toHex(point.history)},
          {"state", toHex(point.state)},
          {"root", toHex(point.root)}};
}

void RunCommitter::begin(const OrderedJson &facts,
                         const runtime::WitnessedState &state) {
  const std::string text = printJson(facts);
  now = {0, digestFacts(text), digestState(state), {}};
  now.root = digestPoint(nullptr, now);
  OrderedJson row = {{"format", "gensyn-commitments-1"}, {"facts", text}};
  row.update(describe(now));
  log.create(folder / kCommitmentsFile);
  log.append(row);
  newest = now.root;
}

void RunCommitter::resume(int64_t step, const OrderedJson &facts,
                          const runtime::WitnessedState &state) {
  const std::string path = (folder / kCommitmentsFile).string();
  const RunCommitments known = readCommitments(folder);
  const RunPoint *found = nullptr;
  for (const RunPoint &point : known.points)
    if (point.step == step)
      found = &point;
  if (!found)
    failBadInput(path + ": has no commitment after step " +
                     std::to_string(step) + ", where the run goes on",
                 "--commit none goes on without commitments");
  if (known.facts != printJson(facts))
    failBadInput(path + ": commits to another run");
  if (found->state != digestState(state))
    failBadInput(path + ": commits to another state after step " +
                 std::to_string(step) + " than the checkpoint has");
  now = *found;
  newest = found->root;
  log.reopen(path, step, /*epochComplete=*/true, [](const nlohmann::json &) {});
}

void RunCommitter::step(const runtime::WitnessedStep &step) {
  now.step = step.step;
  now.history = digestStep(now.history, step);
}

void RunCommitter::state(const runtime::WitnessedState &state) {
  now.state = digestState(state);
  now.root = digestPoint(newest ? &*newest : nullptr, now);
  log.append(describe(now));
  log.flush();
  newest = now.root;
}

} // namespace gensyn::proof
