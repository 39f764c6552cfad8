// See StripLayout.h.

#include "StripLayout.h"

#include "MaskedElements.h"
#include "OperandLimits.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;

namespace gensyn::gpu {

using Role = repro::RowContraction::Role;

/// Accumulators of a thread, with which three blocks are on a multiprocessor.
static constexpr int64_t kMostAccumulators = 128;

/// The reductions and the sources that `roots` need in one walk: reductions
/// are numbers of a row, which are known by then.
static void collect(ArrayRef<Value> roots,
                    llvm::SetVector<Operation *> &found) {
  SmallVector<Value> open(roots);
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<repro::ReduceOp, repro::ContractOp>(op))
      found.insert(op);
    else
      open.append(op->operand_begin(), op->operand_end());
  }
}

static SmallVector<unsigned> groupIterators(const repro::RowContraction &of) {
  SmallVector<unsigned> iterators;
  for (AffineExpr expr :
       repro::ContractOp(of.op).getMap(of.full).getResults().drop_back(2))
    iterators.push_back(cast<AffineDimExpr>(expr).getPosition());
  return iterators;
}

static StripTensor viewTensor(const repro::RowContraction &contraction,
                              unsigned number, unsigned iterator) {
  StripTensor tensor;
  tensor.number = number;
  for (unsigned group : groupIterators(contraction))
    tensor.groupStrides.push_back(contraction.getStride(number, group));
  tensor.stride = contraction.getStride(number, iterator);
  return tensor;
}

static SmallVector<int64_t> groupExtents(const repro::RowContraction &of) {
  return llvm::to_vector(repro::shapeOf(of.getFull()).drop_back(2));
}

StripLayout::StripLayout(repro::KernelOp kernel, const repro::KernelForm &form,
                         StripSide side, const Target &target,
                         SmallVectorImpl<int64_t> &workspaces)
    : side(side), groups(form.rows / form.groupRows),
      fixedExtent(side == StripSide::Rows ? form.groupRows : form.columns),
      movingExtent(side == StripSide::Rows ? form.columns : form.groupRows) {
  const Role own = side == StripSide::Rows ? Role::AlongRows : Role::AcrossRows;
  if (side == StripSide::Rows) {
    int64_t count = 0;
    for (repro::ReduceOp reduce : form.reductions)
      if (reduce.getOrder()) {
        Order order = reduce.getOrder()->getOrder();
        while (order.kind() == Order::Kind::Blocked)
          order = order.inner();
        isSupported &= order.kind() == Order::Kind::Lanes &&
                       (count == 0 || count == order.laneCount());
        count = order.kind() == Order::Kind::Lanes ? order.laneCount() : 0;
      }
    if (count > 0) {
      isSupported &= count >= kShared && count <= 8 * kShared;
      lanes = std::clamp<int64_t>(count / kShared, 1, 8);
    }
    tn = std::max(tn, lanes);
  }
  for (const repro::RowContraction &contraction : form.rowContractions) {
    if (contraction.role == Role::Source)
      addSource(contraction);
    else if (contraction.role == own)
      addSum(contraction);
  }
  addWalks(kernel, form);
  while (tm > 2 && registers() > kMostAccumulators)
    tm /= 2;
  placeShared();
  while (tm > 2 && sharedBytes > target.sharedBytes) {
    tm /= 2;
    placeShared();
  }
  isSupported &= sharedBytes <= target.sharedBytes &&
                 registers() <= kMostAccumulators &&
                 groups * strips() < std::numeric_limits<int32_t>::max();
  for (StripSum &sum : sums)
    if (sum.blockTiles > 0) {
      sum.partial = workspaces.size();
      workspaces.push_back(4 * blocks() * fixed() * 16 * sum.perThread *
                           sum.panels);
    }
}

