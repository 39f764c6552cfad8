// Scatters of rows, in the stated order and without atomics (scatter_r1,
// scatter_r2): for example the gradient of an embedding.
//
// The trailing dimensions that updates and result have in common are a row; the
// leading ones number the updates, and an update's indices name its row of the
// result, its target. Three launches:
//
//   base      copies the base, as a pointwise kernel.
//   targets   a thread for each update finds its target, -1 where that is out
//             of range, which faults (scatter_r3).
//   segments  a warp for each update and piece of a row. The warp whose update
//             is the first of its target owns the row; it walks the updates
//             behind it, 32 targets at a time: each lane compares one, a ballot
//             tells all of them which are the row's, and these are applied from
//             the lowest number up, the lanes side by side along the row. All
//             other warps stop at the first equal target before their own.
//
// So every row has one owner that applies its updates in ascending order from
// the base element. Looking for equal targets takes n * n / 32 steps for n
// updates, of one coalesced load each, which is less than sorting them would
// take up to tens of thousands; beyond, columns are left to the baseline.

#include "ScatterSchedule.h"

#include "PointwiseCode.h"
#include "PointwiseEmitter.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"
#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

constexpr int64_t kMostUpdates = 1 << 15;
constexpr int64_t kScatterThreads = 128;

int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

/// The parts of a scatter.
struct ScatterLayout {
  repro::ScatterOp scatter;
  /// Extents of the dimensions that number updates and rows of the result, and
  /// the elements of a row.
  SmallVector<int64_t> updateExtents, rowExtents;
  int64_t updates = 1, row = 1;
  /// Elements of a row that a lane has, side by side.
  int64_t width = 1;

  int64_t pieces() const { return llvm::divideCeil(row, kWarp * width); }
};

/// How many trailing iterators are trailing indices of the result, and nothing
/// else depends on them.
unsigned countRowDims(repro::ScatterOp scatter) {
  ArrayRef<int64_t> from =
      cast<ShapedType>(scatter.getUpdates().getType()).getShape();
  ArrayRef<int64_t> to = cast<ShapedType>(scatter.getType()).getShape();
  unsigned count = 0;
  for (; count < std::min(from.size(), to.size()); ++count) {
    const auto iterator = static_cast<unsigned>(from.size() - 1 - count);
    const auto place = static_cast<unsigned>(to.size() - 1 - count);
    auto dim = dyn_cast<AffineDimExpr>(scatter.getMap(0).getResult(place));
    if (!dim || dim.getPosition() != iterator || from[iterator] != to[place])
      break;
    bool isUsed = false;
    for (unsigned number = 0; number < scatter.getMaps().size(); ++number)
      for (auto [i, expr] :
           llvm::enumerate(scatter.getMap(number).getResults()))
        isUsed |= (number > 0 || i != place) && expr.isFunctionOfDim(iterator);
    if (isUsed)
      break;
  }
  return count;
}

std::optional<ScatterLayout> layOutScatter(repro::KernelOp kernel) {
  repro::ColumnOpInterface column = getColumnOp(kernel);
  auto scatter =
      column ? dyn_cast<repro::ScatterOp>(column.getOperation()) : nullptr;
  if (!scatter || kernel.getScheduleAttr())
    return std::nullopt;
  ArrayRef<int64_t> from =
      cast<ShapedType>(scatter.getUpdates().getType()).getShape();
  ArrayRef<int64_t> to = cast<ShapedType>(scatter.getType()).getShape();
  const unsigned rowDims = countRowDims(scatter);
  ScatterLayout layout;
  layout.scatter = scatter;
  layout.updateExtents.assign(from.begin(), from.end() - rowDims);
  layout.rowExtents.assign(to.begin(), to.end() - rowDims);
  layout.updates = productOf(layout.updateExtents);
  layout.row = productOf(from.take_back(rowDims));
  if (layout.updates == 0 || layout.updates > kMostUpdates || layout.row == 0)
    return std::nullopt;
  while (layout.width < 4 && layout.row % (2 * layout.width) == 0 &&
         layout.row >= 2 * layout.width * kWarp)
    layout.width *= 2;
  return layout;
}

