// show: what a run or an inference commits to.

#include "Commands.h"
#include "InferenceCommands.h"

#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Proof/Sign/Keys.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

namespace gensyn::verify {

/// The facts that people ask for, under the names of `gensyn-run train`.
static void printFacts(const OrderedJson &facts) {
  auto text = [&](const char *key) {
    const auto found = facts.find(key);
    return found == facts.end() ? std::string()
           : found->is_string() ? found->get<std::string>()
                                : found->dump();
  };
  printLine("program    " + text("program_digest"));
  if (!text("last_batch_program_digest").empty())
    printLine("           " + text("last_batch_program_digest") +
              " for the last batch of an epoch");
  printLine("numerics   version " + text("numerics_version"));
  printLine("data       " + text("data") + ", " + text("samples") +
            " samples in batches of " + text("batch_size"));
  printLine("seed       " + text("seed"));
  if (!text("schedule").empty())
    printLine("schedule   " + text("schedule"));
}

/// Why a signature says nothing of the run; nothing if this build cannot tell.
static std::optional<std::string>
findProblem(const proof::RunSignature &signature,
            const proof::RunRoots &roots) {
  if (!proof::canSign())
    return std::nullopt;
  return proof::findProblem(signature, roots,
                            *proof::makeVerifier(signature.key));
}

static OrderedJson describe(const proof::RunSignature &signature,
                            const std::optional<std::string> &problem) {
  OrderedJson row = {{"event", "signature"},
                     {"root", toHex(signature.root)},
                     {"step", signature.step},
                     {"public_key", hexOf(signature.key)},
                     {"fingerprint", fingerprint(signature.key)},
                     {"time", signature.time},
                     {"holds", nullptr}};
  if (problem) {
    row["holds"] = problem->empty();
    row["problem"] = *problem;
  }
  return row;
}

static void print(const proof::RunSignature &signature,
                  const std::optional<std::string> &problem, int64_t last) {
  std::string verdict = "holds";
  if (!problem)
    verdict = "not checked, since this build had no OpenSSL";
  else if (!problem->empty())
    verdict = "does not hold: " + *problem;
  else if (signature.step != last)
    verdict += ", and the run went on to step " + runtime::groupDigits(last);
  printLine("signature  by " + fingerprint(signature.key) + ", " +
            signature.time + ", after step " +
            runtime::groupDigits(signature.step) + ": " + verdict);
}

ExitCode runShow(const Options &options) {
  if (isInference(options))
    return showInference(options);
  const proof::RunCommitments commitments = proof::readCommitments(options.run);
  const std::vector<proof::RunSignature> signatures =
      proof::readSignatures(options.run);
  const proof::RunRoots roots = proof::listRoots(commitments.points);
  const auto facts = OrderedJson::parse(commitments.facts, nullptr,
                                        /*allow_exceptions=*/false);
  if (options.json) {
    printRecord({{"event", "run"},
                 {"facts", facts},
                 {"root", toHex(commitments.points.back().root)}});
    for (const proof::RunPoint &point : commitments.points)
      printRecord({{"event", "commitment"},
                   {"step", point.step},
                   {"history", toHex(point.history)},
                   {"state", toHex(point.state)},
                   {"root", toHex(point.root)}});
    for (const proof::RunSignature &signature : signatures)
      printRecord(describe(signature, findProblem(signature, roots)));
    return ExitCode::Ok;
  }
  if (facts.is_object())
    printFacts(facts);
  printLine("state      " + toHex(commitments.points.front().state) +
            " at the beginning");
  for (const proof::RunPoint &point : commitments.points)
    if (point.step > 0)
      printLine("           " + toHex(point.state) + " after step " +
                runtime::groupDigits(point.step));
  printLine("root       " + toHex(commitments.points.back().root));
  for (const proof::RunSignature &signature : signatures)
    print(signature, findProblem(signature, roots),
          commitments.points.back().step);
  return ExitCode::Ok;
}

} // namespace gensyn::verify
