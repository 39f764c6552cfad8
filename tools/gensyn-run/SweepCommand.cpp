// map --sweep: a model on a machine at many values of some of its numbers; and
// the model mapped again without each of the compiler's decisions.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "MappingReport.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/variants.pb.h"
#include "gensyn/Machine/Sweep.h"
#include "gensyn/Runtime/Models/Model.h"

#include <algorithm>

namespace gensyn::run {

/// The text of a recipe, and the kind of program that is mapped.
static std::pair<std::string, ProgramKind> readProgram(const Options &options) {
  std::string text;
  ProgramKind kind = ProgramKind::Infer;
  if (!options.recipe.empty()) {
    text = readRecipeText(options.recipe);
    kind = kindOf(parseRecipe(text, options.recipe.string()));
  }
  if (!options.kinds.empty())
    kind = options.kinds.front();
  if (kind != ProgramKind::Infer && text.empty())
    throw Failure(ExitCode::Usage,
                  "--kind " + std::string(name(kind)) + " needs --recipe");
  return {text, kind};
}

static int64_t batchOf(const Options &options, const std::string &recipe,
                       ProgramKind kind) {
  if (!options.batchSizes.empty())
    return options.batchSizes.front();
  if (recipe.empty())
    return 0;
  const Recipe parsed = parseRecipe(recipe, options.recipe.string());
  return kind == ProgramKind::Train ? parsed.stepSamples() : parsed.batchSize;
}

static plan::MapResponse
mapVariants(const Options &options, const std::string &machine,
            const std::function<void(plan::MapRequest &)> &addVariants) {
  const auto [recipe, kind] = readProgram(options);
  plan::MapRequest request;
  *request.mutable_program() = makeCompileRequest(
      options, kind, recipe, std::string(machinePrefix) + machine,
      batchOf(options, recipe, kind));
  addVariants(request);
  plan::MapResponse response = openCompiler(options)->mapVariants(request);
  if (response.variants_size() != request.variants_size())
    throw Failure(ExitCode::Bug,
                  "the compiler mapped " +
                      std::to_string(response.variants_size()) + " of " +
                      std::to_string(request.variants_size()) + " variants");
  return response;
}

static void print(const Options &options, const machine::Sweep &sweep,
                  const machine::Description &machine) {
  if (options.json)
    printRecord(machine::toJson(sweep));
  else if (!options.quiet)
    printLines(machine::printSweep(sweep));
  if (options.report.empty())
    return;
  const std::string text = options.report.extension() == ".json"
                               ? printJson(machine::toJson(sweep)) + "\n"
                               : machine::makeSweepPage(sweep, machine);
  writeText(options.report, text);
  printReportFile(options, text.size());
}

ExitCode runSweep(const Options &options) {
  if (isPackage(options.model))
    failBadInput(options.model.string() + ": is compiled already",
                 "map takes an ONNX file");
  checkReport(options);
  const machine::Description machine = machine::findMachine(options.machine);
  machine::Sweep sweep = machine::parseSweep(options.sweep, machine);
  sweep.model = options.model.filename().string();
  ProgressBar progress(!options.quiet);
  progress.show("mapping " + counted(int64_t(sweep.points.size()), "point"));
  const plan::MapResponse response =
      mapVariants(options, options.machine, [&](plan::MapRequest &request) {
        for (const machine::SweepPoint &point : sweep.points)
          request.add_variants()->set_machine(point.machine);
      });
  progress.clear();
  const plan::Error *first = nullptr;
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const plan::MappedVariant &mapped = response.variants(static_cast<int>(i));
    machine::SweepPoint &point = sweep.points[i];
    point.problem = mapped.error().message();
    first = first || point.problem.empty() ? first : &mapped.error();
    point.digest = mapped.digest();
    point.time = mapped.picoseconds();
    point.energy = mapped.femtojoules();
    point.bytes = mapped.bytes();
  }
  if (first && std::none_of(sweep.points.begin(), sweep.points.end(),
                            [](const machine::SweepPoint &point) {
                              return point.problem.empty();
                            }))
    throw Failure(ExitCode(first->exit_code()), first->message(),
                  first->note());
  machine::markFront(sweep);
  print(options, sweep, machine);
  return ExitCode::Ok;
}

std::vector<machine::Decision>
compareDecisions(const Options &options, const machine::Description &machine) {
  std::vector<machine::Decision> decisions = {
      {"", "", "", 0, 0, 0},
      {"fusion",
       "elementwise ops are computed with the sums and ops that they follow",
       "", 0, 0, 0},
      {"cuts of sums",
       "sums are cut into partial sums where their order allows it", "", 0, 0,
       0},
      {"choice of tiles",
       "tiles and their order are those that take the least time", "", 0, 0, 0},
      {"double buffering",
       "a core computes a tile while it copies the next one", "", 0, 0, 0},
      {"prefetch", "copies that wait for nothing pass those that do", "", 0, 0,
       0}};
  if (machine.network.hasMulticast)
    decisions.push_back({"multicasts",
                         "what cores of a chip fetch in common is copied once",
                         "", 0, 0, 0});
  const plan::MapResponse response =
      mapVariants(options, options.machine, [&](plan::MapRequest &request) {
        for (const machine::Decision &decision : decisions) {
          plan::MapVariant &variant = *request.add_variants();
          variant.set_machine(machine.text);
          if (!decision.name.empty())
            variant.add_without(decision.name);
        }
      });
  for (size_t i = 0; i < decisions.size(); ++i) {
    const plan::MappedVariant &mapped = response.variants(static_cast<int>(i));
    machine::Decision &decision = decisions[i];
    decision.problem = mapped.error().message();
    decision.time = mapped.picoseconds();
    decision.energy = mapped.femtojoules();
    decision.bytes = mapped.bytes();
  }
  return decisions;
}

} // namespace gensyn::run
