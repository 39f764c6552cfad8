// Writes and validates state.json.

#include "RunState.h"

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Error.h"

#include <limits>

namespace gensyn::runtime {

static constexpr const char *stateFormat = "gensyn-checkpoint-1";

OrderedJson describeFacts(const RunFacts &facts) {
  return {{"program_digest", facts.programDigest},
          {"last_batch_program_digest", facts.lastBatchDigest},
          {"numerics_version", facts.numericsVersion},
          {"constants", facts.constants},
          {"data", facts.dataIdentity},
          {"samples", facts.samples},
          {"batch_size", facts.batchSize},
          {"shuffle", facts.shuffle},
          {"drop_last", facts.dropLast},
          {"seed", facts.seed},
          {"recipe", facts.recipe}};
}

OrderedJson describeState(const RunFacts &facts, const Progress &progress,
                          const std::string &parameters) {
  OrderedJson state = {{"format", stateFormat},
                       {"step", progress.step},
                       {"epoch", progress.epoch},
                       {"epoch_complete", progress.epochComplete},
                       {"step_in_epoch", progress.stepInEpoch},
                       {"steps_per_epoch", progress.stepsPerEpoch},
                       {"epoch_loss", progress.epochLoss},
                       {"parameters", parameters}};
  state.update(describeFacts(facts));
  return state;
}

static bool isConsistent(const Progress &progress) {
  if (progress.step < 1 || progress.epoch < 0 || progress.stepInEpoch < 0 ||
      progress.stepInEpoch > progress.step)
    return false;
  if (progress.stepsPerEpoch == 0)
    return true;
  int64_t before = 0, steps = 0;
  return progress.epoch >= 1 && progress.stepInEpoch >= 1 &&
         progress.stepInEpoch <= progress.stepsPerEpoch &&
         progress.epochComplete ==
             (progress.stepInEpoch == progress.stepsPerEpoch) &&
         !__builtin_mul_overflow(progress.epoch - 1, progress.stepsPerEpoch,
                                 &before) &&
         !__builtin_add_overflow(before, progress.stepInEpoch, &steps) &&
         steps == progress.step;
}

Progress readProgress(const nlohmann::json &state, const std::string &where) {
  try {
    if (state.at("format") != stateFormat)
      failBadInput(where + ": is of another format than " + stateFormat);
    Progress progress;
    progress.step = state.at("step").get<int64_t>();
    progress.epoch = state.at("epoch").get<int64_t>();
    progress.stepInEpoch = state.at("step_in_epoch").get<int64_t>();
    progress.stepsPerEpoch = state.at("steps_per_epoch").get<int64_t>();
    // A sum that is not finite is null in JSON.
    const nlohmann::json &sum = state.at("epoch_loss");
    progress.epochLoss = sum.is_null()
                             ? std::numeric_limits<double>::quiet_NaN()
                             : sum.get<double>();
    progress.epochComplete = state.at("epoch_complete").get<bool>();
    if (!isConsistent(progress))
      failBadInput(where + ": its steps and epochs do not go together");
    return progress;
  } catch (const nlohmann::json::exception &) {
    failBadInput(where + ": is not the state of a run");
  }
}

void requireSameRun(const nlohmann::json &state, const RunFacts &facts,
                    const std::string &where, const std::string &recipeFile,
                    const std::string &dataFile) {
  const nlohmann::json now = describeState(facts, {}, "");
  auto was = [&](const char *key) {
    return state.contains(key) ? state.at(key) : nlohmann::json();
  };
  auto same = [&](const char *key) { return was(key) == now.at(key); };
  const std::string rest = "a run goes on only as it began";
  if (!same("numerics_version"))
    failBadInput(
        where + " was made by version " + was("numerics_version").dump() +
            " of the numerics; this is " + now.at("numerics_version").dump(),
        "go on with the version of gensyn that the run began with");
  for (const char *key : {"seed", "shuffle", "batch_size"})
    if (!same(key))
      failBadInput(recipeFile + ": " + quote(key) + " is " +
                       now.at(key).dump() + ", in the run it is " +
                       was(key).dump(),
                   rest);
  if (!same("samples") || !same("data"))
    failBadInput(dataFile + ": are other data than those of the run", rest);
  if (!same("last_batch_program_digest") && !same("drop_last"))
    failBadInput(recipeFile + ": 'drop_last' is " + now.at("drop_last").dump() +
                     ", in the run it is " + was("drop_last").dump(),
                 rest);
  // The training loop computes a part of the schedule, which no program digest
  // covers.
  if (!haveSameSchedule(was("recipe"), facts.recipe))
    failBadInput(recipeFile + ": 'schedule' is not as in the run", rest);
  if (!same("program_digest") || !same("last_batch_program_digest") ||
      facts.programDigest.empty()) {
    const std::string key = differenceOfRuns(was("recipe"), facts.recipe);
    if (!key.empty())
      failBadInput(recipeFile + ": " + quote(key) + " is not as in the run",
                   rest);
  }
  if (!same("program_digest") || !same("last_batch_program_digest"))
    failBadInput("the program is another one than in " + where + ": " +
                     facts.programDigest,
                 "the model, --dim, --accuracy or the compiler's version is "
                 "another; " +
                     rest);
  if (!same("constants"))
    failBadInput("the model's frozen tensors are others than in " + where,
                 rest);
}

} // namespace gensyn::runtime
