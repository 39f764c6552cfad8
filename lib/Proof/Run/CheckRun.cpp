// See CheckRun.h.

#include "gensyn/Proof/Run/CheckRun.h"

#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Replay/RepeatRun.h"

#include <algorithm>
#include <map>
#include <set>

namespace gensyn::proof {

double catchProbability(int64_t segments, int64_t checked, int64_t wrong) {
  double missed = 1;
  for (int64_t i = 0; i < checked; ++i)
    missed *=
        std::max(0.0, double(segments - wrong - i)) / double(segments - i);
  return 1 - missed;
}

std::vector<int64_t> drawNumbers(const Digest &seed, int64_t all,
                                 int64_t count) {
  if (count >= all) {
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < all; ++i)
      numbers.push_back(i);
    return numbers;
  }
  std::set<int64_t> drawn;
  for (uint64_t draw = 0; int64_t(drawn.size()) < count; ++draw) {
    const Digest digest =
        Encoding("gensyn draw 1").digest(seed).number(draw).finish();
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i)
      number |= uint64_t(digest[size_t(i)]) << (8 * i);
    // Off by less than all / 2^64 from equal chances.
    drawn.insert(int64_t(number % uint64_t(all)));
  }
  return {drawn.begin(), drawn.end()};
}

namespace {

/// Compares a repeated run with its commitments.
class CommitmentWitness final : public runtime::RunWitness {
public:
  CommitmentWitness(const RunCommitments &committed, std::string &samplesRoot)
      : points(committed.points), hasSamples(hasSamplesRoot(committed.facts)),
        samplesRoot(samplesRoot) {}

  bool wantsState(int64_t step) const override { return find(step); }
  bool wantsCheckpoints() const override { return false; }
  void begin(const runtime::WitnessedStart &start) override {
    now = compareFacts(start);
    compare(0, start.state);
  }
  void resume(int64_t step, const runtime::WitnessedStart &start,
              const nlohmann::json &) override {
    at = step;
    compareFacts(start);
    if (const RunPoint *point = find(step)) {
      now = point->history;
      compare(step, start.state);
    } else {
      note("the checkpoint of step " + std::to_string(step) +
               " has no commitment",
           step);
    }
  }
  void step(const runtime::WitnessedStep &step) override {
    at = step.step;
    now = digestStep(now, step);
  }
  void state(const runtime::WitnessedState &state, bool) override {
    compare(at, state);
  }

  void note(const std::string &text, int64_t step) {
    if (!problem.empty())
      return;
    problem = text;
    problemStep = step;
  }
  /// The first problem, and the step after which it was seen; empty and the
  /// largest number if there is none.
  const std::string &getProblem() const { return problem; }
  int64_t getProblemStep() const { return problemStep; }
  int64_t reached() const { return at; }

private:
  const RunPoint *find(int64_t step) const {
    const auto found = std::lower_bound(
        points.begin(), points.end(), step,
        [](const RunPoint &point, int64_t step) { return point.step < step; });
    return found != points.end() && found->step == step ? &*found : nullptr;
  }
  /// Returns the digest of the facts.
  Digest compareFacts(const runtime::WitnessedStart &start) {
    const std::string facts = writeFacts(start, hasSamples, &samplesRoot);
    const Digest digest = digestFacts(facts);
    if (digest != points.front().history)
      note("it is another run than committed to: " + facts, 0);
    return digest;
  }
  void compare(int64_t step, const runtime::WitnessedState &state) {
    const RunPoint *point = find(step);
    if (!point)
      return;
    const std::string after =
        step ? " after step " + std::to_string(step) : " at the beginning";
    if (digestState(state) != point->state)
      note("the state" + after + " is another one than committed to", step);
    else if (now != point->history)
      note("the steps before step " + std::to_string(step + 1) +
               " have other samples or losses than committed to",
           step);
  }

  const std::vector<RunPoint> &points;
  bool hasSamples;
  std::string &samplesRoot;
  Digest now = {};
  int64_t at = 0;
  std::string problem;
  int64_t problemStep = INT64_MAX;
};

} // namespace

/// Repeats a run from a checkpoint until the end of the last of some segments,
/// which begin behind it.
static void checkGroup(const CheckOptions &options, CheckResult &result,
                       const std::vector<CheckedSegment *> &group,
                       std::string &samplesRoot,
                       const std::function<void(int64_t)> &progress) {
  const int64_t end = group.back()->end;
  CommitmentWitness witness(result.commitments, samplesRoot);
  runtime::repeatRun(options.run, group.front()->from, end, witness, progress);
  if (witness.reached() != end)
    witness.note("the run ends after step " + std::to_string(witness.reached()),
                 witness.reached() + 1);
  for (CheckedSegment *segment : group)
    if (segment->end >= witness.getProblemStep())
      segment->problem = witness.getProblem();
}

CheckResult checkRun(const CheckOptions &options) {
  CheckResult result;
  // Of the data of this process, found once.
  std::string samplesRoot;
  result.commitments = readCommitments(options.run.run);
  const std::vector<RunPoint> &points = result.commitments.points;
  result.segments = int64_t(points.size()) - 1;
  if (result.segments == 0)
    failBadInput((options.run.run / kCommitmentsFile).string() +
                 ": commits to no step");
  const Digest seed = Encoding("gensyn seed 1")
                          .digest(points.back().root)
                          .number(options.seed)
                          .finish();
  const std::vector<int64_t> starts = findStarts(options.run.run, points);
  for (int64_t number :
       drawNumbers(seed, result.segments,
                   options.segments ? options.segments : result.segments)) {
    CheckedSegment segment;
    segment.begin = points[size_t(number)].step;
    segment.end = points[size_t(number) + 1].step;
    segment.from = *std::prev(
        std::upper_bound(starts.begin(), starts.end(), segment.begin));
    result.checked.push_back(std::move(segment));
  }
  std::map<int64_t, std::vector<CheckedSegment *>> groups;
  for (CheckedSegment &segment : result.checked)
    groups[segment.from].push_back(&segment);
  int64_t all = 0, done = 0;
  for (const auto &[from, group] : groups)
    all += group.back()->end - from;
  for (const auto &[from, group] : groups) {
    checkGroup(options, result, group, samplesRoot, [&](int64_t steps) {
      if (options.progress)
        options.progress(done + steps, all);
    });
    done += group.back()->end - from;
  }
  return result;
}

} // namespace gensyn::proof
