// See LoopBuilder.h.

#include "LoopBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

LoopBuilder::LoopBuilder(NodeBuilder &b, int64_t trips)
    : b(b), trips(trips), block(&region.emplaceBlock()) {
  block->addArgument(RankedTensorType::get({}, b.builder.getI64Type()),
                     b.location);
}

Value LoopBuilder::share(Value value) {
  invariants.push_back(value);
  shared.push_back(block->addArgument(value.getType(), b.location));
  return shared.back();
}

Value LoopBuilder::carry(Value init) {
  inits.push_back(init);
  carried.push_back(block->addArgument(init.getType(), b.location));
  return carried.back();
}

void LoopBuilder::open() {
  outside = b.builder.saveInsertionPoint();
  b.builder.setInsertionPointToEnd(block);
}

/// The maps of a gather or scatter of slice s0 of the first dimension.
static ArrayAttr partMaps(NodeBuilder &b, int64_t rank) {
  MLIRContext *context = b.builder.getContext();
  SmallVector<AffineExpr> place = {getAffineSymbolExpr(0, context)};
  for (unsigned dim = 0; dim < static_cast<unsigned>(rank); ++dim)
    place.push_back(b.iterator(dim));
  return b.builder.getAffineMapArrayAttr(
      {AffineMap::get(static_cast<unsigned>(rank), 1, place, context),
       AffineMap::get(static_cast<unsigned>(rank), 0, context)});
}

Value LoopBuilder::read(Value value, Value index) {
  auto type =
      RankedTensorType::get(shapeOf(value).drop_front(), elementOf(value));
  return repro::GatherOp::create(b.builder, b.location, type, value, index,
                                 partMaps(b, type.getRank()),
                                 repro::IndexBound::Zero);
}

Value LoopBuilder::write(Value value, Value index, Value part) {
  return repro::ScatterOp::create(
      b.builder, b.location, value.getType(), repro::ScatterKind::Set, value,
      part, index, partMaps(b, rankOf(part)), repro::IndexBound::Zero);
}

Values LoopBuilder::close(ArrayRef<Value> yielded) {
  repro::YieldOp::create(b.builder, b.location, yielded);
  b.builder.restoreInsertionPoint(outside);
  auto loop = repro::LoopOp::create(
      b.builder, b.location, ValueRange(inits).getTypes(),
      b.builder.getI64IntegerAttr(trips),
      repro::ExhaustAttr::get(b.builder.getContext(), repro::Exhaust::Stop),
      condition, inits, invariants);
  const unsigned old = block->getNumArguments();
  for (ArrayRef<BlockArgument> arguments :
       {ArrayRef(carried), ArrayRef(shared)})
    for (BlockArgument argument : arguments)
      argument.replaceAllUsesWith(
          block->addArgument(argument.getType(), argument.getLoc()));
  block->eraseArguments(1, old - 1);
  loop.getBody().takeBody(region);
  return Values(loop.getResults());
}
