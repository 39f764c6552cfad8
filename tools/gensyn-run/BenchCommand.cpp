// bench: measures the runs of one program.

#include "../Terminal/Terminal.h"
#include "Bench.h"
#include "Commands.h"
#include "NumberChecks.h"

#include "gensyn/Executable/Packages/MemoryStats.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/RandomInputs.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"
#include "gensyn/Runtime/Support/ThreadPool.h"
#include "gensyn/Runtime/Training/Evaluation.h"
#include "gensyn/Runtime/Training/ThroughputMeter.h"

#include <chrono>
#include <iostream>
#include <optional>

namespace gensyn::run {

using namespace runtime;
using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

namespace {

/// One program, its inputs and its times.
class Bench {
public:
  explicit Bench(const Options &options);
  ExitCode run();

private:
  struct Round {
    std::vector<double> seconds;
    std::vector<double> losses; ///< empty for a program without a loss
  };

  void load();
  Round repeat(int64_t count);
  void takeTurns();
  void report(const BenchTimes &times) const;
  void print(const BenchTimes &times) const;
  OrderedJson describeMemory() const;

  const Options &options;
  Model model;
  ProgramKind kind;
  ProgressBar progress;
  ParameterStore store;
  std::optional<Session> session;
  StepInputs inputs;
  BenchSubject subject;
  std::optional<BenchBaseline> baseline;
  MemoryStats memory;
  double loadSeconds = 0;
  std::vector<double> measured;
};

} // namespace

static ProgramKind chooseKind(const Options &options, const Model &model) {
  if (!options.kinds.empty())
    return options.kinds.front();
  return options.recipe.empty() ? ProgramKind::Infer : kindOf(model.recipe());
}

Bench::Bench(const Options &options)
    : options(options), model(options), kind(chooseKind(options, model)),
      progress(!options.quiet) {}

/// Compiles the program and gets its inputs.
void Bench::load() {
  std::optional<TensorFile> file;
  if (!options.inputs.empty())
    file = openTensors(options.inputs);
  const bool hasRecipe = kind != ProgramKind::Infer;
  const Recipe recipe = hasRecipe ? model.recipe() : Recipe();
  ProgramRequest request{kind};
  if (!options.batchSizes.empty())
    request.batchSize = options.batchSizes.front();
  else if (!file)
    request.batchSize =
        kind == ProgramKind::Train ? recipe.stepSamples() : recipe.batchSize;
  if (file)
    request.given = listTensors(*file, /*isSamples=*/false);
  progress.show("compiling");
  const auto start = Clock::now();
  auto program = model.program(request);
  loadSeconds = secondsSince(start);
  const int64_t classes = hasRecipe ? model.classes() : 0;
  if (file) {
    checkTensors(*file, program->signature(), /*anyBatch=*/false);
    if (classes)
      checkClasses(*file, recipe.loss.target, classes, recipe.loss.ignoreIndex);
  }
  session.emplace(std::move(program), store);
  if (!options.trained.empty())
    store.replace(openTensors(parametersIn(options.trained)));
  inputs.seed = recipe.seed;
  if (!file)
    inputs.tensors =
        makeRandomInputs(session->signature(), recipe.loss.target, classes);
  else
    for (const Port &port : session->signature().inputs)
      if (port.role == Role::Input || port.role == Role::Target)
        inputs.tensors.emplace(port.name, file->tensor(port.name));
  memory = measureMemory(session->executable().plan());
  subject = {options.model.filename().string(),
             std::string(name(kind)),
             session->batchSize(),
             options.threads ? options.threads : availableProcessors(),
             model.target(),
             session->executable().program_digest()};
  if (!options.baseline.empty())
    baseline.emplace(options.baseline, subject);
}

/// A run lasts from given inputs to results that can be read.
Bench::Round Bench::repeat(int64_t count) {
  Round round;
  const std::vector<Port> &ports = session->signature().outputs;
  const bool hasLoss = session->findOutput(Role::Loss, "") >= 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto start = Clock::now();
    session->run(inputs);
    for (size_t j = 0; j < ports.size(); ++j)
      if (ports[j].role == Role::Output)
        session->output(j);
    if (hasLoss)
      round.losses.push_back(session->loss());
    round.seconds.push_back(secondsSince(start));
    ++inputs.step;
  }
  return round;
}

