// Reductions of columns.
//
// Adjacent threads have adjacent columns, so the 32 threads of a warp read a
// line of a row. The lanes of a column's order are divided among the warps of
// the block: for lanes<32> and 8 warps, warp y has the lanes y, y + 8, y + 16
// and y + 24. Each lane is a register to which its points are added in
// ascending order. Lanes are combined by halves from the largest distance down.
// Distances of 8 and more are between registers of one thread. Then every warp
// writes its result to shared memory, and after one barrier the first warp
// combines them; reductions beyond what fits follow in further rounds. If there
// are few columns, tiles are narrower and have more warps, so that more
// multiprocessors have some; columns of few points have one thread each.
//
// For `blocked<B, lanes<32>, outer>` each block of points has a block of the
// grid for each tile of columns, which writes its results to a workspace. The
// next launch reduces these by `outer` in the same way.
//
// A kernel that reduces middle dimensions contains nothing else. Its columns
// belong to several matrices, and adjacent threads have adjacent elements of
// the last dimension as before.
//
// Past the last point the last one is computed again and the lane is unchanged.
// Past the last column the last one is computed again and not stored. So every
// thread reaches the barrier.

#include "../Common/LaneReduction.h"
#include "../Common/LaunchCode.h"
#include "ColumnLayout.h"
#include "RowEmitter.h"
#include "gensyn/Codegen/Schedule/ScheduleFields.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>

using namespace mlir;
using gensyn::repro::KernelForm;

namespace gensyn::gpu {
namespace {

constexpr int64_t kColumnWordBytes = 8;

/// Returns the number of reductions whose words fit in shared memory at once.
int64_t countRoundSums(const ColumnLevel &level, const Target &target) {
  return std::min(target.staticSharedBytes, target.sharedBytes) /
         (level.threads() * kColumnWordBytes);
}

using Sums = SmallVector<Value>;

class ColumnCode : LaunchCode {
public:
  ColumnCode(repro::KernelOp kernel, const ColumnForm &whole,
             ArrayRef<ColumnLevel> levels, unsigned number,
             const Target &target, const KernelFunction &function,
             OpBuilder &builder)
      : LaunchCode(kernel, target, function, builder), whole(whole),
        form(whole.space), level(levels[number]), number(number),
        perRound(static_cast<size_t>(countRoundSums(level, target))) {}

  LogicalResult emit();

private:
  /// Adds the point `row` to lane `lane` of each reduction if `inside` holds
  /// (null: always).
  void addPoint(Value row, int64_t lane, Value inside, Sums &sums);
  /// Adds the points of all lanes of a step from point `first` on. The step has
  /// `rest` points or, if that is not constant, those below `limit`.
  void addStep(Value first, std::optional<int64_t> rest, Value limit,
               Sums &sums);
  /// Emits a loop over the whole steps `from` to `to`, `each` steps per
  /// iteration.
  void loopOver(Value from, Value to, int64_t each, Sums &sums);
  void addUnit(Sums &sums);
  /// Combines the lanes of a column in each of its threads.
  Sums joinOwn(const Sums &sums);
  /// Stores the results of each thread for the reductions [begin, end) to
  /// shared memory.
  void exchange(const Sums &own, size_t begin, size_t end);
  /// Combines the results of a column's threads in the first of them, whose own
  /// is `own`.
  Value joinShares(RowEmitter &emitter, size_t reduction, Value own);
  /// The same for all reductions, `perRound` at a time.
  Sums joinInRounds(const Sums &own, Value isFirst);
  void finish(const Sums &own, bool isJoined);
  void storeResults(RowEmitter &emitter, ArrayRef<Value> values);

  RowEmitter &emitterAt(Value row) {
    return emitters.emplace_back(builder, kernel, function, target, form, row);
  }
  /// Returns the workspace for a launch's results of a reduction, a row per
  /// unit.
  JoinMemory wordsOf(unsigned launch, size_t reduction) {
    return {function.workspaces[launch * form.reductions.size() + reduction],
            index(0)};
  }
  JoinMemory sharedWordsOf(size_t reduction) {
    return {function.shared, index(static_cast<int64_t>(reduction % perRound) *
                                   level.threads())};
  }

