// Runs, points and steps; see Dispute.h.

#include "Settler.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Proof/Run/Commitments.h"

#include <algorithm>
#include <array>
#include <set>

namespace gensyn::proof {

using nlohmann::json;

const char *name(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Equal:
    return "equal";
  case Verdict::Kind::Different:
    return "different-runs";
  case Verdict::Kind::First:
    return "first-wrong";
  case Verdict::Kind::Second:
    return "second-wrong";
  case Verdict::Kind::Both:
    return "both-wrong";
  case Verdict::Kind::Undecided:
    return "undecided";
  }
  return "";
}

const char *nameOf(Side side) {
  return side == Side::First ? "the first" : "the second";
}

/// Facts of more bytes, and runs of more points, are nobody's.
static constexpr size_t longestFacts = size_t(1) << 20;
static constexpr int mostPoints = 1 << 20;
/// Steps that are asked for at a time.
static constexpr int64_t mostSteps = 64;

Verdict Settler::make(Verdict::Kind kind, std::string reason) const {
  Verdict verdict = found;
  verdict.kind = kind;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict Settler::blame(Side side, std::string reason) const {
  return make(side == Side::First ? Verdict::Kind::First
                                  : Verdict::Kind::Second,
              std::string(nameOf(side)) + " " + std::move(reason));
}

static std::optional<json> parseFacts(const std::string &text) {
  try {
    json facts = parseJson(text, "facts", "the text");
    if (facts.is_object())
      return facts;
  } catch (const Failure &) {
  }
  return std::nullopt;
}

std::string Settler::factText(const char *key) const {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_string() ? found->get<std::string>()
                                                    : std::string();
}

uint64_t Settler::factNumber(const char *key) const {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_number_unsigned()
             ? found->get<uint64_t>()
             : 0;
}

bool Settler::factFlag(const char *key) const {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_boolean() && found->get<bool>();
}

/// Of any bytes: those of another length are no signature that holds.
template <size_t Size>
static void copyExactly(const std::string &from,
                        std::array<uint8_t, Size> &to) {
  if (from.size() == Size)
    std::copy(from.begin(), from.end(), to.begin());
}

void Settler::checkSigned(Side side, const dispute::RunAnswer &answer,
                          const RunRoots &roots) const {
  const Verifier *signer =
      (side == Side::First ? options.firstSigned : options.secondSigned).signer;
  if (!signer)
    return;
  if (answer.signatures_size() > kMostRunSignatures)
    throw Wrong{side, "has too many signatures"};
  std::vector<RunSignature> signatures;
  for (const dispute::RunAnswer::Signature &given : answer.signatures()) {
    RunSignature &signature = signatures.emplace_back();
    copyExactly(given.root(), signature.root);
    signature.step = given.step();
    copyExactly(given.public_key(), signature.key.bytes);
    signature.time = given.time();
    signature.signature = given.signature();
  }
  std::string reason;
  if (!findSignature(signatures, roots, *signer, reason))
    throw Wrong{side, std::move(reason)};
}

Settler::Run Settler::askRun(Side side) {
  const dispute::RunAnswer answer = asker.run(side);
  Run run;
  run.facts = answer.facts();
  if (run.facts.size() > longestFacts || !parseFacts(run.facts))
    throw Wrong{side, "has facts that are not an object"};
  if (answer.points_size() == 0 || answer.points_size() > mostPoints)
    throw Wrong{side, "has no points, or too many"};
  RunPoint point;
  std::optional<Digest> root;
  RunRoots roots;
  for (const dispute::RunAnswer::Point &given : answer.points()) {
    const int64_t last = point.step;
    point.step = given.step();
    point.history = readDigest(side, given.history());
    point.state = readDigest(side, given.state());
    if (root ? point.step <= last : point.step != 0)
      throw Wrong{side, "has points whose steps do not ascend from 0"};
    if (!root && point.history != digestFacts(run.facts))
      throw Wrong{side, "does not commit to its facts"};
    root = digestPoint(root ? &*root : nullptr, point);
    roots[point.step] = *root;
    run.points[point.step] = {point.history, point.state};
  }
  const std::optional<Digest> &known =
      side == Side::First ? options.firstRoot : options.secondRoot;
  if (known && *root != *known)
    throw Wrong{side, "answers for the root " + toHex(*root) +
                          ", and committed to " + toHex(*known)};
  checkSigned(side, answer, roots);
  return run;
}

/// What two sides call the parts of a run's facts.
static const std::pair<const char *, const char *> factNames[] = {
    {"program_digest", "the programs"},
    {"program_root", "the programs"},
    {"last_batch_program_digest", "the programs of the last batch"},
    {"last_batch_program_root", "the programs of the last batch"},
    {"numerics_version", "the versions of the numerics"},
    {"seed", "the seeds"},
    {"data", "the data"},
    {"samples", "the numbers of samples"},
    {"batch_size", "the sizes of batches"},
    {"constants", "the frozen tensors"},
    {"constants_root", "the frozen tensors"},
    {"schedule", "the schedules"},
};

std::string Settler::describeDifference(const std::string &a,
                                        const std::string &b) {
  const json first = *parseFacts(a), second = *parseFacts(b);
  auto show = [](const json &of, const std::string &key) {
    std::string text = of.contains(key) ? printJson(of.at(key)) : "nothing";
    return text.size() > 80 ? text.substr(0, 80) + "..." : text;
  };
  auto describe = [&](const std::string &key, const std::string &name) {
    return name + " differ: " + show(first, key) + " and " + show(second, key);
  };
  for (const auto &[key, name] : factNames)
    if (first.value(key, json()) != second.value(key, json()))
      return describe(key, name);
  for (const auto &[key, value] : first.items())
    if (second.value(key, json()) != value)
      return describe(key, "facts of the runs, " + quote(key) + ",");
  return "facts of the runs are written otherwise";
}

std::vector<uint64_t> chooseEvenly(uint64_t begin, uint64_t end,
                                   uint64_t most) {
  const uint64_t inner = end - begin - 1, count = std::min(inner, most);
  std::vector<uint64_t> chosen;
  // Without overflow: anybody may claim any number of steps.
  for (uint64_t i = 0; i < count; ++i)
    chosen.push_back(begin + 1 + i * (inner / count) +
                     i * (inner % count) / count);
  return chosen;
}

std::vector<int64_t> Settler::chooseSteps(int64_t begin, int64_t end) const {
  // First where a party committed to something: it knows the state there, or
  // has a checkpoint nearby.
  std::set<int64_t> points;
  for (Side side : kSides)
    for (auto at = runs[side].points.upper_bound(begin);
         at != runs[side].points.end() && at->first < end; ++at)
      points.insert(at->first);
  const std::vector<int64_t> all(points.begin(), points.end());
  std::vector<int64_t> steps;
  if (all.empty())
    for (uint64_t step :
         chooseEvenly(uint64_t(begin), uint64_t(end), uint64_t(mostSteps)))
      steps.push_back(int64_t(step));
  else
    for (uint64_t next : chooseEvenly(0, all.size() + 1, uint64_t(mostSteps)))
      steps.push_back(all[next - 1]);
  return steps;
}

Settler::Both<std::vector<Settler::Claim>>
Settler::askClaims(const std::vector<int64_t> &steps) {
  Both<std::vector<Claim>> claims;
  for (Side side : kSides) {
    const dispute::StepsAnswer answer = asker.steps(side, steps);
    for (size_t i = 0; i < steps.size(); ++i) {
      const dispute::StepsAnswer::Claim &claim = answer.claims(int(i));
      claims[side].push_back(
          {readDigest(side, claim.history()), readDigest(side, claim.state())});
      const auto point = runs[side].points.find(steps[i]);
      if (point != runs[side].points.end() &&
          point->second != claims[side].back())
        throw Wrong{side, "claims something else after step " +
                              std::to_string(steps[i]) +
                              " than it committed to"};
    }
  }
  return claims;
}

void Settler::narrow(int64_t begin, int64_t end) {
  while (end - begin > 1) {
    say("comparing the states after steps " + std::to_string(begin + 1) +
        " to " + std::to_string(end));
    const uint64_t outerBegin = uint64_t(begin), outerEnd = uint64_t(end);
    const std::vector<int64_t> steps = chooseSteps(begin, end);
    const Both<std::vector<Claim>> claims = askClaims(steps);
    for (size_t i = 0; i < steps.size(); ++i) {
      if (claims.first[i] != claims.second[i]) {
        end = steps[i];
        after = {claims.first[i], claims.second[i]};
        break;
      }
      begin = steps[i];
      before = claims.first[i];
    }
    found.rounds.push_back(
        {"steps", outerBegin, outerEnd, uint64_t(begin), uint64_t(end)});
  }
  step = end;
  found.step = step;
}

Verdict Settler::compareClaims(const Both<Digest> &claimed, const Digest &right,
                               const std::string &what) {
  const bool first = claimed.first != right, second = claimed.second != right;
  if (first && second)
    return make(Verdict::Kind::Both, "each " + what);
  return blame(first ? Side::First : Side::Second, what);
}

Verdict Settler::settlePoints() {
  for (Side side : kSides)
    runs[side] = askRun(side);
  if (runs.first.facts != runs.second.facts)
    return make(Verdict::Kind::Different,
                describeDifference(runs.first.facts, runs.second.facts));
  facts = *parseFacts(runs.first.facts);
  if (runs.first.points.at(0) != runs.second.points.at(0))
    return make(Verdict::Kind::Different,
                "the parameters that the runs begin with differ");
  int64_t agreed = 0;
  for (const auto &[at, claim] : runs.first.points) {
    const auto other = runs.second.points.find(at);
    if (other == runs.second.points.end())
      continue;
    if (claim == other->second) {
      agreed = at;
      continue;
    }
    before = runs.first.points.at(agreed);
    after = {claim, other->second};
    narrow(agreed, at);
    return settleStep();
  }
  const int64_t first = runs.first.points.rbegin()->first,
                second = runs.second.points.rbegin()->first,
                end = std::min(first, second);
  if (agreed < end) {
    // The shorter run ends where the longer one has no point.
    const Both<std::vector<Claim>> claims = askClaims({end});
    if (claims.first != claims.second) {
      before = runs.first.points.at(agreed);
      after = {claims.first.front(), claims.second.front()};
      narrow(agreed, end);
      return settleStep();
    }
  }
  std::string reason =
      "both claim the same of all " + std::to_string(end) + " steps";
  if (first != second)
    reason = "both claim the same of " + std::to_string(end) +
             " steps; the first commits to " + std::to_string(first) +
             ", the second to " + std::to_string(second);
  return make(Verdict::Kind::Equal, std::move(reason));
}

Verdict Settler::run() {
  if (options.firstSigned.signer && options.firstSigned.ofAnswers)
    asker.requireSignatures(Side::First, *options.firstSigned.signer);
  if (options.secondSigned.signer && options.secondSigned.ofAnswers)
    asker.requireSignatures(Side::Second, *options.secondSigned.signer);
  try {
    return settlePoints();
  } catch (const Wrong &wrong) {
    return blame(wrong.side, wrong.reason);
  }
}

Verdict settle(Party &first, Party &second, const DisputeOptions &options) {
  return Settler(first, second, options).run();
}

} // namespace gensyn::proof
