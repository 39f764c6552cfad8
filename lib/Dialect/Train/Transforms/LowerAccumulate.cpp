// Lowers train.accumulate to loops (accumulate_r1). The number of microbatches
// is split into powers of two; each is a nest of loops with two iterations, so
// that it has one copy of the body. A sum begins at -0, which adds nothing.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINLOWERACCUMULATEPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

namespace {
using Values = SmallVector<Value>;

/// The operands and results of a range of microbatches.
struct Microbatches {
  Value first; // a tensor<i64>
  Values split, carried, shared;
};

class Expansion {
public:
  Expansion(AccumulateOp op, OpBuilder &builder)
      : op(op), builder(builder), location(op.getLoc()) {}

  /// Returns the last carried values, then the sums.
  Values buildAll();

private:
  Values buildTree(Microbatches given, uint64_t offset, uint64_t count);
  Values buildPower(const Microbatches &given, uint64_t count);
  Values buildOne(const Microbatches &given);
  Value readPart(Value value, Value index);
  Value number(int64_t value);
  Value add(Value a, Value b) {
    return repro::AddOp::create(builder, location, a.getType(), a, b);
  }

  AccumulateOp op;
  OpBuilder &builder;
  Location location;
};
} // namespace

Value Expansion::number(int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return repro::ConstantOp::create(
      builder, location, type,
      cast<TypedAttr>(static_cast<Attribute>(
          DenseElementsAttr::get(type, ArrayRef<int64_t>(value)))));
}

/// Returns slice `index` of the first dimension of [parts, ...], without that
/// dimension.
Value Expansion::readPart(Value value, Value index) {
  auto whole = cast<RankedTensorType>(value.getType());
  MLIRContext *context = builder.getContext();
  const auto rank = static_cast<unsigned>(whole.getRank() - 1);
  SmallVector<AffineExpr> place = {getAffineSymbolExpr(0, context)};
  for (unsigned dim = 0; dim < rank; ++dim)
    place.push_back(getAffineDimExpr(dim, context));
  auto type = RankedTensorType::get(whole.getShape().drop_front(),
                                    whole.getElementType());
  return repro::GatherOp::create(
      builder, location, type, value, index,
      builder.getAffineMapArrayAttr({AffineMap::get(rank, 1, place, context),
                                     AffineMap::get(rank, 0, context)}),
      repro::IndexBound::Zero);
}

Values Expansion::buildOne(const Microbatches &given) {
  Block &body = op.getBody().front();
  Values arguments = {given.first};
  for (Value value : given.split)
    arguments.push_back(readPart(value, given.first));
  llvm::append_range(arguments, given.carried);
  llvm::append_range(arguments, given.shared);
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, mapping);
  Values results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookup(value));
  return results;
}

/// Builds `count` microbatches, a power of two, as a loop of two halves.
Values Expansion::buildPower(const Microbatches &given, uint64_t count) {
  if (count == 1)
    return buildOne(given);
  const size_t carried = given.carried.size();
  Values inits = given.carried, invariants = {given.first};
  for (Type type : llvm::drop_begin(op.getResultTypes(), carried))
    inits.push_back(repro::createFilled(builder, location,
                                        cast<RankedTensorType>(type), -0.0));
  llvm::append_range(invariants, given.split);
  llvm::append_range(invariants, given.shared);
  auto loop = repro::LoopOp::create(
      builder, location, ValueRange(inits).getTypes(),
      builder.getI64IntegerAttr(2),
      repro::ExhaustAttr::get(builder.getContext(), repro::Exhaust::Stop),
      Value(), inits, invariants);
  Block &block = loop.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  auto give = [&](Value value) -> Value {
    return block.addArgument(value.getType(), location);
  };
  Value half = block.addArgument(
      RankedTensorType::get({}, builder.getI64Type()), location);
  Microbatches inner;
  Values sums;
  for (Value init : ArrayRef(inits).take_front(carried))
    inner.carried.push_back(give(init));
  for (Value init : ArrayRef(inits).drop_front(carried))
    sums.push_back(give(init));
  Value first = give(given.first);
  for (Value value : given.split)
    inner.split.push_back(give(value));
  for (Value value : given.shared)
    inner.shared.push_back(give(value));
  Value skipped = count == 2
                      ? half
                      : repro::MulOp::create(builder, location, half.getType(),
                                             half, number(count / 2));
  inner.first = add(first, skipped);
  Values results = buildPower(inner, count / 2);
  for (auto [result, sum] :
       llvm::zip_equal(MutableArrayRef(results).drop_front(carried), sums))
    result = add(sum, result);
  repro::YieldOp::create(builder, location, results);
  return Values(loop.getResults());
}

Values Expansion::buildTree(Microbatches given, uint64_t offset,
                            uint64_t count) {
  const uint64_t left = llvm::bit_floor(count);
  given.first = number(offset);
  Values results = buildPower(given, left);
  if (left == count)
    return results;
  const size_t carried = given.carried.size();
  given.carried.assign(results.begin(), results.begin() + carried);
  Values rest = buildTree(given, offset + left, count - left);
  for (auto [number, value] : llvm::enumerate(rest))
    results[number] = number < carried ? value : add(results[number], value);
  return results;
}

Values Expansion::buildAll() {
  Microbatches all;
  const int64_t count = op.getMicrobatches();
  for (Value value : op.getSplit()) {
    ArrayRef<int64_t> whole =
        cast<RankedTensorType>(value.getType()).getShape();
    SmallVector<int64_t> shape = {count, whole[0] / count};
    llvm::append_range(shape, whole.drop_front());
    all.split.push_back(repro::createReshape(builder, location, value, shape));
  }
  all.carried.assign(op.getCarried().begin(), op.getCarried().end());
  all.shared.assign(op.getShared().begin(), op.getShared().end());
  return buildTree(all, 0, count);
}

namespace {
struct LowerAccumulate final
    : train::impl::TrainLowerAccumulatePassBase<LowerAccumulate> {
  using TrainLowerAccumulatePassBase::TrainLowerAccumulatePassBase;
  void runOnOperation() override {
    getOperation().walk([](AccumulateOp op) {
      OpBuilder builder(op);
      op->replaceAllUsesWith(Expansion(op, builder).buildAll());
      op->erase();
    });
  }
};
} // namespace
