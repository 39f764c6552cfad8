// See MakeReport.h.

#include "gensyn/Runtime/Report/MakeReport.h"

#include "Sections.h"

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/RandomInputs.h"
#include "gensyn/Runtime/Report/ReportPage.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

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

/// Compiles the program of the page for the sizes that `info` assumes.
static Compiled compile(const ModelOptions &options, const Model &model,
                        const json &info, uint64_t budget) {
  Compiled made;
  made.name = budget ? "with a memory budget of " +
                           groupDigits(int64_t(budget)) + " bytes for the arena"
                     : "without a memory budget";
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
/// `info` assumes.
static MeasuredRuns
measure(const ModelOptions &options, const json &info,
        std::shared_ptr<const plan::Executable> &executable) {
  constexpr int warmup = 2, repeat = 5;
  ModelOptions own = options;
  const json assumed = info.value("assumed_dims", json::object());
  for (const auto &[name, size] : assumed.items())
    own.dims.try_emplace(name, size.get<int64_t>());
  Model model(own);
  const bool hasRecipe = !model.recipeText().empty();
  const ProgramKind kind =
      hasRecipe ? kindOf(model.recipe()) : ProgramKind::Infer;
  ProgramRequest request{kind};
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

Report makeReport(const ReportRequest &request,
                  const std::function<void(const std::string &)> &progress) {
  const ModelOptions &options = request.model;
  if (isPackage(options.model))
    throw Failure(ExitCode::Usage,
                  options.model.string() +
                      ": report is for ONNX files, not for compiled models");
  auto say = [&](const char *what) {
    if (progress)
      progress(what);
  };
  const Model model(options);
  say("describing");
  ReportContent content;
  content.model = options.model.filename().string();
  content.recipe = options.recipe.filename().string();
  content.target = options.kernelTarget;
  content.runs = request.runs;
  std::vector<Compiled> programs;
  std::shared_ptr<const plan::Executable> executable;
  try {
    content.info = json::parse(model.info());
    say("compiling");
    programs.push_back(compile(options, model, content.info, 0));
    if (options.memoryBudget)
      programs.push_back(
          compile(options, model, content.info, options.memoryBudget));
    for (const Compiled &program : programs)
      content.programs.push_back(
          {program.name, program.executable.get(), program.problem});
    Report report;
    if (options.profile) {
      say("measuring");
      content.measured = measure(options, content.info, executable);
      report.trace = makeTrace(*content.measured);
    }
    report.page = makeReportPage(content);
    return report;
  } catch (const json::exception &) {
    throw Failure(ExitCode::Bug,
                  "the compiler's description of the model is not the "
                  "JSON that it promises");
  }
}

} // namespace gensyn::runtime
