// See RowSchedule.h.
//
// The lanes of the order are threads. A row of lanes<32> has a group of 8, 16
// or 32 threads of one warp with 4, 2 or 1 neighbouring lanes each: the shorter
// the row, the more rows a warp has and the wider an access is. (Rows of up to
// 8 points have one thread.) Thread t reads the points k L + t V, ... of step
// k, so that a warp reads whole lines, and adds each to its lane; then halves
// are joined by xor shuffles and, below V, in registers. No shared memory, no
// barrier. Rows in `blocked<1024, lanes<32>, ...>` have a block: a warp for
// each 1024 points, whose results go to shared memory, where after one barrier
// every warp joins them in the outer order, so that each knows the result.
//
// Several reductions of a row run phase after phase. Where a thread's points
// fit into registers (RowLayout: isHeld), all steps are written out and what
// one phase computed is there for the next: softmax reads its row once. Else a
// phase is a loop, and what the next ones need lies in shared memory, where
// only the thread reaches it that has the point: no barrier is added. (Walks
// without an order may divide the row otherwise, behind a bar.warp.sync.) Where
// that is too much elements are read again, from the nearer caches, and
// computed again. Kernels of one phase that end in numbers per row, of rows too
// few to fill the device, run in two launches: units over the whole grid, then
// a block for each row that joins their results.
//
// Beyond the last point accesses are moved in and the lanes keep what they
// have; rows beyond the last do the last one's work again and store nothing.
// So every thread reaches every shuffle and barrier.

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
/// Warps of a block of the first of two launches.
constexpr int64_t kSplitWarps = 4;

bool isComputed(repro::ReduceOp op) {
  return op.getKind() == repro::ReduceKind::Sum ||
         op.getKind() == repro::ReduceKind::Product;
}

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
  /// Finds the row of unit `number` of `count`, of which each row has `perRow`;
  /// the last ones may be of no row: the last one's work is done again.
  void locateRow(Value number, int64_t rows, int64_t perRow);
  void beginWalk(unsigned number);
  LogicalResult prepareRows(unsigned phase);
  LogicalResult emitPhase(unsigned phase);
  LogicalResult emitResults();
  FailureOr<SmallVector<Value>> reduceUnit(ArrayRef<repro::ReduceOp> reductions,
                                           Value unit, int64_t count,
                                           bool mayBeLast);
  /// Runs `body` for all units of the row that the thread's warp has.
  LogicalResult
  forEachUnit(function_ref<LogicalResult(Value, int64_t, bool)> body);
  LogicalResult storeRowResults(Value condition);

  void onlyIf(Value condition, function_ref<void()> body) {
    if (!condition)
      return body();
    when(condition, [&] { emitter->inNestedRegion(body); });
  }
  /// True if a result has an element for each point, not for each row.
  bool isFull(Value yielded) const {
    return cast<ShapedType>(yielded.getType()).getNumElements() != layout.rows;
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
  /// The row, and whether it is one (null: it always is).
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

/// Emits values that are the same along the row before the loops that need
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
      if (!emitter->keepGroup(*group))
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
    if (layout.isWide(number)) // in any order: those of a thread first
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
  if (layout.isHeld) // a warp for each
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

/// Between two walks: what other threads of the warp wrote is seen after it
/// where threads have other points from now on. A barrier of the block, where
/// warps share a row, does that too.
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
    emitter->defineRow(resultOf(reduce), isComputed(reduce)
                                             ? emitter->markComputed(value)
                                             : value);
  return success();
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
  SmallVector<std::pair<Value, Value>> full;
  for (auto [yielded, output] :
       llvm::zip_equal(kernel.getYielded(), function.outputs))
    if (isFull(yielded))
      full.emplace_back(yielded, output);
  auto body = [&](const RowWalk::Step &step,
                  RowWalk::Carried none) -> std::optional<RowWalk::Carried> {
    for (PointGroup *group : step.groups) {
      SmallVector<SmallVector<Value>> values(full.size());
      for (auto [own, result] : llvm::zip_equal(values, full))
        for (unsigned i = 0; i < group->columns.size(); ++i) {
          own.push_back(emitter->elementAt(result.first, *group, i));
          if (!own.back())
            return std::nullopt;
        }
      onlyIf(index.both(isRow, group->inside), [&] {
        for (auto [own, result] : llvm::zip_equal(values, full))
          emitter->storeGroup(own, result.second, *group);
      });
    }
    return none;
  };
  if (!full.empty() &&
      failed(forEachUnit([&](Value unit, int64_t count, bool mayBeLast) {
        return success(walk->walk(
                               unit, count, mayBeLast, {},
                               [](size_t) { return Value(); }, body)
                           .has_value());
      })))
    return failure();
  // The first thread of whoever has the row.
  Value first = index.compare(arith::CmpIPredicate::eq,
                              layout.units > 1 ? thread : inGroup, 0);
  return storeRowResults(index.both(isRow, first));
}

LogicalResult RowCode::emitWhole() {
  // Behind what is staged, whose accesses are the wider ones.
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

/// The first of two launches: a warp for each unit, and a word of workspace.
LogicalResult RowCode::emitUnits() {
  const int64_t all = layout.rows * layout.units;
  Value number = index.add(index.mul(block, kSplitWarps),
                           index.div(thread, layout.warpSize));
  locateRow(number, llvm::divideCeil(all, kSplitWarps) * kSplitWarps,
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

/// The second: a block for each row.
LogicalResult RowCode::emitJoins() {
  locateRow(block, layout.rows, 1);
  for (auto [reduce, workspace] :
       llvm::zip_equal(form.reductions, function.workspaces)) {
    Value value =
        LaneReduction(*emitter, reduce, target)
            .joinWords(outerOrder(reduce, layout), layout.units,
                       workspaceWords(reduce, workspace), thread, layout.warps);
    emitter->defineRow(resultOf(reduce), isComputed(reduce)
                                             ? emitter->markComputed(value)
                                             : value);
  }
  return storeRowResults(index.compare(arith::CmpIPredicate::eq, thread, 0));
}

/// The layout of a kernel that this schedule takes.
std::optional<RowLayout>
layoutOf(repro::KernelOp kernel, const KernelForm &form, const Target &target) {
  RowWishes wishes;
  if (Attribute schedule = kernel.getScheduleAttr()) {
    auto fields = dyn_cast<DictionaryAttr>(schedule);
    const std::pair<StringRef, bool *> flags[] = {{"hold", &wishes.hold},
                                                  {"stage", &wishes.stage},
                                                  {"spread", &wishes.spread}};
    std::string error;
    if (!fields || !codegen::readScheduleFields(fields, {}, flags, error))
      return std::nullopt;
  }
  if (form.kind != repro::KernelKind::Rows)
    return std::nullopt;
  return chooseRowLayout(form, target, wishes);
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
      if (launch.sharedBytes > target.sharedBytes)
        return std::nullopt;
      return plan;
    }
    launch.suffix = "units";
    launch.grid[0] =
        llvm::divideCeil(layout->rows * layout->units, kSplitWarps);
    launch.block[0] = kSplitWarps * layout->warpSize;
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

/// Takes kernels whose form is Rows (KernelForm.h) with orders of lanes, alone
/// or in blocks, and sequential ones: softmax, norms, cross-entropy, and single
/// reductions over the last dimensions.
std::unique_ptr<Schedule> createRowSchedule() {
  return std::make_unique<RowSchedule>();
}

} // namespace gensyn::gpu
