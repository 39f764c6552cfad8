// Divides segments over ranks; see Tensors.h.

#include "BuildPhases.h"
#include "ChooseTiles.h"
#include "ReportTensors.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
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

static int64_t operationsOf(const TensorNode &node) {
  auto cost = dyn_cast_or_null<repro::CostOpInterface>(node.op);
  return cost ? cost.getFlops() : 0;
}

/// Reports the ops that have a hundredth of all operations and that each rank
/// computes whole.
static void remarkOnWholeOps(const TensorProgram &program,
                             ArrayRef<TensorCut> cuts) {
  int64_t all = 0;
  for (const TensorNode &node : program.nodes)
    all = saturatingAdd(all, operationsOf(node));
  for (auto [node, cut] : llvm::zip_equal(program.nodes, cuts)) {
    const int64_t operations = operationsOf(node);
    if (operations == 0 || operations < all / 100 || !cut.isWhole())
      continue;
    remark::analysis(
        node.op->getLoc(),
        remark::RemarkOpts::name("WholeOp").category("tensors").function(
            "segments"))
        << remark::metric("Stage", node.stage)
        << remark::metric("Op", node.op->getName().getStringRef())
        << remark::metric("Operations", operations)
        << remark::metric("MostIndices", mostIndices(node.op));
  }
}

LogicalResult train::cutTensors(ModuleOp module, int64_t ranks,
                                int64_t exchangeBytes, TensorChooser choose,
                                TensorReport *report) {
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
  if (ranks > 1)
    remarkOnWholeOps(program, cuts);
  if (report)
    reportTensors(program, cuts, ranks, *report);
  const Location location = program.segments.front().getLoc();
  const Places places(program, cuts, ranks);
  const auto facts = buildPhases(module, places);
  if (failed(facts))
    return failure();
  remarkOn(location, *facts);
  if (report)
    report->places = *facts;
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
