// See TensorProgram.h.

#include "TensorProgram.h"

#include "../Stages/Gradients.h"
#include "../Stages/Segments.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Tile;

/// As for the copied ops of stages.
static constexpr int64_t kOperationsPerByte = 64;
/// A view is computed once for each tile that is read of it, so it depends on
/// few ops.
static constexpr unsigned kMostOpsOfView = 32;

static bool mayFault(Operation *op) {
  auto fault = dyn_cast<repro::FaultOpInterface>(op);
  return fault && fault.mayFault();
}

Value TensorProgram::resolve(Value value) const {
  return isa<BlockArgument>(value) ? stands.lookup(value) : value;
}

std::optional<unsigned> TensorProgram::nodeOf(Value value) const {
  auto found = numbers.find(value.getDefiningOp());
  if (found == numbers.end())
    return std::nullopt;
  return found->second;
}

static func::FuncOp functionOf(Value argument) {
  return cast<func::FuncOp>(argument.getParentBlock()->getParentOp());
}

int64_t TensorProgram::stageOf(unsigned segment) const {
  func::FuncOp function = segments[segment];
  return function->getAttrOfType<IntegerAttr>(kStageAttr).getInt();
}

StringRef TensorProgram::nameOf(Value argument) const {
  return nameOfArgument(functionOf(argument),
                        cast<BlockArgument>(argument).getArgNumber());
}

bool TensorProgram::isParameter(Value argument) const {
  return program::hasRole(functionOf(argument),
                          cast<BlockArgument>(argument).getArgNumber(),
                          Role::Parameter);
}

bool TensorProgram::isSum(Value value) const {
  return !value.getDefiningOp() && nameOf(value).starts_with(kSumPrefix);
}

Tile train::pieceOfTile(Operation *op, ArrayRef<IndexRange> tile) {
  Tile piece = repro::getWholePiece(op);
  const SmallVector<repro::Split> splits = repro::getSplits(op);
  for (auto [dim, range] : llvm::enumerate(tile))
    if (splits[dim].kind == repro::Split::Kind::Free)
      piece[dim] = range;
  return piece;
}

void TensorProgram::findSources(Value value, ArrayRef<IndexRange> tile,
                                Call call) const {
  value = resolve(value);
  const Tile dense = denseTile(tile);
  if (isEmpty(dense))
    return;
  Operation *op = value.getDefiningOp();
  if (!op ? isParameter(value) : !isView(op))
    return call(value, dense);
  if (!op)
    return;
  if (!repro::isSplittable(op)) {
    for (Value operand : op->getOperands())
      findSources(operand, wholeTile(operand), call);
    return;
  }
  for (auto [operand, part] :
       llvm::zip_equal(op->getOperands(),
                       repro::getOperandTiles(op, pieceOfTile(op, dense))))
    findSources(operand, part, call);
}

void TensorProgram::findSources(const TensorNode &node,
                                ArrayRef<IndexRange> piece, Call call) const {
  if (!node.op)
    return findSources(node.result, piece, call);
  if (!repro::isSplittable(node.op)) {
    for (Value operand : node.op->getOperands())
      findSources(operand, wholeTile(operand), call);
    return;
  }
  for (auto [operand, tile] : llvm::zip_equal(
           node.op->getOperands(), repro::getOperandTiles(node.op, piece)))
    findSources(operand, tile, call);
}

/// An op of several results is never a view: its pieces have one tile.
bool TensorProgram::findView(Operation *op) {
  if (!isPure(op) || mayFault(op) || op->getNumResults() != 1)
    return false;
  View view;
  if (auto cost = dyn_cast<repro::CostOpInterface>(op))
    view.work = cost.getFlops();
  for (Value operand : op->getOperands()) {
    Value source = resolve(operand);
    if (Operation *definition = source.getDefiningOp()) {
      auto found = views.find(definition);
      if (found == views.end())
        return false;
      view.work = saturatingAdd(view.work, found->second.work);
      view.count += found->second.count;
      view.hasParameters |= found->second.hasParameters;
      view.hasInputs |= found->second.hasInputs;
    } else if (isSum(source)) {
      return false;
    } else {
      (isParameter(source) ? view.hasParameters : view.hasInputs) = true;
    }
  }
  if (view.count > kMostOpsOfView || (view.hasParameters && view.hasInputs) ||
      view.work > saturatingMultiply(repro::bytesOf(op->getResult(0)),
                                     kOperationsPerByte))
    return false;
  views[op] = view;
  return true;
}