/// Returns the runs that a line of stdin asks for: its number, or those of
/// --repeat if it is empty.
static int64_t readRuns(const std::string &line, int64_t repeat) {
  if (line.empty())
    return repeat;
  if (const std::string error = checkCount(line); !error.empty())
    failBadInput("stdin: " + error);
  return std::stoll(line);
}

/// Runs a round for each line of stdin.
void Bench::takeTurns() {
  int64_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const Round round = repeat(readRuns(line, options.repeat));
    OrderedJson row = {{"event", "round"}, {"round", ++number}};
    row.update(summarize(round.seconds).toJson());
    row["seconds"] = round.seconds;
    row["losses"] = round.losses;
    printRecord(row);
    measured.insert(measured.end(), round.seconds.begin(), round.seconds.end());
  }
}

OrderedJson Bench::describeMemory() const {
  return {{"arena_bytes", memory.arena},
          {"constant_bytes", memory.constants},
          {"prepared_bytes", memory.prepared},
          {"program_bytes", memory.total()},
          {"peak_resident_bytes", readProcessMemory().peak}};
}

void Bench::print(const BenchTimes &times) const {
  printLine("model      " + subject.describe());
  printLine("program    " + subject.programDigest);
  printLine("runs       " + counted(int64_t(measured.size()), "run") +
            ", after " + std::to_string(options.warmup) +
            " to warm up; loaded "
            "in " +
            describeSeconds(loadSeconds));
  printLine("time       minimum " + describeTime(times.minimum) + ", median " +
            describeTime(times.median) + ", 99th percentile " +
            describeTime(times.p99));
  if (subject.batchSize)
    printLine("speed      " +
              describeRate(double(subject.batchSize) / times.median) +
              " samples/s");
  printLine("memory     arena " + describeBytes(memory.arena) + ", constants " +
            describeBytes(memory.constants) + ", prepared " +
            describeBytes(memory.prepared) + ", peak " +
            describeBytes(readProcessMemory().peak));
  if (baseline)
    printLine("baseline   " + baseline->describe(times));
}

void Bench::report(const BenchTimes &times) const {
  if (!options.json && !options.wait) {
    if (!options.quiet)
      print(times);
    return;
  }
  OrderedJson row = {{"event", "bench"}};
  row.update(subject.toJson());
  row["warmup"] = options.warmup;
  row["runs"] = measured.size();
  row.update(times.toJson());
  if (subject.batchSize)
    row["samples_per_second"] = double(subject.batchSize) / times.median;
  row["load_seconds"] = loadSeconds;
  row.update(describeMemory());
  if (baseline)
    row["baseline"] = baseline->toJson(times, options.tolerance / 100);
  printRecord(row);
}

ExitCode Bench::run() {
  load();
  progress.show("running");
  const Round warmup = repeat(options.warmup);
  model.profile().clear();
  if (options.wait) {
    OrderedJson row = {{"event", "ready"}};
    row.update(subject.toJson());
    row["load_seconds"] = loadSeconds;
    row["losses"] = warmup.losses;
    printRecord(row);
    takeTurns();
    if (measured.empty())
      return ExitCode::Ok; // no line came
  } else {
    measured = repeat(options.repeat).seconds;
  }
  progress.clear();
  const BenchTimes times = summarize(measured);
  report(times);
  reportProfile(options, model);
  if (!baseline)
    return ExitCode::Ok;
  if (baseline->isOfOtherProgram() && !options.quiet)
    printNote("the baseline's program has another digest");
  return baseline->slowdown(times) > 1 + options.tolerance / 100
             ? ExitCode::Mismatch
             : ExitCode::Ok;
}

ExitCode runBench(const Options &options) { return Bench(options).run(); }

} // namespace gensyn::run
