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

LogicalResult cutMicrobatch(ModuleOp module, int64_t stages, int64_t tensors) {
  if (stages <= 1 && tensors <= 1)
    return success();
  if (failed(train::cutStages(module, std::max<int64_t>(stages, 1))))
    return failure();
  return success(tensors <= 1 || succeeded(train::cutTensors(module, tensors)));
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
