// See MakeReport.h.

#include "gensyn/Runtime/Report/MakeReport.h"

#include "Sections.h"

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/RandomInputs.h"
#include "gensyn/Runtime/Report/ReportPage.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <algorithm>
#include <memory>

namespace gensyn::runtime {

using nlohmann::json;

namespace {

/// A program that may not compile; the page then says why.
struct Compiled {
  std::string name;
  std::shared_ptr<const plan::Executable> executable;
  std::string problem;
};

} // namespace

static std::string nameProgram(uint64_t budget) {
  return budget ? "with a memory budget of " + groupDigits(int64_t(budget)) +
                      " bytes for the arena"
                : "without a memory budget";
}

/// Compiles the program of the page for the sizes that `info` assumes.
static Compiled compile(const ModelOptions &options, const Model &model,
                        const json &info, uint64_t budget) {
  Compiled made;
  made.name = nameProgram(budget);
  ModelOptions own = options;
  own.memoryBudget = budget;
  const json assumed = info.value("assumed_dims", json::object());
  for (const auto &[name, size] : assumed.items())
    own.dims.try_emplace(name, size.get<int64_t>());
  try {
    const ProgramKind kind = model.recipeText().empty()
                                 ? ProgramKind::Infer
                                 : kindOf(model.recipe());
    made.executable = openCompiler(own)->compile(makeCompileRequest(
        own, kind, model.recipeText(), options.kernelTarget, /*batchSize=*/0));
  } catch (const Failure &failure) {
    if (failure.code == ExitCode::Usage || failure.code == ExitCode::Bug)
      throw;
    made.problem = failure.what();
  }
  return made;
}

/// Runs the program on this processor with random inputs, for the sizes that
/// `info` assumes, or those of a compiled model.
static MeasuredRuns
measure(const ModelOptions &options, const json &info, ProgramRequest request,
        std::shared_ptr<const plan::Executable> &executable) {
  constexpr int warmup = 2, repeat = 5;
  ModelOptions own = options;
  const json assumed = info.value("assumed_dims", json::object());
  if (!isPackage(options.model))
    for (const auto &[name, size] : assumed.items())
      own.dims.try_emplace(name, size.get<int64_t>());
  Model model(own);
  const bool hasRecipe = !model.recipeText().empty();
  executable = model.executable(request);
  ParameterStore store;
  Session session(model.program(request), store);
  StepInputs inputs;
  inputs.tensors = makeRandomInputs(session.signature(),
                                    hasRecipe ? model.recipe().loss.target : "",
                                    hasRecipe ? model.classes() : 0);
  if (hasRecipe)
    inputs.seed = model.recipe().seed;
  for (int i = 0; i < warmup + repeat; ++i, ++inputs.step) {
    if (i == warmup) {
      model.profile().clear();
      model.profile().keepSpans();
    }
    session.run(inputs);
  }
  return {executable.get(), model.profile(),
          options.threads ? options.threads : availableProcessors()};
}

/// Describes the model with the kernels of the program with the memory budget,
/// or of that without if the budget is too small. `budgetOfGraph` is the one
/// that it has.
static json describe(const Model &model, const ModelOptions &options,
                     uint64_t &budgetOfGraph) {
  budgetOfGraph = options.memoryBudget;
  try {
    return json::parse(model.info());
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::OutOfResources || !options.memoryBudget)
      throw;
  }
  budgetOfGraph = 0;
  ModelOptions own = options;
  own.memoryBudget = 0;
  return json::parse(Model(own).info());
}

/// The target of a package whose programs the page shows: the one that is
/// asked for, or of those for this processor the best, else the first.
static std::string chooseTarget(const ModelOptions &options,
                                const Package &package) {
  const std::vector<std::string> targets = package.targets();
  auto has = [&](const std::string &target) {
    return std::find(targets.begin(), targets.end(), target) != targets.end();
  };
  if (has(options.kernelTarget) || targets.empty())
    return options.kernelTarget;
  if (options.kernelTarget != compilerTarget("cpu"))
    failUnsupported(options.model.string() + ": has no program for " +
                        options.kernelTarget,
                    "it has " + package.describePrograms());
  std::vector<std::string> wanted;
  for (const std::string &name : nativeInstructionSets())
    wanted.push_back("cpu:" + name);
  const std::string best = package.chooseTarget(wanted);
  return has(best) ? best : targets.front();
}

