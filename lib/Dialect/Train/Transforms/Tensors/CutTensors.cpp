// Divides segments over ranks; see Tensors.h.

#include "BuildPhases.h"
#include "ChooseTiles.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINCUTTENSORSPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

static void remarkOn(Location location, const std::vector<PlaceFacts> &places) {
  int64_t all = 0;
  for (const PlaceFacts &place : places)
    all = saturatingAdd(all, place.operations);
  for (const PlaceFacts &place : places) {
    const double share = all == 0
                             ? 0.0
                             : 100.0 * static_cast<double>(place.operations) /
                                   static_cast<double>(all);
    remark::analysis(location, remark::RemarkOpts::name("CutTensors")
                                   .category("tensors")
                                   .function("segments"))
        << remark::metric("Stage", place.stage)
        << remark::metric("Rank", place.rank)
        << remark::metric("Ops", place.ops)
        << remark::metric("Operations", place.operations)
        << remark::metric("Percent", llvm::formatv("{0:F1}", share).str())
        << remark::metric("ParameterBytes", place.parameterBytes)
        << remark::metric("ReceivedBytes", place.receivedBytes)
        << remark::metric("ReceivedValues", place.values)
        << remark::metric("Phases", place.phases);
  }
}

LogicalResult train::cutTensors(ModuleOp module, int64_t ranks,
                                int64_t exchangeBytes, TensorChooser choose) {
  if (ranks < 1 || exchangeBytes < 0)
    return emitError(module.getLoc(), "segments on ")
           << ranks << " ranks and " << exchangeBytes
           << " bytes for an exchange, expected at least 1 and 0";
  TensorProgram program;
  if (failed(program.build(module)))
    return failure();
  const std::vector<TensorCut> cuts =
      choose ? chooseTiles(program, ranks, choose)
             : chooseTiles(program, ranks, exchangeBytes);
  const Location location = program.segments.front().getLoc();
  const Places places(program, cuts, ranks);
  const auto facts = buildPhases(module, places);
  if (failed(facts))
    return failure();
  remarkOn(location, *facts);
  return success();
}

namespace {
struct CutTensors final : train::impl::TrainCutTensorsPassBase<CutTensors> {
  using TrainCutTensorsPassBase::TrainCutTensorsPassBase;
  void runOnOperation() override {
    if (failed(cutTensors(getOperation(), ranks, exchangeBytes)))
      signalPassFailure();
  }
};
} // namespace
