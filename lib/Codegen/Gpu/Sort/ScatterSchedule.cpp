// Scatters, in the stated order and without atomics (scatter_r1, scatter_r2):
// for example the gradient of an embedding.
//
//   base      copies the base, like a pointwise kernel.
//   chunks,   sort the updates by their targets, and those of one target by
//   merge0..  their numbers (SegmentSort). A target out of bounds, which faults
//             (scatter_r3), is kNoTarget.
//   segments  has a thread for each sorted update and a few adjacent elements
//   of
//             its row. The first update of a target owns the row: its threads
//             start from the base's elements and apply the target's updates one
//             after another, several of which are loaded at once. For `set`
//             the last update owns the row, and only it is applied. All other
//             threads return.
//
// A single update needs no sort: each thread of the result checks whether its
// elements are in the update's row. Where the result has the memory of the
// base, as in a loop that fills a tensor row by row, only the row is written.

#include "../Common/LaunchCode.h"
#include "../Common/PointwiseCode.h"
#include "../Common/PointwiseEmitter.h"
#include "ScatterLayout.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Minimum blocks per multiprocessor. Without it the assembler allocates so few
/// registers that loads wait for each other.
[[maybe_unused]] constexpr int kSegmentBlocks = 4;

/// Emits the code of the launches.
class ScatterCode : LaunchCode {
public:
  ScatterCode(repro::KernelOp kernel, const ScatterLayout &layout,
              const Target &target, const KernelFunction &function,
              OpBuilder &builder)
      : LaunchCode(kernel, target, function, builder), scatter(layout.scatter),
        layout(layout), element(scatter.getType().getElementType()),
        i32(builder.getI32Type()), plain(builder, kernel, function, target) {}

  LogicalResult emitBase();
  Value isInPlace();
  LogicalResult emitSingle();
  LogicalResult emitSort(unsigned launch);
  LogicalResult emitSegments();

private:
  using Values = SmallVector<Value>;

  struct Place {
    Value row;    ///< index
    Value inside; ///< null: it always is
  };
  std::optional<Place> findPlace(PointerEmitter &emitter, Value number);
  void recordFault(PointerEmitter &emitter, Value outside, Value number);

  Value itemAt(Value position);
  Value targetOf(Value item);
  Values readUpdate(Value number, Value column);
  Values applyAll(Value position, Value wanted, Value column, Values values);
  Value meet(Value old, Value update);
  /// Canonicalizes NaNs of arithmetic results (g4).
  Values finish(Values values);
  Values readBase(Value place);

