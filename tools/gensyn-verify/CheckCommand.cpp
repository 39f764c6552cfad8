// check: repeats segments of a run, or an inference.

#include "Commands.h"
#include "InferenceCommands.h"

#include "gensyn/Proof/Dispute/CheckOps.h"
#include "gensyn/Proof/Dispute/RepeatedRun.h"
#include "gensyn/Proof/Run/CheckRun.h"
#include "gensyn/Proof/Sign/Keys.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace gensyn::verify {

static proof::CheckOptions makeCheck(const Options &options) {
  proof::CheckOptions check;
  check.run.run = options.run;
  check.run.model = options;
  check.run.model.warn = printWarning;
  check.run.data = options.data;
  check.run.evalData = options.evalData;
  check.run.parameters = options.parameters;
  check.segments = options.segments;
  std::random_device random;
  check.seed = options.seed.value_or(uint64_t(random()) << 32 | random());
  return check;
}

/// Ops of a step, and which one that is.
struct CheckedOps {
  int64_t step = 0;
  proof::OpsCheck ops;
};

/// Checks ops of a step of a segment that was repeated.
static CheckedOps checkOps(const Options &options,
                           const proof::CheckOptions &check,
                           const proof::CheckedSegment &segment,
                           ProgressBar &progress) {
  CheckedOps checked;
  checked.step = segment.begin + 1 +
                 int64_t(check.seed % uint64_t(segment.end - segment.begin));
  const std::shared_ptr<runtime::Compiler> compiler =
      runtime::openCompiler(options);
  proof::OpsCheckOptions ops;
  ops.compiler = compiler.get();
  ops.ops = options.ops;
  ops.seed = check.seed;
  ops.progress = [&](uint64_t done) {
    progress.draw("comparing", int64_t(done), int64_t(options.ops), [&] {
      return std::to_string(done) + "/" + std::to_string(options.ops) + " ops";
    });
  };
  proof::RepeatedRun run({check.run, uint64_t(2) << 30, nullptr});
  checked.ops = proof::checkOps(run.open(checked.step), ops);
  return checked;
}

static void print(const CheckedOps &checked) {
  const proof::OpsCheck &ops = checked.ops;
  std::string line = "ops        " + runtime::groupDigits(int64_t(ops.ops)) +
                     " of step " + runtime::groupDigits(checked.step) + ", " +
                     counted(int64_t(ops.elements), "element") + ": " +
                     (!ops.problem.empty() ? ops.problem
                      : ops.elements       ? "as the reference computes"
                                           : "nothing could be compared");
  if (ops.passed)
    line += " (" + runtime::groupDigits(int64_t(ops.passed)) +
            " passed over: their operands are too large)";
  printLine(line);
}

static void printJson(const proof::CheckResult &result,
                      const std::optional<CheckedOps> &ops, uint64_t seed,
                      bool isUpheld) {
  for (const proof::CheckedSegment &segment : result.checked)
    printRecord({{"event", "segment"},
                 {"begin", segment.begin},
                 {"end", segment.end},
                 {"from", segment.from},
                 {"upheld", segment.problem.empty()},
                 {"problem", segment.problem}});
  if (ops)
    printRecord({{"event", "ops"},
                 {"step", ops->step},
                 {"ops", ops->ops.ops},
                 {"elements", ops->ops.elements},
                 {"passed_over", ops->ops.passed},
                 {"upheld", ops->ops.problem.empty()},
                 {"problem", ops->ops.problem}});
  printRecord({{"event", "end"},
               {"upheld", isUpheld},
               {"root", toHex(result.commitments.points.back().root)},
               {"segments", result.segments},
               {"checked", result.checked.size()},
               {"seed", seed}});
}

