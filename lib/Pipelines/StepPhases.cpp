// See StepPhases.h.

#include "StepPhases.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace gensyn {

SumShapes findSums(ModuleOp module) {
  SumShapes shapes;
  auto update = module.lookupSymbol<func::FuncOp>(train::kUpdatePart);
  for (BlockArgument argument : update.getArguments()) {
    auto name = update.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    program::kNameAttr);
    if (name.getValue().starts_with(train::kSumPrefix))
      shapes[name] = llvm::to_vector(repro::shapeOf(argument));
  }
  return shapes;
}

LogicalResult cutMicrobatch(ModuleOp module, PipelineStages pipeline,
                            int64_t tensors) {
  if (pipeline.stages == 1 && tensors <= 1)
    return success();
  if (failed(train::cutStages(module, pipeline)))
    return failure();
  return success(tensors <= 1 || succeeded(train::cutTensors(module, tensors)));
}

static StringRef nameOf(train::WholeReason reason) {
  switch (reason) {
  case train::WholeReason::NoPieces:
    return "no-pieces";
  case train::WholeReason::FewIndices:
    return "few-indices";
  case train::WholeReason::Price:
    return "price";
  case train::WholeReason::View:
    return "view";
  }
  llvm_unreachable("unknown reason");
}

static llvm::json::Object toJson(const train::PlaceFacts &place) {
  return llvm::json::Object{{"stage", place.stage},
                            {"tensor", place.rank},
                            {"phases", place.phases},
                            {"ops", place.ops},
                            {"operations", place.operations},
                            {"parameter_bytes", place.parameterBytes},
                            {"received_bytes", place.receivedBytes},
                            {"received_values", place.values}};
}

static llvm::json::Object toJson(const train::SumOrder &order) {
  llvm::json::Object object{{"order", order.text}, {"parts", order.parts}};
  if (!order.accuracy.empty())
    object["accuracy"] = order.accuracy;
  return object;
}

static llvm::json::Object toJson(const train::WholeOps &group) {
  llvm::json::Object object{{"operation", group.operation},
                            {"reason", nameOf(group.reason)},
                            {"ops", group.count},
                            {"operations", group.operations}};
  if (group.order.text.empty())
    return object;
  object["points"] = group.points;
  object["sum"] = toJson(group.order);
  if (!group.better.text.empty())
    object["better"] = toJson(group.better);
  return object;
}

FailureOr<llvm::json::Object> describeDivision(ModuleOp module,
                                               int64_t microbatches,
                                               PipelineStages pipeline,
                                               int64_t tensors) {
  train::TensorReport report;
  if (failed(train::splitStep(module, microbatches)) ||
      failed(train::cutStages(module, pipeline)) ||
      failed(train::cutTensors(module, tensors, train::kExchangeBytes, {},
                               &report)))
    return failure();
  llvm::json::Array places, whole;
  for (const train::PlaceFacts &place : report.places)
    places.push_back(toJson(place));
  for (const train::WholeOps &group : report.whole)
    whole.push_back(toJson(group));
  return llvm::json::Object{
      {"pipeline", pipeline.stages}, {"interleave", pipeline.interleave},
      {"tensor", tensors},           {"operations", report.operations},
      {"divided", report.divided},   {"ranks", std::move(places)},
      {"whole", std::move(whole)}};
}

static void describeTile(StringRef name, ArrayRef<int64_t> numbers,
                         ArrayRef<int64_t> shape, plan::SumTile &tile) {
  uint32_t sum = 0;
  name.drop_front(train::kSumPrefix.size()).getAsInteger(10, sum);
  tile.set_sum(sum);
  tile.mutable_shape()->Add(shape.begin(), shape.end());
  for (auto [i, number] : llvm::enumerate(numbers))
    i % 2 ? tile.add_counts(number) : tile.add_begins(number);
}

void describePhase(func::FuncOp part, const SumShapes &shapes,
                   plan::Phase &phase) {
  auto number = [&](StringRef name) -> std::optional<uint32_t> {
    auto attribute = part->getAttrOfType<IntegerAttr>(name);
    return attribute ? std::optional(uint32_t(attribute.getInt()))
                     : std::nullopt;
  };
  phase.set_stage(number(train::kStageAttr).value_or(0));
  phase.set_tensor(number(train::kTensorAttr).value_or(0));
  // Without train-cut-tensors segments are phases.
  uint32_t segment = 0;
  part.getName()
      .drop_front(train::kSegmentPart.size())
      .getAsInteger(10, segment);
  phase.set_segment(number(train::kPhaseOfAttr).value_or(segment));
  for (unsigned i = 0; i < part.getNumResults(); ++i)
    if (auto numbers =
            part.getResultAttrOfType<DenseI64ArrayAttr>(i, train::kTileAttr)) {
      StringRef name =
          part.getResultAttrOfType<StringAttr>(i, program::kNameAttr);
      describeTile(name, numbers, shapes.lookup(name), *phase.add_tiles());
    }
}

} // namespace gensyn