/// Emits the launches.
class ScatterCode {
public:
  ScatterCode(repro::KernelOp kernel, const ScatterLayout &layout,
              const Target &target, const KernelFunction &function,
              OpBuilder &builder)
      : kernel(kernel), scatter(layout.scatter), layout(layout), target(target),
        function(function), builder(builder), location(kernel.getLoc()),
        element(cast<ShapedType>(scatter.getType()).getElementType()),
        i32(builder.getI32Type()) {
    auto x = mlir::gpu::Dimension::x;
    block = mlir::gpu::BlockIdOp::create(builder, location, x);
    thread = mlir::gpu::ThreadIdOp::create(builder, location, x);
  }

  LogicalResult emitBase() {
    PointwiseWork work;
    work.values = {scatter.getBase()};
    work.outputs = {function.outputs[0]};
    work.block = block;
    return emitPointwise(kernel,
                         choosePointwiseShape(kernel, work.values, target),
                         work, target, function, builder);
  }

  LogicalResult emitTargets() {
    OpBuilder::InsertionGuard guard(builder);
    Value number = add(mul(block, kScatterThreads), thread);
    enter(compare(arith::CmpIPredicate::ult, number, index(layout.updates)));
    PointerEmitter emitter(builder, kernel, function, target);
    MLIRContext *context = builder.getContext();
    // Symbols become dimensions behind the iterators.
    SmallVector<Value> values = split(number, layout.updateExtents);
    values.resize(scatter.getMap(0).getNumDims(), index(0));
    for (auto [i, tensor] : llvm::enumerate(scatter.getIndices())) {
      SmallVector<Value> at;
      for (AffineExpr expr :
           scatter.getMap(static_cast<unsigned>(i) + 1).getResults())
        at.push_back(values[cast<AffineDimExpr>(expr).getPosition()]);
      Value found = emitter.element(tensor, at);
      if (!found)
        return failure();
      values.push_back(builder.createOrFold<arith::IndexCastOp>(
          location, builder.getIndexType(), found));
    }
    SmallVector<AffineExpr> symbols;
    for (unsigned i = 0; i < scatter.getIndices().size(); ++i)
      symbols.push_back(
          getAffineDimExpr(scatter.getMap(0).getNumDims() + i, context));
    ArrayRef<int64_t> points =
        cast<ShapedType>(scatter.getUpdates().getType()).getShape();
    repro::IndexMap map = *repro::readIndexMap(scatter.getMap(0));
    Value row = index(0), inside;
    for (auto [dim, extent] : llvm::enumerate(layout.rowExtents)) {
      AffineExpr expr = scatter.getMap(0).getResult(static_cast<unsigned>(dim));
      Value at = emitter.apply(expr.replaceSymbols(symbols), values);
      if (!map[dim].isInside(points, extent)) {
        // As unsigned, so that a negative index is outside too.
        Value fits = compare(arith::CmpIPredicate::ult, at, index(extent));
        inside = inside ? arith::AndIOp::create(builder, location, inside, fits)
                              .getResult()
                        : fits;
      }
      row = add(mul(row, extent), at);
    }
    Value result = arith::IndexCastOp::create(builder, location, i32, row);
    if (inside) {
      Value yes = arith::ConstantOp::create(builder, location,
                                            builder.getBoolAttr(true));
      if (scatter.mayFault())
        emitter.fault(scatter,
                      arith::XOrIOp::create(builder, location, inside, yes),
                      mul(number, layout.row));
      result = arith::SelectOp::create(builder, location, inside, result,
                                       integer(-1));
    }
    emitter.storeAt(result, function.workspaces[0], number);
    return success();
  }

  LogicalResult emitSegments() {
    OpBuilder::InsertionGuard guard(builder);
    const int64_t warps = kScatterThreads / kWarp;
    Value task = add(mul(block, warps), div(thread, kWarp));
    lane = rem(thread, kWarp);
    enter(compare(arith::CmpIPredicate::ult, task,
                  index(layout.updates * layout.pieces())));
    mine = div(task, layout.pieces());
    PointerEmitter plain(builder, kernel, function, target);
    memory = &plain;
    wanted = plain.loadAt(i32, function.workspaces[0], mine);
    enter(compare(arith::CmpIPredicate::sge, wanted, integer(0)));
    enter(compare(arith::CmpIPredicate::eq, findEarlier(), integer(0)));
    Value column =
        mul(add(mul(rem(task, layout.pieces()), kWarp), lane), layout.width);
    // Lanes behind the row's end take part in ballots only.
    Value isActive =
        compare(arith::CmpIPredicate::ult, column, index(layout.row));
    column =
        arith::SelectOp::create(builder, location, isActive, column, index(0));
    Value row = arith::IndexCastOp::create(builder, location,
                                           builder.getIndexType(), wanted);
    Value place = add(mul(row, layout.row), column);
    PointwiseEmitter result(builder, kernel, function, target, place,
                            productOf(layout.rowExtents) * layout.row,
                            layout.width);
    SmallVector<Value> values = readBase(plain, isActive, place);
    values = applyAll(values, column);
    if (hasFailed)
      return failure();
    enter(isActive);
    result.storeLanes(values, function.outputs[0], 0);
    return success();
  }

private:
  using Values = SmallVector<Value>;

