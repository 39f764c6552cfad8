// if and loop, with small programs in their regions.

#include "Generator.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {

/// A few values of the program, for a region to capture.
static SmallVector<Value> someValues(Generator &g, int64_t most) {
  SmallVector<Value> values;
  for (int64_t n = g.random.between(1, most); n > 0; --n)
    values.push_back(g.any());
  return values;
}

static Block &addBlock(Generator &g, Region &region, TypeRange types) {
  Block &block = region.emplaceBlock();
  for (Type type : types)
    block.addArgument(type, g.location());
  return block;
}

/// Ends a region with values of these types.
static void yield(Generator &inner, TypeRange types) {
  SmallVector<Value> results;
  for (Type type : types)
    results.push_back(inner.operand(cast<RankedTensorType>(type)));
  YieldOp::create(inner.builder, inner.location(), results);
}

bool makeIf(Generator &g) {
  if (g.isNested() && g.random.chance(1, 2))
    return false; // regions in regions, but not for ever
  Value predicate = g.operand({}, g.builder.getI1Type());
  SmallVector<Value> captures = someValues(g, 3);
  SmallVector<Type> types;
  for (int64_t n = g.random.between(1, 2); n > 0; --n)
    types.push_back(g.random.chance(1, 2)
                        ? g.random.pick(captures).getType()
                        : RankedTensorType::get(g.anyShape(), g.anyElement()));
  auto op = IfOp::create(g.builder, g.location(), types, predicate, captures);
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
    region->getBlocks().clear();
    Generator inner = Generator::nested(
        addBlock(g, *region, ValueRange(captures).getTypes()), g);
    inner.grow(inner.random.below(5));
    yield(inner, types);
  }
  return g.take(op);
}

bool makeCheck(Generator &g) {
  Value ok = g.operand({}, g.builder.getI1Type());
  return g.take(CheckOp::create(g.builder, g.location(), ok, "a promise"));
}

bool makeLoop(Generator &g) {
  if (g.isNested() && g.random.chance(1, 2))
    return false;
  SmallVector<Value> inits = someValues(g, 2), invariants;
  if (g.random.chance(1, 2))
    invariants = someValues(g, 2);
  Value condition;
  if (g.random.chance(1, 2))
    condition = g.operand({}, g.builder.getI1Type());
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto op = LoopOp::create(
      g.builder, g.location(), types, g.random.between(0, 5),
      condition && g.random.chance(1, 3) ? Exhaust::Fault : Exhaust::Stop,
      condition, inits, invariants);
  op.getBody().getBlocks().clear();
  SmallVector<Type> arguments = {
      RankedTensorType::get({}, g.builder.getI64Type())};
  llvm::append_range(arguments, types);
  llvm::append_range(arguments, ValueRange(invariants).getTypes());
  Generator inner = Generator::nested(addBlock(g, op.getBody(), arguments), g);
  inner.grow(inner.random.below(5));
  if (condition)
    types.insert(types.begin(), condition.getType());
  yield(inner, types);
  return g.take(op);
}

} // namespace gensyn::random_programs
