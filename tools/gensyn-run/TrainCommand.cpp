// train: maps options to a training run, and the run's events to lines.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "Ranks.h"
#include "RanksReport.h"

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Proof/Run/RunCommitter.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/ProgramOptions.h"
#include "gensyn/Runtime/Models/TrainingChecks.h"
#include "gensyn/Runtime/Replay/RepeatRun.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"
#include "gensyn/Runtime/Training/ThroughputMeter.h"
#include "gensyn/Runtime/Training/Train.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <utility>

namespace gensyn::run {

using namespace runtime;

static std::atomic<bool> stopRequested{false};

extern "C" void gensynRunStop(int) { stopRequested.store(true); }

/// The first Ctrl-C ends the run after its step, the second one at once. So
/// does a hangup of the terminal, except under nohup. A closed stdout, or a
/// file beyond its size limit, is only a write error.
static void installSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = gensynRunStop;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // What launchers pass on to all ranks.
  ::sigaction(SIGUSR1, &action, nullptr);
  struct sigaction before = {};
  if (::sigaction(SIGHUP, nullptr, &before) == 0 &&
      before.sa_handler != SIG_IGN)
    ::sigaction(SIGHUP, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

/// The command that resumes the run, for a shell.
static std::string describeResume(const Options &options) {
  const std::string plain = "+,-./:=@_%";
  std::string command;
  for (const std::string &word : options.words) {
    if (word == "--overwrite" || word == "--resume")
      continue;
    bool needsQuotes = word.empty();
    std::string quoted;
    for (char c : word) {
      needsQuotes =
          needsQuotes || !(std::isalnum(static_cast<unsigned char>(c)) ||
                           plain.find(c) != std::string::npos);
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    command += (needsQuotes ? "'" + quoted + "'" : word) + " ";
  }
  return command + "--resume";
}

namespace {

/// Prints a run: lines for people, or a JSON object each.
class Reporter final : public TrainObserver {
public:
  /// Warnings are printed with `warns` alone.
  Reporter(const Options &options, const Recipe &recipe, Model &model,
           bool warns)
      : options(options), recipe(recipe), model(model),
        progress(!options.quiet), warns(warns) {
    progress.show("compiling");
  }

  void begin(const TrainSummary &summary) override;
  void step(const StepRecord &record) override;
  bool watchesSteps() const override { return false; }
  void epoch(const EpochRecord &record) override;
  void warn(const std::string &message) override {
    if (!warns)
      return;
    progress.clear();
    printWarning(message);
  }
  /// `commitment` is the last root.
  void end(const TrainResult &result, std::optional<Digest> commitment);
  bool hasBegun() const { return begun; }
  /// True if stdout took everything, or its reader is gone.
  bool wasHeard() const { return !lost; }

private:
  std::string speed(double samplesPerSecond) const;
  std::string figures(const StepRecord &record) const;
  bool forPeople() const {
    return !options.quiet && !options.json && !isClosed;
  }
  /// Prints a line on stdout; a write error does not end the run.
  void say(const std::string &line);
  /// The same for a line of JSON.
  void sayRecord(const OrderedJson &row);
  void put(const std::function<void()> &print);

  const Options &options;
  const Recipe &recipe;
  Model &model;
  ProgressBar progress;
  bool warns;
  TrainSummary facts;
  ThroughputMeter pace;
  std::chrono::steady_clock::time_point firstStep;
  /// State of the epoch in progress.
  int64_t epochSamples = 0;
  double epochSeconds = 0;
  bool begun = false;
  bool isClosed = false;
  bool lost = false;
};

} // namespace

void Reporter::say(const std::string &line) {
  put([&] { printLine(line); });
}

void Reporter::sayRecord(const OrderedJson &row) {
  put([&] { printRecord(row); });
}

void Reporter::put(const std::function<void()> &print) {
  if (isClosed)
    return;
  try {
    print();
  } catch (const Failure &) {
    isClosed = true;
    lost = errno != EPIPE;
    if (lost)
      warn("stdout cannot be written; the run goes on without it");
  }
}

/// "3 Conv, 2 Gemm"; the run does not depend on it, so a failure is ignored.
static std::string layers(Model &model) {
  try {
    return describeOperators(nlohmann::json::parse(model.facts()));
  } catch (const std::exception &) {
    return "";
  }
}

void Reporter::begin(const TrainSummary &summary) {
  facts = summary;
  firstStep = std::chrono::steady_clock::now();
  begun = true;
  progress.clear();
  if (options.json)
    sayRecord({{"event", "begin"},
               {"program_digest", facts.programDigest},
               {"numerics_version", facts.numericsVersion},
               {"initial_parameters", facts.initialDigest},
               {"parameters", facts.parameters},
               {"parameter_tensors", facts.parameterTensors},
               {"samples", facts.samples},
               {"tokens_per_sample", facts.tokensPerSample},
               {"eval_samples", facts.evalSamples},
               {"batch_size", facts.batchSize},
               {"steps", facts.steps},
               {"resumed_step", facts.resumedStep},
               {"epochs", facts.epochs},
               {"backend", options.backend},
               {"target", model.target()}});
  if (!forPeople())
    return;
  std::string operators = layers(model);
  say("model      " + options.model.string() + ", " +
      counted(facts.parameters, "parameter") + " in " +
      counted(facts.parameterTensors, "tensor"));
  if (!operators.empty())
    say("layers     " + operators);
  say("loss       " + describe(recipe.loss));
  say("optimizer  " + describe(*recipe.optimizer));
  if (!recipe.schedule.empty())
    say("schedule   " + recipe.schedule);
  say("data       " + counted(facts.samples, "sample") +
      (facts.tokensPerSample ? " of " + counted(facts.tokensPerSample, "token")
                             : "") +
      " in batches of " + std::to_string(facts.batchSize) +
      (recipe.shuffle ? ", shuffled by seed " + std::to_string(recipe.seed)
                      : ""));
  if (facts.evalSamples)
    say("evaluation " + counted(facts.evalSamples, "sample"));
  say("steps      " + groupDigits(facts.steps) + " in " +
      counted(facts.epochs, "epoch") + " on " + model.target());
  say("program    " + facts.programDigest);
  if (facts.resumedStep) {
    say("resumed    " + facts.resumedFrom.string() + ", after " +
        counted(facts.resumedStep, "step"));
    say("parameters " + facts.resumedDigest + " there");
  } else {
    say("parameters " + facts.initialDigest + " at the start");
  }
}

void Reporter::step(const StepRecord &record) {
  if (options.json) {
    OrderedJson row = {{"event", "step"},
                       {"step", record.step},
                       {"epoch", record.epoch},
                       {"loss", record.loss},
                       {"lr", record.lr}};
    for (const auto &[name, value] : record.metrics)
      row[name] = value;
    row["seconds"] = record.seconds;
    row["samples_per_second"] = double(record.samples) / record.seconds;
    sayRecord(row);
  }
  epochSamples += record.samples;
  epochSeconds += record.seconds;
  pace.add(record.samples, record.seconds,
           std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         firstStep)
               .count());
  progress.draw("epoch " + std::to_string(record.epoch) + "/" +
                    std::to_string(facts.epochs),
                record.step, facts.steps, [&] { return figures(record); });
}

/// "10321 tokens/s"
std::string Reporter::speed(double samplesPerSecond) const {
  return facts.tokensPerSample
             ? describeRate(samplesPerSecond * double(facts.tokensPerSample)) +
                   " tokens/s"
             : describeRate(samplesPerSecond) + " samples/s";
}

/// The text after the bar; the most important part comes first, for narrow
/// terminals.
std::string Reporter::figures(const StepRecord &record) const {
  const ProcessMemory memory = readProcessMemory();
  return std::to_string(record.step) + "/" + std::to_string(facts.steps) +
         " loss " + shortNumber(record.loss) + ", " +
         describeDuration(pace.secondsLeft(facts.steps - record.step)) +
         " left, " + speed(pace.samplesPerSecond()) + ", " +
         describeBytes(memory.resident) + " of memory (peak " +
         describeBytes(memory.peak) + ")";
}

void Reporter::epoch(const EpochRecord &record) {
  progress.clear();
  const double samples = double(std::exchange(epochSamples, 0));
  const double seconds = std::exchange(epochSeconds, 0);
  if (options.json) {
    OrderedJson row = {
        {"event", "epoch"},         {"epoch", record.epoch},
        {"step", record.step},      {"complete", record.complete},
        {"mean_loss", record.loss}, {"parameters", record.digest},
        {"seconds", record.seconds}};
    if (record.eval)
      for (const auto &[name, value] : record.eval->figures())
        row[name] = value;
    sayRecord(row);
  }
  if (!forPeople())
    return;
  std::string line = "epoch " + std::to_string(record.epoch) + "/" +
                     std::to_string(facts.epochs) + "  step " +
                     std::to_string(record.step) + "  loss " +
                     shortNumber(record.loss);
  if (record.eval)
    line += "  eval loss " + shortNumber(record.eval->loss);
  if (record.eval && record.eval->perplexity && facts.tokensPerSample)
    line += "  perplexity " + shortNumber(*record.eval->perplexity);
  if (record.eval && record.eval->accuracy)
    line += "  accuracy " +
            runtime::fixedText(*record.eval->accuracy * 100, 2) + " %";
  if (record.eval)
    for (const auto &[name, value] : record.eval->metrics)
      line += "  " + name.substr(name.find('_') + 1) + " " + shortNumber(value);
  line += "  " + describeSeconds(record.seconds);
  if (seconds > 0)
    line += "  " + speed(samples / seconds);
  say(line);
  say("           parameters " + record.digest);
}

void Reporter::end(const TrainResult &result,
                   std::optional<Digest> commitment) {
  progress.clear();
  if (options.json) {
    OrderedJson row = {{"event", "end"},
                       {"steps", result.steps},
                       {"interrupted", result.interrupted},
                       {"was_finished", result.wasFinished},
                       {"stopped_early", !result.stoppedEarly.empty()},
                       {"program_digest", facts.programDigest},
                       {"parameters", result.digest},
                       {"peak_resident_bytes", readProcessMemory().peak},
                       {"folder", options.folder.string()}};
    if (commitment)
      row["commitment"] = toHex(*commitment);
    sayRecord(row);
  }
  if (forPeople() && !result.stoppedEarly.empty())
    say("stopped    early: " + result.stoppedEarly);
  if (forPeople() && !result.best.empty())
    say("best       " + result.best.string());
  if (forPeople() && result.wasFinished)
    say("finished   " + options.folder.string() + " already, after " +
        counted(result.steps, "step"));
  else if (forPeople())
    say("saved      " + options.folder.string() + ", after " +
        counted(result.steps, "step") + ", with " +
        describeBytes(readProcessMemory().peak) + " of memory at most");
  if (!result.interrupted || !warns)
    return;
  printWarning("stopped on request " +
               (result.steps ? "after step " + std::to_string(result.steps)
                             : std::string("before the first step")) +
               "; everything is saved in " + options.folder.string());
  printNote("go on with: " + describeResume(options));
}

/// The options of a rank: the first one speaks for all.
static Options optionsOf(const Options &options,
                         const communication::Communicator *ranks) {
  Options own = options;
  if (ranks && ranks->rank() != 0) {
    own.quiet = true;
    own.json = false;
    own.profile = false;
    own.warn = nullptr;
  }
  if (ranks)
    runtime::fitToRank(own, *ranks);
  return own;
}

/// The first rank reads the model for all; one that finds another model under
/// that name would not train what its user means.
static void requireSameModel(const Options &options,
                             communication::Communicator &ranks) {
  // Weights may fill gigabytes; graphs differ within less.
  constexpr size_t most = size_t(64) << 20;
  std::error_code error;
  std::string mine;
  if (const auto size = std::filesystem::file_size(options.model, error);
      !error) {
    std::string bytes(std::min<size_t>(size, most), '\0');
    std::ifstream(options.model, std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    mine = std::to_string(size) + " " + hashHex(bytes.data(), bytes.size());
  }
  const std::vector<std::string> all = ranks.gather(mine);
  for (int rank = 1; rank < ranks.size(); ++rank)
    if (const std::string &other = all[size_t(rank)];
        !other.empty() && other != all.front())
      failBadInput(options.model.string() + ": " + ranks.describe(rank) +
                       " has another model than " + ranks.describe(0),
                   "all ranks train the same model with the same recipe, data "
                   "and options");
}

/// What the model alone says. One rank reads it for all.
static void describeModel(const Options &options, Model &model,
                          TrainOptions &training) {
  communication::Communicator *ranks = training.ranks;
  OrderedJson facts;
  if (!ranks || ranks->rank() == 0)
    facts = {training.recipe.usesTrainingInfo &&
                 requireTrainingInfo(model, options.recipe.empty() &&
                                                !model.package()),
             model.classes()};
  if (ranks)
    facts = OrderedJson::parse(ranks->broadcast(facts.dump(), 0));
  training.initializes = facts.at(0).get<bool>();
  training.classes = facts.at(1).get<int64_t>();
}

/// Null unless the first rank wants a timeline.
static std::shared_ptr<RankTrace>
beginTrace(const Options &options, communication::Communicator *ranks) {
  const bool isWanted = !options.trace.empty();
  if (isWanted && !ranks)
    throw Failure(ExitCode::Usage,
                  "--trace is for runs of several ranks, and there is 1",
                  "gensyn-run report --profile --trace writes that of a run of "
                  "one process");
  if (!ranks || ranks->broadcast(isWanted ? "1" : "", 0).empty())
    return nullptr;
  if (ranks->rank() == 0)
    requireWritableFile(options.trace);
  return std::make_shared<RankTrace>(*ranks);
}

static void writeTrace(const Options &options, RankTrace &trace) {
  const std::string text = trace.gather();
  if (text.empty())
    return;
  writeText(options.trace, text);
  if (trace.dropped() && options.warn)
    options.warn("the timeline has the first million spans of a rank alone");
}

/// A run that began without commitments goes on without them.
static std::optional<int64_t>
findCommitEvery(const Options &options, communication::Communicator *ranks) {
  namespace fs = std::filesystem;
  std::optional<int64_t> every = options.commitEvery;
  std::error_code ignored;
  if (every && options.resume && !listCheckpointSteps(options.folder).empty() &&
      !fs::exists(options.folder / proof::kCommitmentsFile, ignored)) {
    every = std::nullopt;
    if (options.warn)
      options.warn(options.folder.string() + ": the run began without " +
                   proof::kCommitmentsFile + " and goes on without it");
  }
  if (options.commitData && !every)
    throw Failure(ExitCode::Usage,
                  "--commit-data is not for a run without commitments");
  if (!ranks)
    return every;
  // The first rank speaks for all: they tell it states together.
  const std::string text =
      ranks->broadcast(every ? std::to_string(*every) : "", 0);
  return text.empty() ? std::nullopt : std::optional<int64_t>(std::stoll(text));
}

ExitCode runTrain(const Options &given, communication::Communicator *ranks) {
  const Options options = optionsOf(given, ranks);
  runtime::requireGroups(options.parallel, options.dataGroups,
                         ranks ? ranks->size() : 1);
  Model model(options);
  const std::shared_ptr<RankTrace> trace = beginTrace(options, ranks);
  model.rankTimes().trace = trace;
  TrainOptions training;
  training.ranks = ranks;
  training.divided = model.shardedState();
  training.parallel = options.parallel;
  training.checkEvery = options.checkEvery;
  training.recipe = model.recipe();
  training.model = options.model;
  training.recipeFile = options.recipe.empty() ? options.model : options.recipe;
  training.data = makeDataSource(options, options.data);
  training.parameters = options.trained;
  training.evalData = makeDataSource(options, options.evalData);
  training.folder = options.folder;
  training.start = options.overwrite ? RunStart::Replace
                   : options.resume  ? RunStart::Resume
                                     : RunStart::New;
  training.checkpointEvery = options.checkpointEvery;
  training.keep = options.keep;
  training.stopOnNan = options.onNan == "stop";
  training.maxSteps = options.steps;
  std::optional<proof::RunCommitter> committer;
  if (const auto every = findCommitEvery(options, ranks))
    training.witness = &committer.emplace(options.folder, *every,
                                          options.commitData, options.warn);
  if (ranks)
    requireSameModel(options, *ranks);
  describeModel(options, model, training);
  training.backend = options.backend;
  training.programOptions = recordProgramOptions(options);
  training.threads = unsigned(options.threads);
  training.target = model.target();
  installSignalHandlers();
  const bool isFirst = !ranks || ranks->rank() == 0;
  Reporter reporter(options, training.recipe, model, isFirst);
  const Sharding sharding = *shardingFromName(options.shard);
  auto source = [&](const ProgramRequest &request) {
    return ranks ? model.rankedProgram(request, *ranks, sharding,
                                       options.parallel)
                 : model.program(request);
  };
  training.probe = [&](int64_t batchSize, const std::string &digest,
                       const std::vector<Tensor> &inputs) {
    return model.probe(batchSize, digest, inputs);
  };
  if (isFirst)
    warnOfTraining(model,
                   [&](const std::string &text) { reporter.warn(text); });
  TrainResult result;
  try {
    result = train(training, source, reporter, stopRequested);
  } catch (Failure &failure) {
    // A full disk, most often. Everything saved before is intact.
    if (failure.code == ExitCode::InputOutput && failure.note.empty() &&
        reporter.hasBegun())
      failure.note = "when it can be, go on with: " + describeResume(options);
    throw;
  }
  reporter.end(result, committer ? committer->root() : std::nullopt);
  if (ranks)
    reportRanks(options, model, *ranks);
  if (trace)
    writeTrace(options, *trace);
  reportProfile(options, model);
  if (result.interrupted)
    return ExitCode::Interrupted;
  return reporter.wasHeard() ? ExitCode::Ok : ExitCode::InputOutput;
}

} // namespace gensyn::run
