// The passes in their order, and their machine.

#include "gensyn/Codegen/Mapping/Compile.h"

#include "Search/TileSearch.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::mapping {

template <class Options> static Options withMachine(StringRef machine) {
  Options options;
  options.machine = machine.str();
  return options;
}

/// The same of a pass that chooses tiles.
template <class Options>
static Options withTiles(StringRef machine, const MappingChoices &choices) {
  auto options = withMachine<Options>(machine);
  options.fitsTwice = choices.fitsTwice;
  options.choosesTiles = choices.choosesTiles;
  options.tileMemory = choices.tileMemory;
  return options;
}

void addMappingPasses(OpPassManager &passes, StringRef machine,
                      const MappingChoices &choices) {
  if (choices.cutsSums) {
    auto options = withMachine<TaskSplitSumsPassOptions>(machine);
    options.tileMemory = choices.tileMemory;
    passes.addNestedPass<func::FuncOp>(createTaskSplitSumsPass(options));
  }
  passes.addNestedPass<func::FuncOp>(
      createTaskSplitPass(withTiles<TaskSplitPassOptions>(machine, choices)));
  passes.addNestedPass<func::FuncOp>(
      createTaskTilePass(withTiles<TaskTilePassOptions>(machine, choices)));
  passes.addPass(createTaskRepeatPass());
  auto assignment = withMachine<TaskAssignPassOptions>(machine);
  assignment.tileMemory = choices.tileMemory;
  assignment.all = choices.weights == WeightPlace::Cores;
  passes.addNestedPass<func::FuncOp>(createTaskAssignPass(assignment));
  passes.addPass(
      createTaskSchedulePass(withMachine<TaskSchedulePassOptions>(machine)));
  if (choices.weights != WeightPlace::Shared) {
    auto options = withMachine<TaskKeepWeightsPassOptions>(machine);
    options.tileMemory = choices.tileMemory;
    options.all = choices.weights == WeightPlace::Cores;
    passes.addPass(createTaskKeepWeightsPass(options));
  }
  if (choices.multicasts)
    passes.addPass(createTaskMulticastPass(
        withMachine<TaskMulticastPassOptions>(machine)));
  passes.addPass(createTaskPlanPass(withMachine<TaskPlanPassOptions>(machine)));
  if (choices.prefetches)
    passes.addPass(
        createTaskPrefetchPass(withMachine<TaskPrefetchPassOptions>(machine)));
  passes.addPass(
      createTaskPlacePass(withMachine<TaskPlacePassOptions>(machine)));
  passes.addPass(
      createTaskRoutePass(withMachine<TaskRoutePassOptions>(machine)));
  passes.addPass(
      createTaskCompactPass(withMachine<TaskCompactPassOptions>(machine)));
  if (choices.prefetches && choices.fetchesAhead)
    passes.addPass(createTaskFetchAheadPass());
  passes.addPass(createTaskReduceWaitsPass());
}

LogicalResult mapProgram(ModuleOp module, StringRef machine,
                         const machine::Description &description,
                         MappingChoices choices,
                         function_ref<void(PassManager &)> setUp) {
  MLIRContext &context = *module.getContext();
  const SmallVector<unsigned> tileMemories = listTileMemories(
      module.lookupSymbol<func::FuncOp>("main"), description, choices.weights);
  std::vector<Diagnostic> shown; // of the first attempt, or of one that worked
  for (auto [number, tileMemory] : llvm::enumerate(tileMemories)) {
    OwningOpRef<ModuleOp> copy;
    if (number + 1 < tileMemories.size())
      copy = module.clone();
    choices.tileMemory = tileMemory;
    PassManager pipeline(&context);
    setUp(pipeline);
    addMappingPasses(pipeline, machine, choices);
    std::vector<Diagnostic> emitted;
    LogicalResult result = failure();
    {
      ScopedDiagnosticHandler handler(&context, [&](Diagnostic &own) {
        emitted.push_back(std::move(own));
      });
      result = pipeline.run(module);
    }
    if (succeeded(result) || number == 0)
      shown = std::move(emitted);
    if (succeeded(result) || !copy) {
      for (Diagnostic &own : shown)
        context.getDiagEngine().emit(std::move(own));
      return result;
    }
    module->setAttrs(copy.get()->getAttrDictionary());
    module.getBodyRegion().takeBody(copy->getBodyRegion());
  }
  return failure();
}

SmallVector<uint32_t> findCores(repro::KernelOp kernel,
                                const machine::Description &machine) {
  const PieceCosts all(kernel, machine);
  SmallVector<int64_t> whole;
  for (const repro::IndexRange &range : repro::getWholePiece(kernel))
    whole.push_back(std::max<int64_t>(range.size, 1));
  SmallVector<uint32_t> cores;
  for (uint32_t kind : all.getKinds()) {
    PieceCosts own(kernel, machine, kind);
    if (TileSearch(kernel, machine, own, whole, 1,
                   {/*fitsTwice=*/false, /*choosesTiles=*/false})
            .run())
      llvm::append_range(cores, own.getCores());
  }
  if (cores.empty())
    llvm::append_range(cores, all.getCores());
  llvm::sort(cores);
  return cores;
}

FailureOr<machine::Description> loadMachine(StringRef word,
                                            mlir::Location location) {
  try {
    if (word.empty())
      return emitError(location, "no machine was given: the option 'machine' "
                                 "is the name of one or a file");
    // A byte order mark and blanks may come before a file's text.
    StringRef text = word;
    text.consume_front("\xEF\xBB\xBF");
    return text.ltrim().starts_with("{")
               ? machine::parseDescription(word, "the machine file")
               : machine::findMachine(word.str());
  } catch (const Failure &failure) {
    return emitError(location, failure.what());
  }
}

} // namespace gensyn::mapping