  /// Emits the following code into a branch that is taken if the condition
  /// holds.
  void enter(Value condition) {
    auto branch = scf::IfOp::create(builder, location, condition);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  Value integer(int64_t value) {
    return arith::ConstantIntOp::create(builder, location, i32, value);
  }
  Value isNot(Value a) {
    Value yes =
        arith::ConstantOp::create(builder, location, builder.getBoolAttr(true));
    return arith::XOrIOp::create(builder, location, a, yes);
  }
  /// Returns the index of this thread in the grid.
  Value threadNumber() {
    Value block = blockId(), thread = threadId();
    return index.add(index.mul(block, kScatterThreads), thread);
  }

  repro::ScatterOp scatter;
  const ScatterLayout &layout;
  Type element, i32;
  PointerEmitter plain;
  bool hasFailed = false;
};

LogicalResult ScatterCode::emitBase() {
  PointwiseWork work;
  work.values = {scatter.getBase()};
  work.outputs = {function.outputs[0]};
  work.block = blockId();
  return emitPointwise(kernel,
                       choosePointwiseShape(kernel, work.values, target), work,
                       target, function, builder);
}

/// Returns the row of update `number` (of type index); std::nullopt after an
/// error.
std::optional<ScatterCode::Place>
ScatterCode::findPlace(PointerEmitter &emitter, Value number) {
  // Symbols become dimensions after the iterators.
  Values values = index.delinearize(number, layout.updateExtents);
  values.resize(scatter.getMap(0).getNumDims(), index(0));
  for (auto [i, tensor] : llvm::enumerate(scatter.getIndices())) {
    Values at;
    for (AffineExpr expr :
         scatter.getMap(static_cast<unsigned>(i) + 1).getResults())
      at.push_back(values[cast<AffineDimExpr>(expr).getPosition()]);
    Value found = emitter.element(tensor, at);
    if (!found)
      return std::nullopt;
    values.push_back(index.toIndex(found));
  }
  SmallVector<AffineExpr> symbols;
  for (unsigned i = 0; i < scatter.getIndices().size(); ++i)
    symbols.push_back(getAffineDimExpr(scatter.getMap(0).getNumDims() + i,
                                       builder.getContext()));
  ArrayRef<int64_t> points =
      cast<ShapedType>(scatter.getUpdates().getType()).getShape();
  repro::IndexMap map = *repro::readIndexMap(scatter.getMap(0));
  Place place;
  place.row = index(0);
  for (auto [dim, extent] : llvm::enumerate(layout.rowExtents)) {
    AffineExpr expr = scatter.getMap(0).getResult(static_cast<unsigned>(dim));
    Value at = emitter.apply(expr.replaceSymbols(symbols), values);
    // An unsigned comparison, so that negative indices are out of bounds too.
    if (!map[dim].isInside(points, extent))
      place.inside = index.both(
          place.inside, index.compare(arith::CmpIPredicate::ult, at, extent));
    place.row = index.add(index.mul(place.row, extent), at);
  }
  return place;
}

void ScatterCode::recordFault(PointerEmitter &emitter, Value outside,
                              Value number) {
  if (scatter.mayFault())
    emitter.fault(scatter, outside, index.mul(number, layout.row));
}

LogicalResult ScatterCode::emitSort(unsigned launch) {
  KernelBuilder b(builder, location, function.function, target);
  const SegmentSort &sort = layout.sort;
  if (launch > 0) {
    const unsigned pass = launch - 1;
    sort.emitMerge(b, pass, function.workspaces[pass % 2],
                   function.workspaces[1 - pass % 2]);
    return success();
  }
  return sort.emitChunks(
      b, function.shared, function.workspaces[0], [&](Value word) -> Value {
        Value number = index.toIndex(word);
        PointerEmitter emitter(builder, kernel, function, target);
        std::optional<Place> place = findPlace(emitter, number);
        if (!place)
          return {};
        Value row = index.toI32(place->row);
        if (!place->inside)
          return row;
        recordFault(emitter, isNot(place->inside), number);
        return index.select(place->inside, row,
                            integer(SegmentSort::kNoTarget));
      });
}

Value ScatterCode::itemAt(Value position) {
  return plain.loadAt(builder.getI64Type(),
                      function.workspaces[layout.sort.resultSpace()], position);
}

Value ScatterCode::targetOf(Value item) {
  Value half =
      arith::ConstantIntOp::create(builder, location, builder.getI64Type(), 32);
  return arith::TruncIOp::create(
      builder, location, i32,
      arith::ShRUIOp::create(builder, location, item, half));
}

LogicalResult ScatterCode::emitSegments() {
  OpBuilder::InsertionGuard guard(builder);
  using CmpI = arith::CmpIPredicate;
  const int64_t last = layout.updates - 1;
  Value task = threadNumber();
  enter(index.compare(CmpI::ult, task, layout.updates * layout.pieces()));
  Value position = index.div(task, layout.pieces());
  Value item = itemAt(position), wanted = targetOf(item);
  // The update owns the row if the next update (of a set), or the previous one,
  // has another target.
  const bool isSet = scatter.getKind() == repro::ScatterKind::Set;
  Value neighbor = isSet ? index.min(index.add(position, 1), last)
                         : index.sub(arith::MaxUIOp::create(builder, location,
                                                            position, index(1)),
                                     index(1));
  Value owns = index.compare(CmpI::ne, targetOf(itemAt(neighbor)), wanted);
  Value isEnd = index.compare(CmpI::eq, position, isSet ? last : 0);
  owns = arith::OrIOp::create(builder, location, owns, isEnd);
  enter(index.both(
      owns, index.compare(CmpI::ne, wanted, integer(SegmentSort::kNoTarget))));
  Value column = index.mul(index.rem(task, layout.pieces()), layout.width);
  Value place = index.add(index.mul(index.toIndex(wanted), layout.row), column);
  Values values;
  if (isSet) {
    Value number = arith::TruncIOp::create(builder, location, i32, item);
    values = readUpdate(index.toIndex(number), column);
  } else {
    values = applyAll(position, wanted, column, readBase(place));
  }
  if (hasFailed)
    return failure();
  PointwiseEmitter(builder, kernel, function, target, place, layout.elements(),
                   layout.width)
      .storeLanes(values, function.outputs[0], 0);
  return success();
}

/// Reads the result, which still holds the values of the base, at `place`.
ScatterCode::Values ScatterCode::readBase(Value place) {
  const int64_t width = layout.width;
  if (width == 1)
    return {plain.loadAt(element, function.outputs[0], place)};
  Value vector = plain.loadAt(element, function.outputs[0], place, width);
  Values values;
  for (int64_t i = 0; i < width; ++i)
    values.push_back(vector::ExtractOp::create(builder, location, vector, i));
  return values;
}

ScatterCode::Values ScatterCode::readUpdate(Value number, Value column) {
  PointwiseEmitter emitter(builder, kernel, function, target,
                           index.add(index.mul(number, layout.row), column),
                           layout.updates * layout.row, layout.width);
  Values values;
  for (int64_t lane = 0; lane < layout.width; ++lane) {
    emitter.setLane(0, lane);
    Value update = emitter.result(scatter.getUpdates());
    hasFailed |= !update;
    values.push_back(update ? update
                            : emit::Scalar(emitter, element).scalarBits(0));
  }
  return values;
}

/// Returns the values after all updates of the target, which start at
/// `position`.
ScatterCode::Values ScatterCode::applyAll(Value position, Value wanted,
                                          Value column, Values values) {
  const int64_t last = layout.updates - 1;
  Values carried = {position};
  carried.append(values);
  // Applies several updates at once while the last of them still belongs to the
  // target, then the remaining ones.
  SmallVector<int64_t, 2> steps = {1};
  if (layout.together > 1 && layout.together <= layout.updates)
    steps.insert(steps.begin(), layout.together);
  for (int64_t together : steps) {
    auto loop = scf::WhileOp::create(
        builder, location, ValueRange(carried).getTypes(), carried,
        [&](OpBuilder &, Location, ValueRange at) {
          Value end = index.add(at[0], together - 1);
          Value isThere = index.compare(arith::CmpIPredicate::ule, end, last);
          Value item = itemAt(index.min(end, last));
          Value isMine =
              index.compare(arith::CmpIPredicate::eq, targetOf(item), wanted);
          scf::ConditionOp::create(builder, location,
                                   index.both(isThere, isMine), at);
        },
        [&](OpBuilder &, Location, ValueRange at) {
          // All are loaded before the first is applied.
          Values now(at.drop_front()), numbers;
          for (int64_t i = 0; i < together; ++i) {
            Value item = itemAt(index.add(at[0], i));
            numbers.push_back(index.toIndex(
                arith::TruncIOp::create(builder, location, i32, item)));
          }
          SmallVector<Values> updates;
          for (Value number : numbers)
            updates.push_back(readUpdate(number, column));
          for (const Values &update : updates)
            for (auto [value, met] : llvm::zip_equal(now, update))
              value = meet(value, met);
          Values next = {index.add(at[0], together)};
          next.append(now);
          scf::YieldOp::create(builder, location, next);
        });
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  }
  return finish(Values(ArrayRef(carried).drop_front()));
}

ScatterCode::Values ScatterCode::finish(Values values) {
  if (isa<FloatType>(element))
    for (Value &value : values)
      value = plain.canonical(plain.markComputed(value));
  return values;
}

Value ScatterCode::meet(Value old, Value update) {
  emit::Scalar scalar(plain, element);
  switch (scatter.getKind()) {
  case repro::ScatterKind::Add:
    return scalar.add(old, update);
  case repro::ScatterKind::Mul:
    return scalar.mul(old, update);
  case repro::ScatterKind::Min:
    return scalar.min(old, update);
  case repro::ScatterKind::Max:
    return scalar.max(old, update);
  case repro::ScatterKind::Set:
    break;
  }
  return update;
}

/// Returns whether the result has the memory of the base, so that only the
/// update's row has to be written; null: it never has.
Value ScatterCode::isInPlace() {
  for (auto [argument, pointer] :
       llvm::zip_equal(kernel.getBlock().getArguments(), function.inputs))
    if (argument == scatter.getBase())
      return LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::eq,
                                  pointer, function.outputs[0]);
  return {};
}

