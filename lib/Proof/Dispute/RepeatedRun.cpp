// See RepeatedRun.h.

#include "gensyn/Proof/Dispute/RepeatedRun.h"

#include "RepeatedStep.h"
#include "gensyn/Executable/Support/Error.h"

#include <algorithm>

namespace gensyn::proof {

namespace {

/// Keeps the claims after each step of a range.
class ClaimWitness final : public runtime::RunWitness {
public:
  ClaimWitness(const RunCommitments &committed,
               std::map<int64_t, StepClaim> &claims, int64_t begin)
      : committed(committed), claims(claims), begun(begin) {}

  bool wantsState(int64_t step) const override { return step >= begun; }
  bool wantsCheckpoints() const override { return false; }
  void begin(const runtime::WitnessedStart &start) override {
    // Its own facts. If the data are others, its states are others.
    history = committed.points.front().history;
    keep(0, start.state);
  }
  void resume(int64_t step, const runtime::WitnessedStart &start,
              const nlohmann::json &) override {
    for (const RunPoint &point : committed.points)
      if (point.step == step)
        history = point.history;
    at = step;
    keep(step, start.state);
  }
  void step(const runtime::WitnessedStep &step) override {
    at = step.step;
    history = digestStep(history, step);
  }
  void state(const runtime::WitnessedState &state, bool) override {
    keep(at, state);
  }

private:
  void keep(int64_t step, const runtime::WitnessedState &state) {
    claims[step] = {history, digestState(state)};
  }

  const RunCommitments &committed;
  std::map<int64_t, StepClaim> &claims;
  int64_t begun, at = 0;
  Digest history = {};
};

} // namespace

RepeatedRun::RepeatedRun(RepeatOptions options)
    : options(std::move(options)),
      committed(readCommitments(this->options.run.run)),
      signatureLines(readSignatures(this->options.run.run)) {
  for (const RunPoint &point : committed.points)
    known[point.step] = {point.history, point.state};
}

int64_t RepeatedRun::findStart(int64_t step) const {
  const std::vector<int64_t> starts =
      findStarts(options.run.run, committed.points);
  return *std::prev(std::upper_bound(starts.begin(), starts.end(), step));
}

void RepeatedRun::repeat(int64_t begin, int64_t end) {
  const int64_t start = findStart(begin);
  std::map<int64_t, StepClaim> made;
  ClaimWitness witness(committed, made, begin);
  runtime::repeatRun(options.run, start, end, witness, [&](int64_t done) {
    if (options.progress)
      options.progress("repeating step " + std::to_string(start + done));
  });
  // What was committed to stays what is claimed.
  known.merge(made);
}

std::vector<StepClaim> RepeatedRun::claims(const std::vector<int64_t> &steps) {
  const int64_t last = committed.points.back().step;
  for (int64_t step : steps)
    if (step < 0 || step > last)
      failBadInput("the run has no step " + std::to_string(step));
  if (std::ranges::any_of(
          steps, [&](int64_t step) { return !known.contains(step); })) {
    const auto [least, most] = std::ranges::minmax(steps);
    repeat(least, most);
  }
  std::vector<StepClaim> result;
  for (int64_t step : steps) {
    const auto found = known.find(step);
    if (found == known.end())
      failBadInput("the run ends before step " + std::to_string(step));
    result.push_back(found->second);
  }
  return result;
}

std::shared_ptr<StepSource> RepeatedRun::open(int64_t number) {
  if (number < 1 || number > committed.points.back().step)
    failBadInput("the run has no step " + std::to_string(number));
  if (opened != number) {
    opened = 0;
    step.reset(); // before the next one takes its memory
    step =
        std::make_shared<RepeatedStep>(options, findStart(number - 1), number);
    opened = number;
  }
  return step;
}

} // namespace gensyn::proof