/// Fills the content of a page from a compiled model: the facts about its
/// model, and the kernels of one of its programs, whose request it returns.
static ProgramRequest describePackage(const ModelOptions &options,
                                      ReportContent &content,
                                      std::vector<Compiled> &programs) {
  const Model model(options); // refuses options that are for models
  const Package package(options.model);
  content.info = json::parse(package.message().info_json());
  content.target = chooseTarget(options, package);
  content.compiled = package.describePrograms();
  ProgramRequest chosen{ProgramKind::Infer};
  for (ProgramKind kind : {ProgramKind::Train, ProgramKind::Grad,
                           ProgramKind::Infer, ProgramKind::Eval})
    for (const plan::PackedProgram &program : package.message().programs()) {
      const plan::Executable &executable = program.executable();
      if (program.target() != content.target || executable.kind() != name(kind))
        continue;
      if (programs.empty())
        chosen = {kind, program.batch_size()};
      programs.push_back(
          {executable.kind() +
               (program.batch_size()
                    ? ", batch " + groupDigits(program.batch_size())
                    : ""),
           package.find(kind, content.target, program.batch_size()), ""});
    }
  if (programs.empty())
    failUnsupported(options.model.string() + ": has no program of a page",
                    "it has " + content.compiled);
  const plan::Executable &shown = *programs.front().executable;
  content.graphProgram = programs.size() > 1 ? programs.front().name : "";
  content.info["program_digest"] = shown.program_digest();
  content.info["kernels"] = report::describePlannedKernels(shown.plan());
  if (chosen.kind == ProgramKind::Train || chosen.kind == ProgramKind::Grad)
    content.info.emplace("trained", json::object());
  else
    content.info.erase("trained");
  return chosen;
}

/// Describes and compiles a model. `budgetOfGraph` is the memory budget of the
/// program that the graph shows.
static ProgramRequest
describeModel(const ModelOptions &options,
              const std::function<void(const char *)> &say,
              ReportContent &content, std::vector<Compiled> &programs,
              uint64_t &budgetOfGraph) {
  const Model model(options);
  content.info = describe(model, options, budgetOfGraph);
  if (options.memoryBudget)
    content.graphProgram = nameProgram(budgetOfGraph);
  say("compiling");
  programs.push_back(compile(options, model, content.info, 0));
  if (options.memoryBudget)
    programs.push_back(
        compile(options, model, content.info, options.memoryBudget));
  return {model.recipeText().empty() ? ProgramKind::Infer
                                     : kindOf(model.recipe())};
}

Report makeReport(const ReportRequest &request,
                  const std::function<void(const std::string &)> &progress) {
  const ModelOptions &options = request.model;
  auto say = [&](const char *what) {
    if (progress)
      progress(what);
  };
  const bool isCompiled = isPackage(options.model);
  ReportContent content;
  content.model = options.model.filename().string();
  content.recipe = options.recipe.filename().string();
  content.target = options.kernelTarget;
  content.runs = request.runs;
  std::vector<Compiled> programs;
  std::shared_ptr<const plan::Executable> executable;
  try {
    say("describing");
    ModelOptions shown = options;
    const ProgramRequest program =
        isCompiled ? describePackage(options, content, programs)
                   : describeModel(options, say, content, programs,
                                   shown.memoryBudget);
    for (const Compiled &each : programs)
      content.programs.push_back(
          {each.name, each.executable.get(), each.problem});
    Report report;
    if (options.profile) {
      say("measuring");
      content.measured = measure(shown, content.info, program, executable);
      report.trace = makeTrace(*content.measured);
    }
    report.page = makeReportPage(content);
    return report;
  } catch (const json::exception &) {
    if (isCompiled)
      failBadInput(options.model.string() +
                   ": its description of the model is malformed");
    throw Failure(ExitCode::Bug,
                  "the compiler's description of the model is not the "
                  "JSON that it promises");
  }
}

} // namespace gensyn::runtime
