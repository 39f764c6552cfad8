// Reductions of rows.
//
// The lanes of the order are assigned to threads. A row of lanes<32> has a
// group of 8, 16 or 32 threads of one warp, with V = 4, 2 or 1 adjacent lanes
// each: the shorter the row, the more rows a warp has, and the wider an access
// is. (Rows of up to 8 points have one thread.) In step k, thread t reads the
// points from k L + t V on, so that a warp reads whole lines, and adds each to
// its lane. Then lanes are combined by halves: by xor shuffles and, at
// distances below V, in registers. This needs no shared memory and no barrier.
// A row in `blocked<1024, lanes<32>, ...>` has a block with a warp for each
// 1024 points. The warps write their results to shared memory; after one
// barrier every warp combines them in the outer order, so that each has the
// result.
//
// Several reductions of a row are successive phases. If a thread's points fit
// into registers (RowLayout: isHeld), all steps are unrolled and a phase reuses
// the elements of the previous one: softmax reads its row once. Otherwise a
// phase is a loop, and the elements that later phases need are kept in shared
// memory. Only the thread that has a point accesses its element, so no barrier
// is added. (Walks without an order may divide the row differently, after a
// bar.warp.sync.) If they do not fit, elements are read again, usually from a
// cache, and computed again. A walk stores the results that it is the first to
// know. Kernels of one phase that result in values per row, with too few rows
// to fill the device, have two launches: the units are spread over the grid,
// then a block for each row combines their results.
//
// Past the last point accesses are moved into the row and lanes are unchanged.
// Past the last row the last one is computed again and not stored. So every
// thread reaches every shuffle and barrier.

#include "../Common/LaneReduction.h"
#include "../Common/LaunchCode.h"
#include "RowWalk.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using gensyn::repro::KernelForm;
using gensyn::repro::Placement;

namespace gensyn::gpu {
namespace {

constexpr int64_t kWordBytes = 8;

Value resultOf(repro::ReduceOp op) { return op.getResult(); }

class RowCode : LaunchCode {
public:
  RowCode(repro::KernelOp kernel, const KernelForm &form,
          const RowLayout &layout, const Target &target,
          const KernelFunction &function, OpBuilder &builder)
      : LaunchCode(kernel, target, function, builder), form(form),
        layout(layout), thread(threadId()), block(blockId()),
        inGroup(index.rem(thread, layout.group)) {}

  LogicalResult emitWhole();
  LogicalResult emitUnits();
  LogicalResult emitJoins();

private:
  /// Computes the row of unit `number`, of `perRow` units per row. Units past
  /// the last row repeat its work.
  void locateRow(Value number, int64_t rows, int64_t perRow);
  void beginWalk(unsigned number);
  LogicalResult prepareRows(unsigned phase);
  LogicalResult emitPhase(unsigned phase);
  LogicalResult emitResults();
  FailureOr<SmallVector<Value>> reduceUnit(ArrayRef<repro::ReduceOp> reductions,
                                           Value unit, int64_t count,
                                           bool mayBeLast);
  /// Runs `body` for all units of the row that belong to the thread's warp.
  LogicalResult
  forEachUnit(function_ref<LogicalResult(Value, int64_t, bool)> body);
  SmallVector<std::pair<Value, Value>> fullResults();
  bool storeFullResults(const PointGroup &group);
  LogicalResult storeRowResults(Value condition);

  void onlyIf(Value condition, function_ref<void()> body) {
    if (!condition)
      return body();
    when(condition, [&] { emitter->inNestedRegion(body); });
  }
  /// True if a result has an element per point instead of per row.
  bool isFull(Value yielded) const {
    return cast<ShapedType>(yielded.getType()).getNumElements() != layout.rows;
  }
  /// Defines the result of a reduction of the row.
  void defineResult(repro::ReduceOp reduce, Value value) {
    if (LaneReduction(*emitter, reduce, target).mayComputeNan())
      value = emitter->markComputed(value);
    emitter->defineRow(resultOf(reduce), value);
  }
  JoinMemory sharedWords(repro::ReduceOp reduce) {
    return {function.shared, index(sharedBegin.lookup(reduce))};
  }
  JoinMemory workspaceWords(repro::ReduceOp reduce, Value workspace) {
    const int64_t words =
        countJoinSlots(outerOrder(reduce, layout), layout.units);
    return {workspace, index.mul(row, words)};
  }