LogicalResult ScatterCode::emitSingle() {
  OpBuilder::InsertionGuard guard(builder);
  using CmpI = arith::CmpIPredicate;
  Value thread = threadNumber();
  std::optional<Place> place = findPlace(plain, index(0));
  if (!place)
    return failure();
  Value row = place->row;
  if (place->inside) {
    recordFault(
        plain,
        index.both(isNot(place->inside), index.compare(CmpI::eq, thread, 0)),
        index(0));
    row = index.select(place->inside, row, index(0));
  }
  Value begin = thread, end = index(layout.elements() / layout.width);
  if (Value same = isInPlace()) {
    Value rowBegin = index.mul(row, layout.pieces());
    Value rowEnd = index.add(rowBegin, layout.pieces());
    if (place->inside)
      rowEnd = index.select(place->inside, rowEnd, index(0));
    begin = index.select(same, index.add(rowBegin, thread), thread);
    end = index.select(same, rowEnd, end);
  }
  auto loop =
      scf::ForOp::create(builder, location, begin, end,
                         index(layout.singleBlocks(target) * kScatterThreads));
  builder.setInsertionPointToStart(loop.getBody());
  Value first = index.mul(loop.getInductionVar(), layout.width);
  PointwiseEmitter base(builder, kernel, function, target, first,
                        layout.elements(), layout.width);
  Values values;
  for (int64_t lane = 0; lane < layout.width; ++lane) {
    base.setLane(0, lane);
    values.push_back(base.result(scatter.getBase()));
    if (!values.back())
      return failure();
  }
  Value isHere =
      index.both(place->inside,
                 index.compare(CmpI::eq, index.div(first, layout.row), row));
  auto branch = scf::IfOp::create(builder, location,
                                  ValueRange(values).getTypes(), isHere,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, values);
  builder.setInsertionPointToStart(branch.thenBlock());
  Values updated = readUpdate(index(0), index.rem(first, layout.row));
  if (scatter.getKind() != repro::ScatterKind::Set) {
    for (auto [update, old] : llvm::zip_equal(updated, values))
      update = meet(old, update);
    updated = finish(updated);
  }
  scf::YieldOp::create(builder, location, updated);
  builder.setInsertionPointAfter(branch);
  base.storeLanes(Values(branch.getResults()), function.outputs[0], 0);
  return failure(hasFailed);
}

