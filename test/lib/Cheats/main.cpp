// Lies about a run, and sees whether a dispute finds out: gensyn-cheats RUN
// --data DATA, and --step N: every cheat in a step; --random N --seed S: single
// bits; --largest OP --step N: a bit of the largest result of such an op;
// --serve --cheat NAME --step N: answers so over the network. A line for each;
// exit code 1 if one was not found. --write keeps the last case.

#include "../../../tools/Terminal/Terminal.h"
#include "Cheats.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Dispute/Case.h"
#include "gensyn/Proof/Dispute/RepeatedRun.h"
#include "gensyn/Runtime/Models/Model.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <random>

using namespace gensyn;
using namespace gensyn::cheats;
using namespace gensyn::proof;

const char *const gensyn::terminal::kToolName = "gensyn-cheats";

namespace {

struct Options {
  runtime::ReplaySide run;
  int64_t step = 0, random = 0, steps = 4;
  uint64_t seed = 1;
  std::vector<std::string> names;
  std::string largest;
  int64_t elements = 0;
  std::filesystem::path write;
  bool serve = false;
};

class Trial {
public:
  Trial(RunSource &honest, runtime::Compiler &compiler, const Options &options)
      : honest(honest), compiler(compiler), kept(options.write) {}

  /// The verdicts where the cheat is the second party, the first one, and by
  /// the case alone.
  std::vector<Verdict> run(const Lie &lie, const AlteredParty::Alter &alter);
  uint64_t bytes() const { return mostBytes; }

private:
  Verdict settle(const Lie &lie, const AlteredParty::Alter &alter,
                 bool cheatsFirst);

  RunSource &honest;
  runtime::Compiler &compiler;
  std::filesystem::path kept;
  std::vector<Verdict> decided;
  uint64_t mostBytes = 0;
};

} // namespace

Verdict Trial::settle(const Lie &lie, const AlteredParty::Alter &alter,
                      bool cheatsFirst) {
  AnsweringParty right(honest);
  AlteredParty wrong(honest, lie, alter);
  DisputeOptions options;
  options.compiler = &compiler;
  options.mostBytes = uint64_t(8) << 20;
  const Digest root = honest.commitments().points.back().root;
  options.firstRoot = cheatsFirst ? wrong.root() : root;
  options.secondRoot = cheatsFirst ? root : wrong.root();
  DisputeCase dispute;
  Party &first = cheatsFirst ? static_cast<Party &>(wrong) : right;
  Party &second = cheatsFirst ? static_cast<Party &>(right) : wrong;
  const Verdict verdict = dispute.settle(first, second, options);
  mostBytes = std::max(mostBytes, dispute.bytes());
  if (!kept.empty())
    gensyn::writeText(kept, dispute.serialize());
  options.firstRoot.reset();
  options.secondRoot.reset();
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("gensyn-cheat-" + std::to_string(getpid()));
  gensyn::writeText(file, dispute.serialize());
  decided.push_back(
      DisputeCase::read(file, 2 * options.mostBytes).decide(options));
  std::filesystem::remove(file);
  return verdict;
}

std::vector<Verdict> Trial::run(const Lie &lie,
                                const AlteredParty::Alter &alter) {
  decided.clear();
  std::vector<Verdict> verdicts = {settle(lie, alter, false),
                                   settle(lie, alter, true)};
  verdicts.insert(verdicts.end(), decided.begin(), decided.end());
  return verdicts;
}

/// Whether it is the cheat alone who is wrong in all of them.
static bool isFound(const std::vector<Verdict> &verdicts) {
  return verdicts[0].kind == Verdict::Kind::Second &&
         verdicts[1].kind == Verdict::Kind::First &&
         verdicts[2].kind == Verdict::Kind::Second &&
         verdicts[3].kind == Verdict::Kind::First;
}