  const KernelForm &form;
  const RowLayout &layout;
  Value thread, block, inGroup;
  /// The row, and the predicate that it exists (null: always).
  Value row, isRow;
  std::optional<RowEmitter> emitter;
  std::optional<RowWalk> walk;
  llvm::DenseMap<Operation *, int64_t> sharedBegin;
};

void RowCode::locateRow(Value number, int64_t count, int64_t perRow) {
  isRow = {};
  if (count > layout.rows * perRow) {
    isRow =
        index.compare(arith::CmpIPredicate::ult, number, layout.rows * perRow);
    number = index.select(isRow, number, index(layout.rows * perRow - 1));
  }
  row = index.div(number, perRow);
  emitter.emplace(builder, kernel, function, target, form, row);
  walk.emplace(*emitter, layout, inGroup);
}

/// Emits the values that are constant along the row before the loops that need
/// them.
LogicalResult RowCode::prepareRows(unsigned phase) {
  for (Operation &op : kernel.getBlock().without_terminator()) {
    Value value = op.getResult(0);
    const Placement placement = form.placementOf(value);
    if (!form.placements.contains(value) || form.phaseOf(value) > phase ||
        (placement != Placement::Row && placement != Placement::Uniform))
      continue;
    if (!emitter->rowElement(value))
      return failure();
  }
  return success();
}

FailureOr<SmallVector<Value>>
RowCode::reduceUnit(ArrayRef<repro::ReduceOp> reductions, Value unit,
                    int64_t count, bool mayBeLast) {
  SmallVector<LaneReduction> arithmetic;
  SmallVector<Value> operands;
  for (repro::ReduceOp reduce : reductions) {
    arithmetic.emplace_back(*emitter, reduce, target);
    operands.push_back(reduce.getOperand());
  }
  const unsigned number = emitter->getWalk();
  const auto lanes = static_cast<size_t>(layout.perThreadOf(number));
  RowWalk::Carried carried(reductions.size() * lanes);
  auto initial = [&](size_t i) { return arithmetic[i / lanes].identity(); };
  auto body = [&](const RowWalk::Step &step,
                  RowWalk::Carried sums) -> std::optional<RowWalk::Carried> {
    for (auto [group, lane] : llvm::zip_equal(step.groups, step.lanes)) {
      for (size_t r = 0; r < reductions.size(); ++r)
        for (unsigned i = 0; i < group->columns.size(); ++i) {
          Value x = emitter->elementAt(operands[r], *group, i);
          if (!x)
            return std::nullopt;
          Value &sum = sums[r * lanes + static_cast<size_t>(lane) + i];
          if (!sum)
            sum = arithmetic[r].identity();
          sum = arithmetic[r].step(sum, x, group->inside);
        }
      if (!storeFullResults(*group) || !emitter->keepGroup(*group))
        return std::nullopt;
    }
    return sums;
  };
  auto sums = walk->walk(unit, count, mayBeLast, carried, initial, body);
  if (!sums)
    return failure();
  SmallVector<Value> results;
  for (size_t r = 0; r < reductions.size(); ++r) {
    SmallVector<Value> own(ArrayRef(*sums).slice(r * lanes, lanes));
    if (layout.isWide(number)) // no order: combine those of the thread first
      own = {arithmetic[r].joinLanes(own, 1)};
    results.push_back(arithmetic[r].joinLanes(own, layout.group));
  }
  return results;
}

LogicalResult
RowCode::forEachUnit(function_ref<LogicalResult(Value, int64_t, bool)> body) {
  if (layout.units == 1)
    return body(index(0), layout.columns, true);
  Value warp = index.div(thread, layout.warpSize);
  if (layout.isHeld) // one warp per unit
    return body(warp, layout.unit, true);
  const int64_t whole = layout.columns / layout.unit;
  LogicalResult result = success();
  {
    auto loop = scf::ForOp::create(builder, location, warp, index(whole),
                                   index(layout.warps));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitter->inNestedRegion(
        [&] { result = body(loop.getInductionVar(), layout.unit, false); });
  }
  if (whole < layout.units && succeeded(result))
    onlyIf(index.compare(arith::CmpIPredicate::eq, warp, whole % layout.warps),
           [&] { result = body(index(whole), layout.lastUnit(), false); });
  return result;
}

/// Separates two walks. If the points of threads change, a warp barrier makes
/// elements that other threads of the warp wrote visible. If warps share a row,
/// the block's barrier does that.
void RowCode::beginWalk(unsigned number) {
  emitter->beginWalk(number);
  if (number > 0 && layout.units == 1 &&
      (layout.isWide(number - 1) || layout.isWide(number)))
    target.syncWarp(builder, location);
}

LogicalResult RowCode::emitPhase(unsigned phase) {
  beginWalk(phase);
  if (failed(prepareRows(phase)))
    return failure();
  SmallVector<repro::ReduceOp> reductions = form.reductionsOf(phase);
  SmallVector<Value> results;
  LogicalResult walked = forEachUnit(
      [&](Value unit, int64_t count, bool mayBeLast) -> LogicalResult {
        auto found = reduceUnit(reductions, unit, count, mayBeLast);
        if (failed(found))
          return failure();
        results = *found;
        if (layout.units == 1)
          return success();
        onlyIf(index.compare(arith::CmpIPredicate::eq, inGroup, 0), [&] {
          for (auto [reduce, value] : llvm::zip_equal(reductions, results))
            LaneReduction(*emitter, reduce, target)
                .storeWord(value, sharedWords(reduce), unit);
        });
        return success();
      });
  if (failed(walked))
    return failure();
  if (layout.units > 1) {
    mlir::gpu::BarrierOp::create(builder, location);
    for (auto [reduce, value] : llvm::zip_equal(reductions, results))
      value = LaneReduction(*emitter, reduce, target)
                  .joinWords(outerOrder(reduce, layout), layout.units,
                             sharedWords(reduce), thread, layout.warps);
  }
  for (auto [reduce, value] : llvm::zip_equal(reductions, results))
    defineResult(reduce, value);
  return success();
}

/// Returns the results with an element per point that the current walk is the
/// first to know, and their memory.
SmallVector<std::pair<Value, Value>> RowCode::fullResults() {
  SmallVector<std::pair<Value, Value>> full;
  for (auto [yielded, output] :
       llvm::zip_equal(kernel.getYielded(), function.outputs))
    if (isFull(yielded) && form.phaseOf(yielded) == emitter->getWalk())
      full.emplace_back(yielded, output);
  return full;
}

/// Stores the elements of these results at the points of a group. Returns false
/// after an error.
bool RowCode::storeFullResults(const PointGroup &group) {
  const SmallVector<std::pair<Value, Value>> full = fullResults();
  SmallVector<SmallVector<Value>> values(full.size());
  for (auto [own, result] : llvm::zip_equal(values, full))
    for (unsigned i = 0; i < group.columns.size(); ++i) {
      own.push_back(emitter->elementAt(result.first, group, i));
      if (!own.back())
        return false;
    }
  if (!full.empty())
    onlyIf(index.both(isRow, group.inside), [&] {
      for (auto [own, result] : llvm::zip_equal(values, full))
        emitter->storeGroup(own, result.second, group);
    });
  return true;
}

LogicalResult RowCode::storeRowResults(Value condition) {
  LogicalResult result = success();
  SmallVector<std::pair<Value, Value>> stored;
  for (auto [yielded, output] :
       llvm::zip_equal(kernel.getYielded(), function.outputs)) {
    if (isFull(yielded))
      continue;
    Value value = emitter->rowElement(yielded);
    if (!value)
      return failure();
    stored.emplace_back(value, output);
  }
  if (!stored.empty())
    onlyIf(condition, [&] {
      for (auto [value, output] : stored)
        emitter->storeAt(value, output, row);
    });
  return result;
}

LogicalResult RowCode::emitResults() {
  beginWalk(form.numPhases());
  if (failed(prepareRows(form.numPhases())))
    return failure();
  auto body = [&](const RowWalk::Step &step,
                  RowWalk::Carried none) -> std::optional<RowWalk::Carried> {
    for (PointGroup *group : step.groups)
      if (!storeFullResults(*group))
        return std::nullopt;
    return none;
  };
  if (!fullResults().empty() &&
      failed(forEachUnit([&](Value unit, int64_t count, bool mayBeLast) {
        return success(walk->walk(
                               unit, count, mayBeLast, {},
                               [](size_t) { return Value(); }, body)
                           .has_value());
      })))
    return failure();
  // The first thread of the group or block that has the row.
  Value first = index.compare(arith::CmpIPredicate::eq,
                              layout.units > 1 ? thread : inGroup, 0);
  return storeRowResults(index.both(isRow, first));
}

LogicalResult RowCode::emitWhole() {
  // After the stage, whose accesses are wider.
  int64_t words = llvm::divideCeil(layout.stageBytes(), kWordBytes);
  if (layout.units > 1)
    for (repro::ReduceOp reduce : form.reductions) {
      sharedBegin[reduce] = words;
      words += countJoinSlots(outerOrder(reduce, layout), layout.units);
    }
  const int64_t each = layout.rowsPerBlock();
  Value number = block;
  if (each > 1)
    number = index.add(index.mul(block, each), index.div(thread, layout.group));
  locateRow(number, llvm::divideCeil(layout.rows, each) * each, 1);
  if (!layout.stage.values.empty())
    emitter->setStage(layout,
                      {function.shared,
                       each > 1 ? index.div(thread, layout.group) : index(0)});
  for (unsigned phase = 0; phase < form.numPhases(); ++phase)
    if (failed(emitPhase(phase)))
      return failure();
  return emitResults();
}

/// Emits the first of two launches: a warp, and a word of workspace, per unit.
LogicalResult RowCode::emitUnits() {
  const int64_t all = layout.rows * layout.units;
  Value number = index.add(index.mul(block, layout.splitWarps),
                           index.div(thread, layout.warpSize));
  locateRow(number,
            llvm::divideCeil(all, layout.splitWarps) * layout.splitWarps,
            layout.units);
  if (isRow)
    number = index.select(isRow, number, index(all - 1));
  Value unit = index.rem(number, layout.units);
  if (failed(prepareRows(0)))
    return failure();
  LogicalResult result = success();
  auto emitUnit = [&](int64_t count) {
    auto found = reduceUnit(form.reductions, unit, count, false);
    result = success(succeeded(result) && succeeded(found));
    if (failed(found))
      return;
    Value first = index.compare(arith::CmpIPredicate::eq, inGroup, 0);
    onlyIf(index.both(isRow, first), [&] {
      for (auto [reduce, value, workspace] :
           llvm::zip_equal(form.reductions, *found, function.workspaces))
        LaneReduction(*emitter, reduce, target)
            .storeWord(value, workspaceWords(reduce, workspace), unit);
    });
  };
  if (layout.columns % layout.unit == 0) {
    emitUnit(layout.unit);
    return result;
  }
  onlyIf(index.compare(arith::CmpIPredicate::ne, unit, layout.units - 1),
         [&] { emitUnit(layout.unit); });
  onlyIf(index.compare(arith::CmpIPredicate::eq, unit, layout.units - 1),
         [&] { emitUnit(layout.lastUnit()); });
  return result;
}

/// Emits the second launch: a block per row.
LogicalResult RowCode::emitJoins() {
  locateRow(block, layout.rows, 1);
  for (auto [reduce, workspace] :
       llvm::zip_equal(form.reductions, function.workspaces)) {
    Value value =
        LaneReduction(*emitter, reduce, target)
            .joinWords(outerOrder(reduce, layout), layout.units,
                       workspaceWords(reduce, workspace), thread, layout.warps);
    defineResult(reduce, value);
  }
  return storeRowResults(index.compare(arith::CmpIPredicate::eq, thread, 0));
}

/// Returns the layout of a kernel if this schedule accepts it.
std::optional<RowLayout>
layoutOf(repro::KernelOp kernel, const KernelForm &form, const Target &target) {
  RowScheduleOptions options;
  if (Attribute schedule = kernel.getScheduleAttr()) {
    auto fields = dyn_cast<DictionaryAttr>(schedule);
    const std::pair<StringRef, bool *> flags[] = {{"hold", &options.hold},
                                                  {"stage", &options.stage},
                                                  {"spread", &options.spread}};
    const std::pair<StringRef, int64_t *> numbers[] = {
        {"warps", &options.warps}, {"unrolled", &options.unrolled}};
    std::string error;
    if (!fields || !codegen::readScheduleFields(fields, numbers, flags, error))
      return std::nullopt;
  }
  if (form.kind != repro::KernelKind::Rows)
    return std::nullopt;
  return chooseRowLayout(form, target, options);
}

class RowSchedule final : public Schedule {
public:
  StringRef getName() const override { return "rows"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    const KernelForm form = repro::getKernelForm(kernel);
    const std::optional<RowLayout> layout = layoutOf(kernel, form, target);
    if (!layout)
      return std::nullopt;
    KernelPlan plan;
    for (repro::ReduceOp reduce : form.reductions) {
      Type element = cast<ShapedType>(reduce.getType()).getElementType();
      if (isStorageOnly(*repro::getElementType(element)))
        return std::nullopt;
      if (layout->isSplit)
        plan.workspaces.push_back(
            layout->rows * kWordBytes *
            countJoinSlots(outerOrder(reduce, *layout), layout->units));
    }
    LaunchPlan &launch = plan.launches.emplace_back();
    if (!layout->isSplit) {
      launch.grid[0] = llvm::divideCeil(layout->rows, layout->rowsPerBlock());
      launch.block[0] = layout->threads();
      launch.sharedBytes =
          llvm::divideCeil(layout->stageBytes(), kWordBytes) * kWordBytes;
      if (layout->units > 1)
        launch.sharedBytes += countJoinWords(form, *layout) * kWordBytes;
      launch.minBlocks = layout->isAlone ? 1 : 0;
      if (launch.sharedBytes > target.sharedBytes)
        return std::nullopt;
      return plan;
    }
    launch.suffix = "units";
    launch.grid[0] =
        llvm::divideCeil(layout->rows * layout->units, layout->splitWarps);
    launch.block[0] = layout->splitWarps * layout->warpSize;
    LaunchPlan &join = plan.launches.emplace_back();
    join.suffix = "join";
    join.grid[0] = layout->rows;
    join.block[0] = layout->threads();
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    const KernelForm form = repro::getKernelForm(kernel);
    const RowLayout layout = *layoutOf(kernel, form, target);
    RowCode code(kernel, form, layout, target, function, builder);
    if (!layout.isSplit)
      return code.emitWhole();
    return launch == 0 ? code.emitUnits() : code.emitJoins();
  }
};

} // namespace

/// Accepts kernels of form Rows (KernelForm.h) with orders of lanes, blocks of
/// lanes, and sequential orders: softmax, norms, cross-entropy, and single
/// reductions over the last dimensions.
std::unique_ptr<Schedule> createRowSchedule() {
  return std::make_unique<RowSchedule>();
}

} // namespace gensyn::gpu
