// info --memory and --launches: compiles programs, and prints the memory of
// each with a breakdown, and which of its launches may run side by side.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/LaunchGraph.h"
#include "gensyn/Executable/Packages/MemoryStats.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Program.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>

namespace gensyn::run {

using namespace runtime;

/// The number of tensors of the largest live set that are listed.
static constexpr size_t kMostTensors = 12;

static std::string bytes(uint64_t number) {
  return counted(static_cast<int64_t>(number), "byte");
}

/// "0.00 %": the excess of a number over another.
static std::string describeMore(uint64_t number, uint64_t base) {
  const double excess = base ? double(number) / double(base) - 1 : 0;
  return fixedText(100 * excess, 2) + " %";
}

/// The arena's excess over its lower bound.
static std::string describeExcess(const MemoryStats &figures) {
  return describeMore(figures.arena, figures.lowerBound);
}

static void printFigures(const MemoryStats &figures) {
  printLine("  parameters  " + bytes(figures.parameters));
  printLine("  state       " + bytes(figures.state));
  printLine("  inputs      " + bytes(figures.inputs));
  printLine("  outputs     " + bytes(figures.ownOutputs) +
            (figures.outputsInPlace
                 ? "; " + counted(int64_t(figures.outputsInPlace), "other") +
                       " written over what they replace, " +
                       bytes(figures.outputs - figures.ownOutputs)
                 : ""));
  printLine("  constants   " + bytes(figures.constants));
  if (figures.prepared)
    printLine("  prepared    " + bytes(figures.prepared) +
              ", computed once per set of parameters");
  printLine("  arena       " + bytes(figures.arena) + ", " +
            describeExcess(figures) + " above the largest live set of " +
            bytes(figures.lowerBound));
  printLine("              without reuse " + bytes(figures.withoutReuse) +
            (figures.resultsInPlace
                 ? "; " + counted(int64_t(figures.resultsInPlace), "result") +
                       " written over an operand"
                 : ""));
  if (figures.arenaBefore)
    printLine("  computed again in " +
              counted(int64_t(figures.moreKernels), "kernel") + ", " +
              describeMore(figures.flops, figures.flopsBefore) +
              " more operations; the arena without it " +
              bytes(figures.arenaBefore));
  printLine("  together    " + bytes(figures.total()));
  if (figures.largest.empty())
    return;
  printLine("  largest live set, while " + quote(figures.operation) + " runs:");
  for (size_t i = 0; i < std::min(kMostTensors, figures.largest.size()); ++i)
    printLine("    " + bytes(figures.largest[i].bytes) + " of " +
              quote(figures.largest[i].operation));
  if (figures.largest.size() > kMostTensors)
    printLine(
        "    and " +
        counted(int64_t(figures.largest.size() - kMostTensors), "smaller one"));
}

static OrderedJson toJson(const plan::PackedProgram &program,
                          const MemoryStats &figures) {
  OrderedJson largest = OrderedJson::array();
  for (const LiveBlock &block : figures.largest)
    largest.push_back({{"bytes", block.bytes}, {"operation", block.operation}});
  return {{"event", "memory"},
          {"kind", program.executable().kind()},
          {"batch_size", program.batch_size()},
          {"target", program.target()},
          {"program_digest", program.executable().program_digest()},
          {"parameters", figures.parameters},
          {"state", figures.state},
          {"inputs", figures.inputs},
          {"outputs", figures.outputs},
          {"own_outputs", figures.ownOutputs},
          {"constants", figures.constants},
          {"prepared", figures.prepared},
          {"arena", figures.arena},
          {"lower_bound", figures.lowerBound},
          {"without_reuse", figures.withoutReuse},
          {"results_in_place", figures.resultsInPlace},
          {"outputs_in_place", figures.outputsInPlace},
          {"arena_before", figures.arenaBefore},
          {"more_kernels", figures.moreKernels},
          {"flops_before", figures.flopsBefore},
          {"flops", figures.flops},
          {"total", figures.total()},
          {"operation", figures.operation},
          {"largest", largest}};
}

namespace {
/// How much of a launch graph may run at once.
struct Branches {
  size_t chain = 0, sideBySide = 0;
  LaunchGraph graph;
};
} // namespace

static Branches findBranches(const plan::Plan &plan, Reuse reuse) {
  Branches found;
  found.graph = findLaunchGraph(plan, reuse);
  std::vector<size_t> counts;
  for (uint32_t depth : findDepths(found.graph)) {
    counts.resize(std::max(counts.size(), size_t(depth)));
    found.sideBySide = std::max(found.sideBySide, ++counts[depth - 1]);
  }
  found.chain = counts.size();
  return found;
}

/// "28 of 34 steps, at most 3 side by side"
static std::string describeBranches(const Branches &branches) {
  return std::to_string(branches.chain) + " of " +
         counted(int64_t(branches.graph.size()), "step") + ", at most " +
         std::to_string(branches.sideBySide) + " side by side";
}

static OrderedJson toJson(const plan::PackedProgram &program,
                          const Branches &real, const Branches &free) {
  OrderedJson steps = OrderedJson::array();
  const plan::Plan &plan = program.executable().plan();
  for (size_t i = 0; i < real.graph.size(); ++i) {
    const int launch = real.graph.launches[i];
    OrderedJson step = {{"launch", launch}};
    if (launch >= 0)
      step["kernel"] = plan.launches(launch).kernel();
    step["after"] = real.graph.predecessors[i];
    step["after_without_reuse"] = free.graph.predecessors[i];
    steps.push_back(std::move(step));
  }
  return {{"event", "launches"},
          {"kind", program.executable().kind()},
          {"batch_size", program.batch_size()},
          {"target", program.target()},
          {"program_digest", program.executable().program_digest()},
          {"longest_chain", real.chain},
          {"side_by_side", real.sideBySide},
          {"longest_chain_without_reuse", free.chain},
          {"side_by_side_without_reuse", free.sideBySide},
          {"steps", steps}};
}

static void reportLaunches(const Options &options,
                           const plan::PackedProgram &program) {
  const plan::Plan &plan = program.executable().plan();
  const Branches real = findBranches(plan, Reuse::Counts),
                 free = findBranches(plan, Reuse::Ignored);
  if (options.json)
    return printRecord(toJson(program, real, free));
  printLine("launches of " + describeProgram(program));
  printLine("  longest chain  " + describeBranches(real));
  printLine("  without reuse  " + describeBranches(free));
}

static void report(const Options &options, const plan::PackedProgram &program) {
  readSignature(program.executable());
  if (options.quiet && !options.json)
    return;
  if (options.memory) {
    const MemoryStats figures = measureMemory(program.executable().plan());
    if (options.json) {
      printRecord(toJson(program, figures));
    } else {
      printLine("memory of " + describeProgram(program));
      printFigures(figures);
    }
  }
  if (options.launches)
    reportLaunches(options, program);
}

/// The default samples of a program without --batch-size: those of a step, of
/// all its microbatches.
static int64_t samplesOf(const Recipe &recipe, ProgramKind kind) {
  return kind == ProgramKind::Train ? recipe.stepSamples() : recipe.batchSize;
}

static plan::PackedProgram
compileFor(Compiler &compiler, const Options &options, Model &model,
           ProgramKind kind, const std::string &target, int64_t batchSize) {
  plan::PackedProgram program;
  program.set_target(compilerTarget(target));
  *program.mutable_executable() = *compiler.compile(makeCompileRequest(
      options, kind, model.recipeText(), program.target(), batchSize));
  program.set_batch_size(batchSizeOf(program.executable().plan()));
  return program;
}

void reportPrograms(const Options &options, Model &model) {
  if (const Package *package = model.package()) {
    for (const plan::PackedProgram &program : package->message().programs())
      report(options, program);
    return;
  }
  auto compiler = openCompiler(options);
  Recipe recipe;
  std::vector<ProgramKind> kinds = options.kinds;
  std::vector<std::string> targets = options.targets;
  if (!model.recipeText().empty()) {
    recipe = model.recipe();
    if (kinds.empty())
      kinds = {kindOf(recipe)};
  }
  if (kinds.empty())
    kinds = {ProgramKind::Infer};
  if (targets.empty())
    targets = {"cpu"};
  for (ProgramKind kind : kinds) {
    std::vector<int64_t> batchSizes = options.batchSizes;
    if (batchSizes.empty())
      batchSizes = {samplesOf(recipe, kind)};
    for (int64_t batchSize : batchSizes)
      for (const std::string &target : targets)
        report(options,
               compileFor(*compiler, options, model, kind, target, batchSize));
  }
}

OrderedJson describeStepMemory(const Options &options, Model &model) {
  const Recipe &recipe = model.recipe();
  const ProgramKind kind = kindOf(recipe);
  try {
    auto compiler = openCompiler(options);
    const plan::PackedProgram program =
        compileFor(*compiler, options, model, kind,
                   options.targets.empty() ? "cpu" : options.targets.front(),
                   options.batchSizes.empty() ? samplesOf(recipe, kind)
                                              : options.batchSizes.front());
    readSignature(program.executable());
    OrderedJson row =
        toJson(program, measureMemory(program.executable().plan()));
    row.erase("event");
    row.erase("largest");
    return row;
  } catch (const Failure &failure) {
    return {{"unknown", failure.what()}};
  }
}

} // namespace gensyn::run