static int runNamed(const Options &options, RunSource &honest, Trial &trial) {
  std::vector<Cheat> cheats;
  addLies(cheats);
  addNestedLies(cheats);
  addAnswers(cheats);
  const Setting setting(honest, options.step);
  int missed = 0, found = 0;
  for (const Cheat &cheat : cheats) {
    if (!options.names.empty() &&
        !std::ranges::count(options.names, cheat.name))
      continue;
    const std::optional<Lie> lie = cheat.lie(setting);
    if (!lie) {
      std::printf("%s: the program has nothing of this\n", cheat.name.c_str());
      continue;
    }
    const std::vector<Verdict> verdicts = trial.run(*lie, cheat.alter);
    bool isAll = isFound(verdicts);
    for (size_t i = 0; i < verdicts.size(); ++i)
      isAll &= verdicts[i].reason.find(i % 2 && !cheat.foundFirst.empty()
                                           ? cheat.foundFirst
                                           : cheat.found) != std::string::npos;
    (isAll ? found : missed)++;
    std::printf("%s: %s\n", cheat.name.c_str(),
                verdicts[cheat.foundFirst.empty() ? 0 : 1].reason.c_str());
    if (!isAll)
      for (const Verdict &verdict : verdicts)
        std::printf("  MISSED: %s: %s\n", name(verdict.kind),
                    verdict.reason.c_str());
  }
  std::printf("%d found, %d missed, cases of at most %llu bytes\n", found,
              missed, static_cast<unsigned long long>(trial.bytes()));
  return missed > 0 || found == 0;
}

/// One of a program's values, but for its arguments, that has elements.
static uint64_t chooseValue(const std::vector<runtime::WitnessedTensor> &values,
                            uint64_t arguments, std::mt19937_64 &random) {
  for (;;) {
    const uint64_t value = arguments + random() % (values.size() - arguments);
    if (countElements(values[value].shape).value_or(0) > 0)
      return value;
  }
}

/// A bit of an element of an op's result, where there are such ops and half of
/// the time in one of their iterations.
static Lie chooseLie(const Setting &setting, std::mt19937_64 &random,
                     std::vector<runtime::WitnessedTensor> &values,
                     uint64_t &element) {
  values = setting.values;
  uint64_t arguments = setting.arguments();
  std::optional<Setting::Inner> inner;
  if (random() % 2)
    inner = setting.findInner(&random);
  if (inner && inner->program->listEntries({}).entries().empty())
    inner.reset();
  if (inner) {
    values = inner->program->values();
    arguments = inner->program->listEntries({}).entries(0).first_value();
  }
  const uint64_t value = chooseValue(values, arguments, random);
  element = random() % uint64_t(*countElements(values[value].shape));
  Lie lie = setting.flip(
      value, element, int(random() % uint64_t(bitWidth(values[value].type))));
  if (inner)
    lie.path = inner->path;
  return lie;
}

static bool isAt(const Verdict &verdict, const Lie &lie,
                 const runtime::WitnessedTensor &value, uint64_t element) {
  uint64_t at = 0;
  for (size_t d = 0; d < verdict.element.size(); ++d)
    at = at * uint64_t(value.shape[d]) + uint64_t(verdict.element[d]);
  const bool isOnPath = std::ranges::equal(
      verdict.path, lie.path,
      [](const Verdict::Iteration &a, const dispute::Iteration &b) {
        return a.value == b.value() && a.iteration == b.iteration();
      });
  if (!isOnPath || verdict.step != lie.step || verdict.value != lie.value)
    return false;
  // The result of iterations is not looked at element by element.
  return verdict.right.empty()
             ? verdict.reason.find("last iteration") != std::string::npos
             : at == element;
}

