// show: what a run commits to.

#include "Commands.h"

#include "gensyn/Proof/Run/Commitments.h"
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

ExitCode runShow(const Options &options) {
  const proof::RunCommitments commitments = proof::readCommitments(options.run);
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
  return ExitCode::Ok;
}

} // namespace gensyn::verify