/// Fails unless sums are read by one op each, which adds to them.
LogicalResult TensorProgram::addResults(func::FuncOp segment, unsigned number,
                                        int64_t stage) {
  for (auto [result, value] : llvm::enumerate(
           segment.getBody().front().getTerminator()->getOperands())) {
    const auto index = static_cast<unsigned>(result);
    StringRef name = nameOfResult(segment, index);
    Value source = resolve(value);
    if (name.starts_with(kCutPrefix)) {
      cuts[name] = source;
      continue;
    }
    Operation *op = source.getDefiningOp();
    const bool adds = name.starts_with(kSumPrefix) && op &&
                      op->getNumResults() == 1 && source.hasOneUse() &&
                      llvm::any_of(op->getOperands(), [&](Value one) {
                        Value operand = resolve(one);
                        return !operand.getDefiningOp() &&
                               operand.hasOneUse() && nameOf(operand) == name;
                      });
    if (adds) {
      TensorNode &node = nodes[numbers.at(op)];
      node.returned = index;
      node.addsToSum = true;
      continue;
    }
    nodes.push_back({nullptr, source, number, stage, index});
  }
  for (BlockArgument argument : segment.getArguments()) {
    StringRef name = nameOfArgument(segment, argument.getArgNumber());
    if (!name.starts_with(kSumPrefix))
      continue;
    for (Operation *user : argument.getUsers()) {
      auto found = numbers.find(user);
      if (found == numbers.end() ? !isa<func::ReturnOp>(user)
                                 : !nodes[found->second].addsToSum)
        return emitError(user->getLoc(), "@")
               << segment.getName() << " reads '" << name
               << "' otherwise than to add to it, so its ranks cannot divide "
                  "it";
    }
  }
  return success();
}

LogicalResult TensorProgram::addSegment(func::FuncOp segment) {
  const auto number = static_cast<unsigned>(segments.size());
  segments.push_back(segment);
  auto stage = segment->getAttrOfType<IntegerAttr>(kStageAttr);
  if (!stage || stage.getInt() < 0 || stage.getInt() > number ||
      !isPart(segment))
    return emitError(segment.getLoc(), "@")
           << segment.getName() << " is no segment of a stage";
  stages = std::max(stages, stage.getInt() + 1);
  for (BlockArgument argument : segment.getArguments()) {
    StringRef name = nameOfArgument(segment, argument.getArgNumber());
    Value value = name.starts_with(kCutPrefix)
                      ? cuts.lookup(name)
                      : arguments.try_emplace(name, argument).first->second;
    if (!value || value.getType() != argument.getType())
      return emitError(segment.getLoc(), "@")
             << segment.getName() << " reads '" << name
             << "', which no earlier segment returns";
    stands[argument] = value;
  }
  for (Operation &op : segment.getBody().front().without_terminator()) {
    if (findView(&op))
      continue;
    numbers[&op] = static_cast<unsigned>(nodes.size());
    nodes.push_back({&op, {}, number, stage.getInt(), std::nullopt});
  }
  return addResults(segment, number, stage.getInt());
}

LogicalResult TensorProgram::build(ModuleOp module) {
  for (unsigned number = 0;; ++number) {
    auto segment =
        module.lookupSymbol<func::FuncOp>((kSegmentPart + Twine(number)).str());
    if (!segment)
      break;
    if (segment->hasAttr(kTensorAttr))
      return emitError(segment.getLoc(), "@")
             << segment.getName() << " is divided already";
    if (failed(addSegment(segment)))
      return failure();
  }
  if (segments.empty())
    return emitError(module.getLoc(), "there are no segments to divide; "
                                      "train-cut-stages makes them");
  return success();
}