class ScatterSchedule final : public Schedule {
public:
  StringRef getName() const override { return "scatter"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<ScatterLayout> layout = layOutScatter(kernel, target);
    if (!layout)
      return std::nullopt;
    KernelPlan plan;
    auto addLaunch = [&](StringRef suffix, int64_t blocks, int64_t threads) {
      LaunchPlan &launch = plan.launches.emplace_back();
      launch.suffix = suffix.str();
      launch.grid[0] = blocks;
      launch.block[0] = threads;
    };
    if (layout->isSingle()) {
      addLaunch("", layout->singleBlocks(target), kScatterThreads);
      return plan;
    }
    PointwiseShape base =
        choosePointwiseShape(kernel, {layout->scatter.getBase()}, target);
    addLaunch("base", base.blocksFor(base.elements), base.threads);
    if (layout->isCopy())
      return plan;
    layout->sort.addTo(plan);
    addLaunch(
        "segments",
        llvm::divideCeil(layout->updates * layout->pieces(), kScatterThreads),
        kScatterThreads);
    if (layout->together > 1)
      plan.launches.back().minBlocks = kSegmentBlocks;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    ScatterLayout layout = *layOutScatter(kernel, target);
    ScatterCode code(kernel, layout, target, function, builder);
    if (layout.isSingle())
      return code.emitSingle();
    if (launch == 0)
      return code.emitBase();
    return launch <= layout.sort.launches() ? code.emitSort(launch - 1)
                                            : code.emitSegments();
  }
};

} // namespace

/// Accepts scatters of elements and of rows. A kernel's `schedule` may have
/// `chunk` and `ways` (SegmentSort.h).
std::unique_ptr<Schedule> createScatterSchedule() {
  return std::make_unique<ScatterSchedule>();
}

} // namespace gensyn::gpu
