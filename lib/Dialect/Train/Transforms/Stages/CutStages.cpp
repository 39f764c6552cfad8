// Cuts the microbatch of a divided step into stages; see Stages.h.

#include "ChooseCuts.h"
#include "EvenStages.h"
#include "Segments.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/IR/Remarks.h"

#include <limits>

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINCUTSTAGESPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

static void remarkOn(func::FuncOp microbatch,
                     const std::vector<StageFacts> &stages) {
  int64_t all = 0;
  for (const StageFacts &stage : stages)
    all = saturatingAdd(all, stage.operations);
  for (auto [number, stage] : llvm::enumerate(stages)) {
    const double share = all == 0
                             ? 0.0
                             : 100.0 * static_cast<double>(stage.operations) /
                                   static_cast<double>(all);
    remark::analysis(microbatch.getLoc(), remark::RemarkOpts::name("CutStages")
                                              .category("stages")
                                              .function(microbatch.getName()))
        << remark::metric("Stage", static_cast<int64_t>(number))
        << remark::metric("Ops", stage.ops)
        << remark::metric("Operations", stage.operations)
        << remark::metric("Percent", llvm::formatv("{0:F1}", share).str())
        << remark::metric("ParameterBytes", stage.parameterBytes)
        << remark::metric("ReceivedBytes", stage.receivedBytes)
        << remark::metric("KeptBytes", stage.keptBytes);
  }
}

/// Numbers of a pass's options may be too large for chunks().
static int64_t countChunks(PipelineStages pipeline) {
  return saturatingMultiply(pipeline.stages, pipeline.interleave);
}

/// "3 stages", or "6 chunks, 2 for each of 3 stages".
static std::string describe(PipelineStages pipeline) {
  std::string text = llvm::formatv("{0} stages", pipeline.stages);
  if (pipeline.interleave > 1)
    text = llvm::formatv("{0} chunks, {1} for each of {2}",
                         countChunks(pipeline), pipeline.interleave, text);
  return text;
}

LogicalResult train::cutStages(ModuleOp module, PipelineStages pipeline,
                               int64_t slack, int64_t mostParameterBytes) {
  auto microbatch = module.lookupSymbol<func::FuncOp>(kMicrobatchPart);
  auto update = module.lookupSymbol<func::FuncOp>(kUpdatePart);
  if (!microbatch || !update || !isPart(microbatch) || !isPart(update))
    return emitError(module.getLoc(), "there is no divided step");
  if (pipeline.stages < 1 || pipeline.interleave < 1 || slack < 0)
    return emitError(module.getLoc(), "a step in ")
           << pipeline.stages << " stages of " << pipeline.interleave
           << " chunks and a slack of " << slack
           << " %, expected at least 1, 1 and 0";
  StepFold fold;
  if (failed(fold.build(microbatch, update)))
    return failure();
  if (countChunks(pipeline) > fold.length())
    return emitError(microbatch.getLoc(), "the step cannot be cut into ")
           << describe(pipeline) << ": at most " << fold.length()
           << ", one for each forward op";
  const int64_t most = mostParameterBytes > 0
                           ? mostParameterBytes
                           : std::numeric_limits<int64_t>::max();
  const std::vector<unsigned> earliest = fold.earliestStarts(most);
  auto cuts = chooseCuts(fold.getCosts(), fold.getCrossing(), earliest,
                         static_cast<unsigned>(pipeline.chunks()), slack);
  if (!cuts)
    return emitError(microbatch.getLoc(), "the step cannot be cut into ")
           << describe(pipeline) << " that have at most " << most
           << " bytes of parameters each";
  if (pipeline.interleave > 1)
    evenStages(fold.getCosts(), fold.getCrossing(), earliest,
               static_cast<unsigned>(pipeline.stages), *cuts);
  const auto facts = buildSegments(microbatch, fold, *cuts, pipeline);
  if (failed(verifySegments(microbatch)))
    return failure();
  remarkOn(microbatch, facts);
  microbatch.erase();
  return success();
}

namespace {
struct CutStages final : train::impl::TrainCutStagesPassBase<CutStages> {
  using TrainCutStagesPassBase::TrainCutStagesPassBase;
  void runOnOperation() override {
    if (failed(cutStages(getOperation(), {stages, interleave}, slack,
                         mostParameterBytes)))
      signalPassFailure();
  }
};
} // namespace