void StripLayout::addSource(const repro::RowContraction &contraction) {
  repro::ContractOp op = contraction.op;
  StripSource source;
  source.contraction = contraction;
  source.groupExtents = groupExtents(contraction);
  const unsigned fixedIterator = side == StripSide::Rows ? contraction.row
                                                         : contraction.column,
                 movingIterator = side == StripSide::Rows ? contraction.column
                                                          : contraction.row;
  const unsigned kept = contraction.has(0, fixedIterator) ? 0 : 1;
  source.kept = viewTensor(contraction, kept, fixedIterator);
  source.moved = viewTensor(contraction, 1 - kept, movingIterator);
  for (int64_t point : op.getDomain().getReduced()) {
    const int64_t extent = op.getDomain().getExtents()[size_t(point)];
    if (extent == 1)
      continue;
    source.points = extent;
    source.keptPointStride = contraction.getStride(kept, unsigned(point));
    source.movedPointStride = contraction.getStride(1 - kept, unsigned(point));
  }
  const Order order = op.getOrder()->getOrder();
  isSupported &= order.isSequential() || order.blockSize() >= source.points;
  sources.push_back(source);
}

void StripLayout::addSum(const repro::RowContraction &contraction) {
  repro::ContractOp op = contraction.op;
  StripSum sum;
  sum.contraction = contraction;
  sum.groupExtents = groupExtents(contraction);
  const bool isOfRows = side == StripSide::Rows;
  const unsigned kept = isOfRows ? contraction.row : contraction.column,
                 summed = isOfRows ? contraction.column : contraction.row;
  const unsigned factor = 1 - contraction.full;
  sum.factor = viewTensor(contraction, factor, summed);
  sum.result = viewTensor(contraction, 2, kept);
  llvm::SmallDenseSet<unsigned> used = {kept, summed};
  used.insert_range(groupIterators(contraction));
  ArrayRef<int64_t> extents = op.getDomain().getExtents();
  for (unsigned iterator = 0; iterator < extents.size(); ++iterator)
    if (!used.contains(iterator) && extents[iterator] != 1)
      sum.axes.push_back({extents[iterator],
                          contraction.getStride(factor, iterator),
                          contraction.getStride(2, iterator)});
  llvm::stable_sort(sum.axes, [](const auto &x, const auto &y) {
    return x.inResult > y.inResult;
  });
  for (const StripSum::Axis &axis : sum.axes)
    sum.width *= axis.extent;
  sum.perThread = sum.width <= kShared ? 1 : sum.width <= 2 * kShared ? 2 : 4;
  sum.panels = llvm::divideCeil(sum.width, kShared * sum.perThread);
  const Order order = op.getOrder()->getOrder();
  if (!order.isSequential() && order.blockSize() < movingExtent) {
    isSupported &= order.blockSize() % moving() == 0;
    sum.blockTiles = std::max<int64_t>(order.blockSize() / moving(), 1);
  }
  sums.push_back(sum);
}

void StripLayout::addReduction(repro::ReduceOp op) {
  StripReduction reduction;
  reduction.op = op;
  if (op.getOrder()) {
    const Order order = op.getOrder()->getOrder();
    if (order.kind() == Order::Kind::Blocked &&
        order.blockSize() < movingExtent) {
      isSupported &= order.inner().kind() == Order::Kind::Lanes &&
                     order.blockSize() % moving() == 0;
      reduction.blockTiles = std::max<int64_t>(order.blockSize() / moving(), 1);
      reduction.blocks = llvm::divideCeil(tiles(), reduction.blockTiles);
      isSupported &= reduction.blocks <= 256;
    }
  }
  reductions.push_back(reduction);
}