/// Lies about random bits of random elements of random ops.
static int runRandom(const Options &options, RunSource &honest, Trial &trial) {
  std::mt19937_64 random(options.seed);
  const int64_t last = honest.commitments().points.back().step;
  int64_t missed = 0, done = 0, nested = 0;
  while (done < options.random) {
    const auto step = int64_t(random() % uint64_t(last)) + 1;
    const Setting setting(honest, step);
    const int64_t here = std::min((options.random - 1) / options.steps + 1,
                                  options.random - done);
    for (int64_t i = 0; i < here; ++i, ++done) {
      std::vector<runtime::WitnessedTensor> values;
      uint64_t element = 0;
      const Lie lie = chooseLie(setting, random, values, element);
      nested += !lie.path.empty();
      const std::vector<Verdict> verdicts = trial.run(lie, nullptr);
      bool isRight = isFound(verdicts);
      for (const Verdict &verdict : verdicts)
        isRight &= isAt(verdict, lie, values[lie.value], element);
      if (isRight)
        continue;
      ++missed;
      std::printf("MISSED: step %lld, in %zu, value %llu, element %llu: %s\n",
                  static_cast<long long>(step), lie.path.size(),
                  static_cast<unsigned long long>(lie.value),
                  static_cast<unsigned long long>(element),
                  verdicts[0].reason.c_str());
    }
  }
  std::printf("%lld of %lld found, %lld in iterations, cases of at most %llu "
              "bytes\n",
              static_cast<long long>(done - missed),
              static_cast<long long>(done), static_cast<long long>(nested),
              static_cast<unsigned long long>(trial.bytes()));
  return missed > 0;
}

static int runLargest(const Options &options, RunSource &honest, Trial &trial) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const Setting setting(honest, options.step);
  std::optional<uint64_t> value;
  int64_t most = 0;
  for (const plan::EntriesResponse::Entry &entry : setting.program.entries()) {
    const uint64_t v = entry.first_value();
    if (nameOf(entry) != options.largest || v >= setting.values.size())
      continue;
    const int64_t elements = countElements(setting.values[v].shape).value_or(0);
    if (options.elements && elements != options.elements)
      continue;
    if (elements > most)
      value = v;
    most = std::max(most, elements);
  }
  if (!value)
    failBadInput("the program has no such op");
  const auto opened = Clock::now();
  const std::vector<Verdict> verdicts =
      trial.run(setting.flip(*value, uint64_t(most) * 2 / 3, 0), nullptr);
  auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  std::printf("%.1f s for the values of the step, %.1f s for two disputes\n",
              seconds(opened - begin), seconds(Clock::now() - opened));
  std::printf("value %llu of %lld elements: %s\n%s, cases of at most %llu "
              "bytes\n",
              static_cast<unsigned long long>(*value),
              static_cast<long long>(most), verdicts[0].reason.c_str(),
              isFound(verdicts) ? "found" : "MISSED",
              static_cast<unsigned long long>(trial.bytes()));
  return !isFound(verdicts);
}

static int run(int argc, char **argv) {
  Options options;
  CLI::App app{"Lies about a run, and sees whether a dispute finds out."};
  app.add_option("run", options.run.run)->required();
  app.add_option("--data", options.run.data.parts)->required();
  app.add_option("--model", options.run.model.model);
  app.add_option("--backend", options.run.model.backend);
  app.add_option("--step", options.step, "The step that is lied about");
  app.add_option("--cheat", options.names, "Of these names alone");
  app.add_option("--random", options.random, "So many bits");
  app.add_option("--steps", options.steps, "In so many steps");
  app.add_option("--seed", options.seed);
  app.add_option("--largest", options.largest, "repro.contract");
  app.add_option("--elements", options.elements, "Of so many elements");
  app.add_option("--write", options.write, "Keep the last case in this file");
  app.add_flag("--serve", options.serve, "Answer as one --cheat about --step");
  CLI11_PARSE(app, argc, argv);
  options.run.model.cache = runtime::defaultCache();
  RepeatedRun honest({options.run, uint64_t(2) << 30, nullptr});
  if (options.serve && options.names.size() == 1)
    return serve(honest, options.step, options.names.front());
  const std::shared_ptr<runtime::Compiler> compiler =
      runtime::openCompiler(options.run.model);
  Trial trial(honest, *compiler, options);
  if (!options.largest.empty())
    return runLargest(options, honest, trial);
  return options.random ? runRandom(options, honest, trial)
                        : runNamed(options, honest, trial);
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (...) {
    const Failure failure = terminal::currentFailure();
    terminal::printError(failure);
    return int(failure.code);
  }
}