  /// What the base has at `place`; lanes that are not active own nothing, so
  /// they may not even look.
  Values readBase(PointerEmitter &emitter, Value isActive, Value place) {
    SmallVector<Type> types(static_cast<size_t>(layout.width),
                            repro::getScalarType(element));
    auto branch = scf::IfOp::create(builder, location, types, isActive,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Values values, nothing;
    for (int64_t i = 0; i < layout.width; ++i)
      values.push_back(
          emitter.loadAt(element, function.outputs[0], place, 1, i));
    scf::YieldOp::create(builder, location, values);
    builder.setInsertionPointToStart(branch.elseBlock());
    nothing.assign(types.size(), emit::Scalar(emitter, element).scalarBits(0));
    scf::YieldOp::create(builder, location, nothing);
    return Values(branch.getResults());
  }

  /// A bit for each of the 32 updates from `first` on that has the wanted
  /// target and whose number is in [begin, end).
  Value ballot(Value first, Value begin, Value end) {
    Value number = add(first, lane);
    Value isThere = arith::AndIOp::create(
        builder, location, compare(arith::CmpIPredicate::uge, number, begin),
        compare(arith::CmpIPredicate::ult, number, end));
    Value last = index(layout.updates - 1);
    Value at = arith::MinUIOp::create(builder, location, number, last);
    Value found = memory->loadAt(i32, function.workspaces[0], at);
    Value isEqual =
        arith::AndIOp::create(builder, location, isThere,
                              compare(arith::CmpIPredicate::eq, found, wanted));
    return NVVM::VoteSyncOp::create(builder, location, i32, integer(-1),
                                    isEqual, NVVM::VoteSyncKind::ballot);
  }

  /// Not 0 where an update before this one has its target.
  Value findEarlier() {
    auto loop = scf::WhileOp::create(
        builder, location, TypeRange{builder.getIndexType(), i32},
        ValueRange{index(0), integer(0)},
        [&](OpBuilder &, Location, ValueRange at) {
          Value goesOn = arith::AndIOp::create(
              builder, location,
              compare(arith::CmpIPredicate::ult, at[0], mine),
              compare(arith::CmpIPredicate::eq, at[1], integer(0)));
          scf::ConditionOp::create(builder, location, goesOn, at);
        },
        [&](OpBuilder &, Location, ValueRange at) {
          Value mask = ballot(at[0], index(0), mine);
          scf::YieldOp::create(builder, location,
                               ValueRange{add(at[0], index(kWarp)), mask});
        });
    return loop.getResult(1);
  }

  /// The values after all updates from this one on.
  Values applyAll(ArrayRef<Value> values, Value column) {
    Value begin = mul(div(mine, kWarp), kWarp), end = index(layout.updates);
    auto loop = scf::ForOp::create(
        builder, location, begin, end, index(kWarp), values,
        [&](OpBuilder &, Location, Value first, ValueRange before) {
          Values carried = {ballot(first, mine, end)};
          carried.append(before.begin(), before.end());
          Values after = applySet(first, carried, column);
          scf::YieldOp::create(builder, location, after);
        });
    return Values(loop.getResults());
  }

  /// Updates whose bits are set, the lowest first.
  Values applySet(Value first, ArrayRef<Value> carried, Value column) {
    auto loop = scf::WhileOp::create(
        builder, location, ValueRange(carried).getTypes(), carried,
        [&](OpBuilder &, Location, ValueRange at) {
          scf::ConditionOp::create(
              builder, location,
              compare(arith::CmpIPredicate::ne, at[0], integer(0)), at);
        },
        [&](OpBuilder &, Location, ValueRange at) {
          Value less =
              arith::SubIOp::create(builder, location, at[0], integer(1));
          Value below = arith::AndIOp::create(
              builder, location, less,
              arith::XOrIOp::create(builder, location, at[0], integer(-1)));
          Value bit = LLVM::CtPopOp::create(builder, location, i32, below);
          Value number =
              add(first, arith::IndexCastOp::create(
                             builder, location, builder.getIndexType(), bit));
          Values next = {arith::AndIOp::create(builder, location, at[0], less)};
          PointwiseEmitter update(builder, kernel, function, target,
                                  add(mul(number, layout.row), column),
                                  layout.updates * layout.row, layout.width);
          for (int64_t i = 0; i < layout.width; ++i) {
            update.setLane(0, i);
            Value value = update.result(scatter.getUpdates());
            hasFailed |= !value;
            next.push_back(value ? meet(update, at[1 + i], value)
                                 : Value(at[1 + i]));
          }
          scf::YieldOp::create(builder, location, next);
        });
    return Values(loop.getResults().drop_front());
  }

  Value meet(PointwiseEmitter &emitter, Value old, Value update) {
    emit::Scalar scalar(emitter, element);
    switch (scatter.getKind()) {
    case repro::ScatterKind::Add:
      return emitter.canonical(scalar.add(old, update));
    case repro::ScatterKind::Mul:
      return emitter.canonical(scalar.mul(old, update));
    case repro::ScatterKind::Min:
      return emitter.canonical(scalar.min(old, update));
    case repro::ScatterKind::Max:
      return emitter.canonical(scalar.max(old, update));
    case repro::ScatterKind::Set:
      break;
    }
    return update;
  }

  /// Goes on where the condition holds.
  void enter(Value condition) {
    auto branch = scf::IfOp::create(builder, location, condition);
    builder.setInsertionPointToStart(branch.thenBlock());
  }

  SmallVector<Value> split(Value number, ArrayRef<int64_t> extents) {
    SmallVector<Value> indices(extents.size());
    for (size_t dim = extents.size(); dim-- > 0;) {
      indices[dim] = dim == 0 ? number : rem(number, extents[dim]);
      number = dim == 0 ? number : div(number, extents[dim]);
    }
    return indices;
  }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, location, value);
  }
  Value integer(int32_t value) {
    return arith::ConstantOp::create(builder, location,
                                     builder.getI32IntegerAttr(value));
  }
  Value add(Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(location, a, b);
  }
  Value mul(Value a, int64_t b) {
    return builder.createOrFold<arith::MulIOp>(location, a, index(b));
  }
  Value div(Value a, int64_t b) {
    return builder.createOrFold<arith::DivUIOp>(location, a, index(b));
  }
  Value rem(Value a, int64_t b) {
    return builder.createOrFold<arith::RemUIOp>(location, a, index(b));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, location, predicate, a, b);
  }

  repro::KernelOp kernel;
  repro::ScatterOp scatter;
  const ScatterLayout &layout;
  const Target &target;
  const KernelFunction &function;
  OpBuilder &builder;
  Location location;
  Type element, i32;
  PointerEmitter *memory = nullptr;
  Value block, thread, lane, mine, wanted;
  bool hasFailed = false;
};