  const ColumnForm &whole;
  const KernelForm &form;
  const ColumnLevel &level;
  const unsigned number; ///< index of the launch
  const size_t perRound; ///< reductions with words in shared memory
  Value thread, unit, share, isColumn;
  /// For a reduction of middle dimensions, the index of the column's first
  /// element.
  Value start;
  PointGroup column;
  /// One emitter per point in the code, since they must not share elements.
  std::deque<RowEmitter> emitters;
  bool hasFailed = false;
};

void ColumnCode::addPoint(Value row, int64_t lane, Value inside, Sums &sums) {
  RowEmitter &emitter = emitterAt(row);
  for (size_t r = 0; r < form.reductions.size(); ++r) {
    repro::ReduceOp reduce = form.reductions[r];
    LaneReduction arithmetic(emitter, reduce, target);
    Value x;
    if (number > 0)
      x = arithmetic.loadWord(
          wordsOf(number - 1, r),
          index.add(index.mul(row, form.columns), column.base));
    else if (whole.argument)
      x = emitter.loadAt(
          cast<ShapedType>(whole.argument.getType()).getElementType(),
          function.inputs[whole.argument.getArgNumber()],
          index.add(index.mul(row, whole.inner), start));
    else
      x = emitter.elementAt(reduce.getOperand(), column, 0);
    if (!x) {
      hasFailed = true;
      return;
    }
    Value &sum = sums[r * static_cast<size_t>(level.perThread) +
                      static_cast<size_t>(lane)];
    if (!sum)
      sum = arithmetic.identity();
    sum = arithmetic.step(sum, x, inside);
  }
}

void ColumnCode::addStep(Value first, std::optional<int64_t> rest, Value limit,
                         Sums &sums) {
  for (int64_t lane = 0; lane < level.perThread && !hasFailed; ++lane) {
    const int64_t ahead = lane * level.share;
    Value row = index.add(index.add(first, share), ahead), inside;
    if (ahead >= level.unit || (rest && *rest <= ahead))
      break;
    if (!rest || *rest < ahead + level.share) {
      inside = index.less(row, limit);
      row = index.select(inside, row, index.sub(limit, index(1)));
    }
    addPoint(row, lane, inside, sums);
  }
}

void ColumnCode::loopOver(Value from, Value to, int64_t each, Sums &sums) {
  RowEmitter &outside = emitterAt(index(0));
  for (auto [i, sum] : llvm::enumerate(sums))
    if (!sum)
      sum =
          LaneReduction(
              outside,
              form.reductions[i / static_cast<size_t>(level.perThread)], target)
              .identity();
  auto loop =
      scf::ForOp::create(builder, location, from, to, index(each), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Sums inner(loop.getRegionIterArgs());
  Value begin = index.add(index.mul(unit, level.unit),
                          index.mul(loop.getInductionVar(), level.lanes));
  for (int64_t k = 0; k < each && !hasFailed; ++k)
    addStep(index.add(begin, k * level.lanes), level.lanes, {}, inner);
  scf::YieldOp::create(builder, location, inner);
  sums.assign(loop.getResults().begin(), loop.getResults().end());
}

void ColumnCode::addUnit(Sums &sums) {
  const int64_t lanes = level.lanes;
  Value begin = index.mul(unit, level.unit);
  const int64_t atOnce = std::max<int64_t>(1, level.unrolled / level.perThread);
  if (level.unit == level.lastUnit()) {
    const int64_t complete = level.unit / lanes, rest = level.unit % lanes;
    Value limit = index.add(begin, level.unit);
    const bool isShort =
        (level.unit + level.share - 1) / level.share <= 2 * level.unrolled;
    const int64_t looped = isShort ? 0 : complete / atOnce * atOnce;
    if (looped > 0)
      loopOver(index(0), index(looped), atOnce, sums);
    for (int64_t k = looped; k < complete; ++k)
      addStep(index.add(begin, k * lanes), lanes, {}, sums);
    if (rest > 0)
      addStep(index.add(begin, complete * lanes), rest, limit, sums);
    return;
  }
  Value limit = index.min(index.add(begin, level.unit), level.points);
  Value complete = index.div(index.sub(limit, begin), lanes);
  Value looped = index.mul(index.div(complete, atOnce), atOnce);
  if (level.unit / lanes >= atOnce)
    loopOver(index(0), looped, atOnce, sums);
  if (level.unit / lanes >= 1 && atOnce > 1)
    loopOver(looped, complete, 1, sums);
  if (level.unit % lanes != 0 || level.lastUnit() % lanes != 0)
    addStep(index.add(begin, index.mul(complete, lanes)), std::nullopt, limit,
            sums);
}

Sums ColumnCode::joinOwn(const Sums &sums) {
  RowEmitter &emitter = emitterAt(index(0));
  const auto lanes = static_cast<size_t>(level.perThread);
  Sums joined;
  for (auto [r, reduce] : llvm::enumerate(form.reductions))
    joined.push_back(
        LaneReduction(emitter, reduce, target)
            .joinLanes(Sums(ArrayRef(sums).slice(r * lanes, lanes)), 1));
  return joined;
}

void ColumnCode::exchange(const Sums &own, size_t begin, size_t end) {
  RowEmitter &emitter = emitterAt(index(0));
  for (size_t r = begin; r < end; ++r)
    LaneReduction(emitter, form.reductions[r], target)
        .storeWord(own[r], sharedWordsOf(r), thread);
  mlir::gpu::BarrierOp::create(builder, location);
}

Value ColumnCode::joinShares(RowEmitter &emitter, size_t reduction, Value own) {
  LaneReduction arithmetic(emitter, form.reductions[reduction], target);
  Sums shares = {own};
  for (int64_t s = 1; s < level.share; ++s)
    shares.push_back(arithmetic.loadWord(sharedWordsOf(reduction),
                                         index.add(thread, s * level.width)));
  return arithmetic.joinLanes(shares, 1);
}

Sums ColumnCode::joinInRounds(const Sums &own, Value isFirst) {
  Sums joined;
  for (size_t begin = 0; begin < own.size(); begin += perRound) {
    const size_t end = std::min(begin + perRound, own.size());
    // The words of the round before are read until here.
    if (begin != 0)
      mlir::gpu::BarrierOp::create(builder, location);
    exchange(own, begin, end);
    const ValueRange ofRound = ArrayRef(own).slice(begin, end - begin);
    auto branch = scf::IfOp::create(builder, location, ofRound.getTypes(),
                                    isFirst, /*withElseRegion=*/true);
    joined.append(branch.result_begin(), branch.result_end());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, location, ofRound);
    builder.setInsertionPointToStart(branch.thenBlock());
    RowEmitter &emitter = emitterAt(index(0));
    Sums values;
    for (size_t r = begin; r < end; ++r)
      values.push_back(joinShares(emitter, r, own[r]));
    scf::YieldOp::create(builder, location, values);
  }
  return joined;
}

void ColumnCode::storeResults(RowEmitter &emitter, ArrayRef<Value> values) {
  for (auto [op, value] : llvm::zip_equal(form.reductions, values)) {
    repro::ReduceOp reduce = op;
    const bool mayBeNan =
        LaneReduction(emitter, reduce, target).mayComputeNan();
    emitter.defineColumn(reduce.getResult(), column,
                         mayBeNan ? emitter.markComputed(value) : value);
  }
  // All reads precede the first write.
  SmallVector<Value> results;
  for (Value yielded : kernel.getYielded()) {
    results.push_back(emitter.columnElement(yielded, column));
    if (!results.back()) {
      hasFailed = true;
      return;
    }
  }
  for (auto [value, output] : llvm::zip_equal(results, function.outputs))
    emitter.storeAt(value, output, column.base);
}

/// Emits the end of a launch, for the first thread of each column.
void ColumnCode::finish(const Sums &own, bool isJoined) {
  RowEmitter &emitter = emitterAt(index(0));
  Sums values;
  for (auto [r, reduce] : llvm::enumerate(form.reductions)) {
    values.push_back(isJoined ? own[r] : joinShares(emitter, r, own[r]));
    if (number < function.workspaces.size() / form.reductions.size())
      LaneReduction(emitter, reduce, target)
          .storeWord(values[r], wordsOf(number, r),
                     index.add(index.mul(unit, form.columns), column.base));
  }
  if (number == function.workspaces.size() / form.reductions.size())
    storeResults(emitter, values);
}

LogicalResult ColumnCode::emit() {
  thread = threadId();
  Value block = blockId();
  Value tile = level.units == 1 ? block : index.rem(block, level.tiles);
  unit = level.units == 1 ? index(0) : index.div(block, level.tiles);
  share = level.share == 1 ? index(0) : index.div(thread, level.width);
  Value own =
      index.add(index.mul(tile, level.width), index.rem(thread, level.width));
  if (level.tiles * level.width > form.columns) {
    isColumn = index.less(own, form.columns);
    own = index.select(isColumn, own, index(form.columns - 1));
  }
  column.base = own;
  column.columns = {own};
  if (whole.argument)
    start = index.add(
        index.mul(index.div(own, whole.inner), form.rows * whole.inner),
        index.rem(own, whole.inner));

  Sums sums(form.reductions.size() * static_cast<size_t>(level.perThread));
  addUnit(sums);
  if (hasFailed)
    return failure();
  Sums joined = joinOwn(sums);
  const bool isOneRound = joined.size() <= perRound;
  Value stores = isColumn;
  if (level.share > 1) {
    if (isOneRound)
      exchange(joined, 0, joined.size());
    Value isFirst = index.compare(arith::CmpIPredicate::eq, share, 0);
    if (!isOneRound)
      joined = joinInRounds(joined, isFirst);
    stores = index.both(stores, isFirst);
  }
  when(stores, [&] { finish(joined, /*isJoined=*/!isOneRound); });
  return success(!hasFailed);
}

/// Returns the launches of a kernel if its numbers, of a kernel's `schedule`
/// attribute, are known.
std::optional<SmallVector<ColumnLevel>>
levelsOf(repro::KernelOp kernel, const KernelForm &form, const Target &target) {
  ColumnScheduleOptions options;
  if (Attribute schedule = kernel.getScheduleAttr()) {
    auto fields = dyn_cast<DictionaryAttr>(schedule);
    const std::pair<StringRef, int64_t *> numbers[] = {
        {"width", &options.width},
        {"share", &options.share},
        {"unrolled", &options.unrolled}};
    std::string error;
    if (!fields || !codegen::readScheduleFields(fields, numbers, {}, error))
      return std::nullopt;
  }
  return chooseColumnLevels(form, target, options);
}

class ColumnReduceSchedule final : public Schedule {
public:
  StringRef getName() const override { return "columns"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    const std::optional<ColumnForm> whole = getColumnForm(kernel);
    if (!whole)
      return std::nullopt;
    const KernelForm &form = whole->space;
    for (repro::ReduceOp reduce : form.reductions)
      if (isStorageOnly(*repro::getElementType(
              cast<ShapedType>(reduce.getType()).getElementType())))
        return std::nullopt;
    auto levels = levelsOf(kernel, form, target);
    if (!levels)
      return std::nullopt;
    const auto sums = static_cast<int64_t>(form.reductions.size());
    KernelPlan plan;
    for (auto [number, level] : llvm::enumerate(*levels)) {
      LaunchPlan &launch = plan.launches.emplace_back();
      if (levels->size() > 1)
        launch.suffix = number == 0   ? "units"
                        : number == 1 ? "join"
                                      : "join" + std::to_string(number);
      launch.grid[0] = level.blocks();
      launch.block[0] = level.threads();
      if (level.share > 1)
        launch.sharedBytes = std::min(sums, countRoundSums(level, target)) *
                             level.threads() * kColumnWordBytes;
      if (number + 1 < levels->size())
        plan.workspaces.append(form.reductions.size(),
                               level.units * form.columns * kColumnWordBytes);
    }
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    const ColumnForm form = *getColumnForm(kernel);
    const SmallVector<ColumnLevel> levels =
        *levelsOf(kernel, form.space, target);
    return ColumnCode(kernel, form, levels, launch, target, function, builder)
        .emit();
  }
};

} // namespace

/// Accepts kernels of form ColumnSums (KernelForm.h) with a common order, which
/// is lanes, blocks of lanes or sequential: gradients of biases and scales, and
/// single reductions over the first or middle dimensions.
std::unique_ptr<Schedule> createColumnReduceSchedule() {
  return std::make_unique<ColumnReduceSchedule>();
}

} // namespace gensyn::gpu