void StripLayout::addWalks(repro::KernelOp kernel,
                           const repro::KernelForm &form) {
  if (side == StripSide::Rows)
    for (repro::ReduceOp reduce : form.reductions)
      addReduction(reduce);
  const unsigned phases = side == StripSide::Rows ? form.numPhases() : 0;
  MaskedElements masked(form);
  for (unsigned phase = 0; phase <= phases; ++phase) {
    StripWalk walk;
    SmallVector<Value> roots;
    if (side == StripSide::Rows)
      for (auto [number, reduction] : llvm::enumerate(reductions))
        if (form.phaseOf(reduction.getOp().getOperand()) == phase) {
          walk.reductions.push_back(unsigned(number));
          roots.push_back(reduction.getOp().getOperand());
        }
    for (auto [number, sum] : llvm::enumerate(sums))
      if (side == StripSide::Columns ||
          form.phaseOf(sum.contraction.getFull()) == phase) {
        walk.sums.push_back(unsigned(number));
        roots.push_back(sum.contraction.getFull());
      }
    if (roots.empty())
      continue;
    llvm::SetVector<Operation *> needed;
    collect(roots, needed);
    for (auto [number, source] : llvm::enumerate(sources))
      if (needed.contains(source.contraction.op))
        walk.sources.push_back(unsigned(number));
    // In the order of the kernel.
    if (side == StripSide::Columns)
      for (repro::ReduceOp reduce : form.reductions)
        if (needed.contains(reduce))
          addReduction(reduce);
    walk.mayBeMasked =
        llvm::all_of(walk.reductions,
                     [&](unsigned number) {
                       repro::ReduceOp op = reductions[number].op;
                       if (op.getKind() == repro::ReduceKind::Sum)
                         return masked.canBeZero(op.getOperand());
                       return (op.getKind() == repro::ReduceKind::Max ||
                               op.getKind() == repro::ReduceKind::Min) &&
                              masked.canBeKnown(op.getOperand());
                     }) &&
        llvm::all_of(walk.sums, [&](unsigned number) {
          return masked.canBeZero(sums[number].contraction.getFull());
        });
    walks.push_back(walk);
  }
}

int64_t StripLayout::registers() const {
  int64_t most = 0;
  for (const StripWalk &walk : walks) {
    int64_t count = int64_t(walk.sources.size()) * tm * tn;
    if (side == StripSide::Rows)
      count += int64_t(walk.reductions.size()) * tm * lanes;
    for (unsigned sum : walk.sums)
      count += tm * sums[sum].perThread * sums[sum].panels;
    most = std::max(most, count);
  }
  return most;
}

void StripLayout::placeShared() {
  int64_t bytes = 0;
  auto take = [&](int64_t elements) {
    const int64_t offset = bytes;
    bytes = llvm::alignTo(bytes + 4 * elements, 16);
    return offset;
  };
  kept.clear();
  stageBytes = 0;
  for (const StripSource &source : sources) {
    kept.push_back(take(llvm::alignTo(source.points, kPoints) *
                        pitch(std::max<int64_t>(fixed(), 32))));
    stageBytes = std::max(stageBytes, 4 * kPoints * pitch(moving()));
  }
  for (const StripSum &sum : sums)
    stageBytes = std::max(stageBytes, 4 * kPoints * pitch(sum.positions()));
  stage = take(2 * stageBytes / 4);
  if (!sums.empty())
    tile = take(moving() * pitch(fixed()));
  if (side == StripSide::Rows)
    for (StripReduction &reduction : reductions) {
      reduction.row = take(fixed());
      reduction.parts =
          take(reduction.blockTiles ? reduction.blocks * fixed() : int64_t{0});
    }
  votes = take(OperandLimits::kSharedBytes / 4);
  sharedBytes = bytes;
}

StripLaunches::StripLaunches(repro::KernelOp kernel, const Target &target)
    : form(repro::getKernelForm(kernel)) {
  const bool addsRows = llvm::any_of(form.rowContractions, [](auto &one) {
    return one.role == Role::AcrossRows;
  });
  const bool hasRows = !form.reductions.empty() ||
                       llvm::any_of(form.rowContractions, [](auto &one) {
                         return one.role == Role::AlongRows;
                       });
  // Used if a walk may be masked.
  workspaces.push_back(OperandLimits::kWorkspaceBytes);
  if (hasRows)
    launches.emplace_back(kernel, form, StripSide::Rows, target, workspaces);
  if (!addsRows)
    return;
  StripLayout columns(kernel, form, StripSide::Columns, target, workspaces);
  for (StripReduction &read : columns.reductions) {
    auto written = llvm::find_if(launches.front().reductions,
                                 [&](auto &one) { return one.op == read.op; });
    written->workspace = read.workspace = workspaces.size();
    workspaces.push_back(4 * form.rows);
  }
  launches.push_back(columns);
}

SmallVector<BlockArgument> StripLaunches::listOperands() const {
  llvm::SetVector<BlockArgument> found;
  for (const repro::RowContraction &contraction : form.rowContractions)
    for (unsigned operand : {0, 1})
      if (auto argument =
              dyn_cast<BlockArgument>(contraction.getTensor(operand)))
        found.insert(argument);
  return found.takeVector();
}

} // namespace gensyn::gpu