/// With which probability cheats of some sizes would have been found.
static void printChances(const proof::CheckResult &result) {
  const auto checked = int64_t(result.checked.size());
  std::string text;
  int64_t before = 0;
  for (double part : {0.0, 0.1, 0.5}) {
    const auto wrong = std::max(
        int64_t(1), int64_t(std::ceil(double(result.segments) * part)));
    if (wrong == std::exchange(before, wrong))
      continue;
    text +=
        (text.empty() ? "" : ", ") +
        runtime::fixedText(
            100 * proof::catchProbability(result.segments, checked, wrong), 1) +
        " % if " + runtime::groupDigits(wrong) + (wrong == 1 ? " is" : " are");
  }
  printLine("chance     to find a wrong segment: " + text + " wrong");
}

/// The signature of the last root that --signer asks for; nothing if the run
/// has none, which is said.
static std::optional<proof::RunSignature>
requireSignature(const Options &options) {
  const std::unique_ptr<proof::Verifier> verifier =
      proof::readPublicKey(options.signer);
  const proof::RunCommitments commitments = proof::readCommitments(options.run);
  const std::vector<proof::RunSignature> signatures =
      proof::readSignatures(options.run);
  std::string reason;
  if (const proof::RunSignature *found = proof::findSignature(
          signatures, proof::listRoots(commitments.points), *verifier, reason))
    return *found;
  if (options.json)
    printRecord({{"event", "end"},
                 {"upheld", false},
                 {"root", toHex(commitments.points.back().root)},
                 {"reason", "the run " + reason}});
  else if (!options.quiet)
    printLine("refuted    the run " + reason);
  return std::nullopt;
}

ExitCode runCheck(const Options &options) {
  if (std::error_code ignored; !std::filesystem::exists(options.run, ignored))
    throw Failure(ExitCode::InputOutput,
                  options.run.string() + ": does not exist");
  if (isInference(options))
    return checkInference(options);
  requireRunOptions(options);
  std::optional<proof::RunSignature> signature;
  if (!options.signer.empty()) {
    signature = requireSignature(options);
    if (!signature)
      return ExitCode::Mismatch;
  }
  proof::CheckOptions check = makeCheck(options);
  ProgressBar progress(!options.quiet);
  progress.show("compiling");
  check.progress = [&](int64_t done, int64_t all) {
    progress.draw("repeating", done, all, [&] {
      return std::to_string(done) + "/" + std::to_string(all) + " steps";
    });
  };
  const proof::CheckResult result = proof::checkRun(check);
  std::optional<CheckedOps> ops;
  // A run that is refuted may have no such step.
  if (options.ops && result.isUpheld() && !result.checked.empty())
    ops =
        checkOps(options, check,
                 result.checked[check.seed % result.checked.size()], progress);
  progress.clear();
  const bool isUpheld = result.isUpheld() && (!ops || ops->ops.problem.empty());
  const ExitCode code = isUpheld ? ExitCode::Ok : ExitCode::Mismatch;
  if (options.json) {
    if (signature)
      printRecord({{"event", "signature"},
                   {"public_key", hexOf(signature->key)},
                   {"fingerprint", fingerprint(signature->key)},
                   {"time", signature->time}});
    printJson(result, ops, check.seed, isUpheld);
    return code;
  }
  if (options.quiet)
    return code;
  if (signature)
    printLine("signed     by " + fingerprint(signature->key) + ", " +
              signature->time);
  for (const proof::CheckedSegment &segment : result.checked) {
    std::string line =
        "steps      " + runtime::groupDigits(segment.begin + 1) + " to " +
        runtime::groupDigits(segment.end) + ": " +
        (segment.problem.empty() ? "as committed to" : segment.problem);
    if (segment.from != segment.begin)
      line += " (repeated from step " + std::to_string(segment.from) + ")";
    printLine(line);
  }
  if (ops)
    print(*ops);
  if (int64_t(result.checked.size()) < result.segments) {
    printLine("seed       " + std::to_string(check.seed));
    printChances(result);
  }
  printLine(isUpheld ? "upheld     " +
                           counted(int64_t(result.checked.size()), "segment") +
                           " of " + runtime::groupDigits(result.segments)
            : result.isUpheld()
                ? "refuted    what this back end computes is not what the "
                  "reference does"
                : "refuted    the run is not what it commits to");
  return code;
}

} // namespace gensyn::verify
