// See RunCommitter.h.

#include "gensyn/Proof/Run/RunCommitter.h"

#include "gensyn/Executable/Support/Error.h"

namespace gensyn::proof {

static OrderedJson describe(const RunPoint &point) {
  OrderedJson row = {{"step", point.step},
                     {"history", toHex(point.history)},
                     {"state", toHex(point.state)},
                     {"root", toHex(point.root)}};
  if (point.isStop)
    row["stop"] = true;
  return row;
}

OrderedJson RunCommitter::save() {
  log.flush();
  return {{"history", toHex(history)}};
}

void RunCommitter::begin(const runtime::WitnessedStart &start) {
  const std::string text = writeFacts(start, commitsToSamples);
  history = digestFacts(text);
  last = {0, history, digestState(start.state), {}};
  last.root = digestPoint(nullptr, last);
  OrderedJson row = {{"format", "gensyn-commitments-2"}, {"facts", text}};
  row.update(describe(last));
  log.create(folder / kCommitmentsFile);
  log.append(row);
  newest = last.root;
}

void RunCommitter::resume(int64_t step, const runtime::WitnessedStart &start,
                          const nlohmann::json &saved) {
  const std::string path = (folder / kCommitmentsFile).string();
  const RunCommitments known = readCommitments(folder);
  std::optional<Digest> found;
  if (saved.is_object() && saved.contains("history") &&
      saved["history"].is_string())
    found = parseDigest(saved["history"].get<std::string>());
  if (!found)
    failBadInput("the checkpoint of step " + std::to_string(step) +
                     " was written without commitments",
                 "--commit none goes on without them");
  history = *found;
  steps = step;
  if (known.facts != writeFacts(start, hasSamplesRoot(known.facts)))
    failBadInput(path + ": commits to another run");
  if (commitsToSamples && warn && !hasSamplesRoot(known.facts))
    warn(folder.string() +
         ": the run began without --commit-data and goes on so");
  const RunPoint *kept = nullptr;
  for (const RunPoint &point : known.points) {
    if (point.step == step &&
        (point.history != history || point.state != digestState(start.state)))
      failBadInput(path + ": commits to another state after step " +
                   std::to_string(step) + " than the checkpoint has");
    if (!point.isStop && point.step <= step)
      last = point;
    // That of a stop elsewhere is not a point of this run any more.
    if (!point.isStop ? point.step <= step : point.step == step)
      kept = &point;
  }
  newest = kept->root;
  isStopped = kept->isStop;
  log.reopen(path, kept->step, /*epochComplete=*/true,
             [](const nlohmann::json &) {});
}

void RunCommitter::step(const runtime::WitnessedStep &step) {
  steps = step.step;
  history = digestStep(history, step);
}

void RunCommitter::state(const runtime::WitnessedState &state, bool isStop) {
  RunPoint point = {steps, history, digestState(state), {}, isStop};
  point.root = digestPoint(&last.root, point);
  if (isStopped)
    log.reopen(folder / kCommitmentsFile, last.step, /*epochComplete=*/true,
               [](const nlohmann::json &) {});
  log.append(describe(point));
  newest = point.root;
  isStopped = isStop;
  if (!isStop)
    last = point;
}

} // namespace gensyn::proof