class ScatterRows final : public Schedule {
public:
  StringRef getName() const override { return "scatter"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<ScatterLayout> layout = layOutScatter(kernel);
    if (!layout)
      return std::nullopt;
    PointwiseShape base =
        choosePointwiseShape(kernel, {layout->scatter.getBase()}, target);
    KernelPlan plan;
    constexpr int64_t targetBytes = 4;
    plan.workspaces = {layout->updates * targetBytes};
    auto addLaunch = [&](StringRef suffix, int64_t blocks, int64_t threads) {
      LaunchPlan &launch = plan.launches.emplace_back();
      launch.suffix = suffix.str();
      launch.grid[0] = blocks;
      launch.block[0] = threads;
    };
    addLaunch("base", base.blocksFor(base.elements), base.threads);
    addLaunch("targets", llvm::divideCeil(layout->updates, kScatterThreads),
              kScatterThreads);
    addLaunch("segments",
              llvm::divideCeil(layout->updates * layout->pieces() * kWarp,
                               kScatterThreads),
              kScatterThreads);
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    ScatterLayout layout = *layOutScatter(kernel);
    ScatterCode code(kernel, layout, target, function, builder);
    return launch == 0   ? code.emitBase()
           : launch == 1 ? code.emitTargets()
                         : code.emitSegments();
  }
};

} // namespace

std::unique_ptr<Schedule> createScatterSchedule() {
  return std::make_unique<ScatterRows>();
}

} // namespace gensyn::gpu
