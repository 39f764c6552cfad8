// See StepParts.h.

#include "StepParts.h"

#include "Executable.h"
#include "Report.h"
#include "StepPhases.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn {

static plan::Executable *placeOf(StringRef part, plan::SplitStep &step) {
  if (part == train::kMicrobatchPart)
    return step.mutable_microbatch();
  if (part == train::kCarryPart)
    return step.mutable_carry();
  if (part == train::kUpdatePart)
    return step.mutable_update();
  if (part.starts_with(train::kUpdatePart))
    return step.add_stages();
  return step.add_additions();
}

static plan::Executable *placeOf(func::FuncOp part, const SumShapes &shapes,
                                 plan::SplitStep &step) {
  if (!part.getName().starts_with(train::kSegmentPart))
    return placeOf(part.getName(), step);
  plan::Phase &phase = *step.add_phases();
  describePhase(part, shapes, phase);
  return phase.mutable_program();
}

/// Leaves the parts that are requested, and divides the update if that is.
static void chooseParts(ModuleOp module, const plan::CompileRequest &request,
                        plan::SplitStep &step) {
  const bool isOfUpdate = request.has_update_share();
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (const bool isUpdate = function.getName() == train::kUpdatePart;
        isUpdate ? request.without_update() : isOfUpdate)
      function.erase();
  if (!isOfUpdate)
    return;
  const plan::UpdateShare &share = request.update_share();
  train::shardUpdate(module, share.rank(), share.ranks());
  for (NamedAttribute named :
       module->getAttrOfType<DictionaryAttr>(train::kCutsAttr)) {
    plan::Cut &cut = *step.add_cuts();
    cut.set_name(named.getName().str());
    for (auto [i, number] : llvm::enumerate(
             cast<DenseI64ArrayAttr>(named.getValue()).asArrayRef()))
      i % 2 ? cut.add_counts(number) : cut.add_begins(number);
  }
  module->removeAttr(train::kCutsAttr);
}

bool buildStepParts(ModuleOp module, int64_t microbatches,
                    const plan::CompileRequest &request, const Recipe &recipe,
                    plan::CompileResponse &response, plan::Error &error) {
  if (!describeExecutable(module, request, *response.mutable_executable(),
                          error))
    return false;
  {
    Report report(module.getContext(), request.recipe_name());
    if (failed(train::splitStep(module, microbatches)) ||
        (!request.has_update_share() &&
         failed(cutMicrobatch(module, readPipeline(request),
                              request.tensor_ranks())))) {
      report.fill(request.model_path(), ExitCode::Unsupported, error);
      return false;
    }
  }
  plan::SplitStep &step = *response.mutable_step();
  step.set_microbatches(microbatches);
  const SumShapes shapes = findSums(module);
  chooseParts(module, request, step);
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    const std::string name = function.getName().str();
    OwningOpRef<ModuleOp> part = train::takePart(module, name);
    // A rank may have nothing to compute in a stage.
    const bool isEmpty = function.getNumResults() == 0;
    plan::Executable &place = *placeOf(function, shapes, step);
    function.erase();
    if (!(isEmpty ? describeExecutable(*part, request, place, error)
                  : buildExecutable(*part, request, recipe, place, error)))
      return false;
  }
  return true;
}

} // namespace gensyn
