// report: writes a page about a model's program and training runs.

#include "Bench.h"
#include "Commands.h"
#include "OptionChecks.h"
#include "Terminal.h"

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Report/ReportPage.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <memory>

namespace gensyn::run {

using nlohmann::json;

namespace {

/// A program that may not compile; the page then says why.
struct Compiled {
  std::string name;
  std::shared_ptr<const plan::Executable> executable;
  std::string problem;
};

} // namespace

/// Compiles the program of the page for the sizes that `info` assumes.
static Compiled compile(const Options &options, const Model &model,
                        const json &info, uint64_t budget) {
  Compiled made;
  made.name = budget ? "with a memory budget of " + grouped(int64_t(budget)) +
                           " bytes for the arena"
                     : "without a memory budget";
  Options own = options;
  own.memoryBudget = budget;
  const json assumed = info.value("assumed_dims", json::object());
  for (const auto &[name, size] : assumed.items())
    own.dims.try_emplace(name, size.get<int64_t>());
  try {
    const ProgramKind kind = model.recipeText().empty()
                                 ? ProgramKind::Infer
                                 : kindOf(model.recipe());
    made.executable = runtime::openCompiler(own)->compile(
        runtime::makeCompileRequest(own, kind, model.recipeText(),
                                    options.kernelTarget, /*batchSize=*/0));
  } catch (const Failure &failure) {
    if (failure.code == ExitCode::Usage || failure.code == ExitCode::Bug)
      throw;
    made.problem = failure.what();
  }
  return made;
}

/// Runs the program on this processor with random inputs, for the sizes that
/// `info` assumes.
static runtime::MeasuredRuns
measure(const Options &options, const json &info,
        std::shared_ptr<const plan::Executable> &executable) {
  constexpr int warmup = 2, repeat = 5;
  Options own = options;
  const json assumed = info.value("assumed_dims", json::object());
  for (const auto &[name, size] : assumed.items())
    own.dims.try_emplace(name, size.get<int64_t>());
  Model model(own);
  const bool hasRecipe = !model.recipeText().empty();
  const ProgramKind kind =
      hasRecipe ? kindOf(model.recipe()) : ProgramKind::Infer;
  runtime::ProgramRequest request{kind};
  executable = model.executable(request);
  runtime::ParameterStore store;
  runtime::Session session(model.program(request), store);
  runtime::StepInputs inputs;
  inputs.tensors = makeInputs(session.signature(),
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
          options.threads ? options.threads : runtime::availableProcessors()};
}

ExitCode runReport(const Options &options) {
  if (isPackage(options.model))
    throw Failure(ExitCode::Usage,
                  options.model.string() +
                      ": report is for ONNX files, not for compiled models");
  checkOutputs(options);
  requireWritableFile(options.report);
  if (!options.trace.empty())
    requireWritableFile(options.trace);
  const Model model(options);
  ProgressBar progress(!options.quiet);
  progress.show("describing");
  runtime::ReportContent content;
  content.model = options.model.filename().string();
  content.recipe = options.recipe.filename().string();
  content.target = options.kernelTarget;
  content.runs = options.runs;
  std::vector<Compiled> programs;
  std::shared_ptr<const plan::Executable> executable;
  std::string page, trace;
  try {
    content.info = json::parse(model.info());
    progress.show("compiling");
    programs.push_back(compile(options, model, content.info, 0));
    if (options.memoryBudget)
      programs.push_back(
          compile(options, model, content.info, options.memoryBudget));
    for (const Compiled &program : programs)
      content.programs.push_back(
          {program.name, program.executable.get(), program.problem});
    if (options.profile) {
      progress.show("measuring");
      content.measured = measure(options, content.info, executable);
      trace = runtime::makeTrace(*content.measured);
    }
    page = runtime::makeReportPage(content);
  } catch (const json::exception &) {
    throw Failure(ExitCode::Bug,
                  "the compiler's description of the model is not the "
                  "JSON that it promises");
  }
  progress.clear();
  writeText(options.report, page);
  if (!options.trace.empty())
    writeText(options.trace, trace);
  if (options.json)
    printRecord({{"event", "report"},
                 {"output", options.report.string()},
                 {"bytes", page.size()}});
  else if (!options.quiet)
    printLine("wrote    " + options.report.string() + ", " +
              counted(int64_t(page.size()), "byte"));
  return ExitCode::Ok;
}

} // namespace gensyn::run
