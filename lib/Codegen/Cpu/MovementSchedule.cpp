// Movement kernels: vectors along the last dimension of the results.

#include "Common/RowTiles.h"
#include "LaneSquares.h"
#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Approximate number of elements that a tile computes.
constexpr int64_t kTileElements = 4096;
/// Fewer lanes are not worth a vector.
constexpr int64_t kLeastLanes = 4;

/// The iteration over the results. The last dimension of the shape is their
/// last `joined` ones.
struct MovementWalk : RowTiles {
  int64_t joined = 1;
  /// Elements of a vector along the last dimension.
  int64_t width = 0;
  /// The remaining elements are the first lanes of a vector.
  bool hasMask = false;
  /// The dimension that so many rows as a vector has lanes run along, which are
  /// computed together, and its extent; the shape has the number of such
  /// squares, rounded up.
  std::optional<size_t> rowDim;
  int64_t rows = 0;

  int64_t length() const { return shape.back(); }
  int64_t rest() const { return length() % width; }
  int64_t whole() const { return length() - rest(); }
  /// Loads and stores of a row per element of it.
  double cost() const {
    const int64_t parts = length() / width + (hasMask ? rest() > 0 : rest());
    return double(parts) / double(length());
  }
};

/// True if every element in memory takes the bytes of a vector's lane: those of
/// less take more than an instruction to load with a mask on some processors.
bool hasWideElements(repro::KernelOp kernel) {
  auto isWide = [](Type type) {
    Type element =
        codegen::getScalarType(cast<ShapedType>(type).getElementType());
    return element.getIntOrFloatBitWidth() >= 32;
  };
  return llvm::all_of(kernel->getOperandTypes(), isWide) &&
         llvm::all_of(kernel.getResultTypes(), isWide);
}

/// Finds a dimension of the results that an operand has its adjacent elements
/// along, because it is transposed: vectors along the results' last dimension
/// would be gathered. The code of all rows of a square must be short.
std::optional<size_t> findRowDim(repro::KernelOp kernel,
                                 const MovementWalk &walk) {
  constexpr ptrdiff_t mostOps = 16;
  auto ops = kernel.getBlock().without_terminator();
  if (llvm::range_size(ops) > mostOps || !hasWideElements(kernel) ||
      !llvm::all_of(ops, [](Operation &op) {
        return repro::getElementCost(&op) <= repro::ElementCost::Several;
      }))
    return std::nullopt;
  ArrayRef<int64_t> shape = repro::shapeOf(kernel.getResult(0));
  for (auto transpose : kernel.getBlock().getOps<repro::TransposeOp>()) {
    ArrayRef<int64_t> from = transpose.getPermutation();
    const auto *place = llvm::find(from, int64_t(from.size()) - 1);
    // The same dimension of the results, if nothing after it has changed.
    const auto back = size_t(from.end() - place);
    if (back > size_t(walk.joined) && back <= shape.size() &&
        shape.take_back(back) ==
            repro::shapeOf(transpose.getResult()).take_back(back) &&
        shape[shape.size() - back] >= walk.width)
      return shape.size() - back;
  }
  return std::nullopt;
}

std::optional<MovementWalk> findMovementWalk(repro::KernelOp kernel,
                                             const Target &target) {
  ArrayRef<int64_t> shape =
      cast<ShapedType>(kernel.getResult(0).getType()).getShape();
  for (Type type : kernel.getResultTypes())
    if (cast<ShapedType>(type).getShape() != shape)
      return std::nullopt;
  if (shape.empty() || llvm::is_contained(shape, 0))
    return std::nullopt;
  MovementWalk best;
  double least = 1;
  for (size_t joined = 1; joined <= shape.size(); ++joined) {
    const int64_t length = llvm::product_of(shape.take_back(joined));
    if (joined > 1 && length > kTileElements)
      break;
    MovementWalk walk;
    walk.shape.assign(shape.begin(), shape.end() - long(joined));
    walk.shape.push_back(length);
    walk.joined = int64_t(joined);
    for (walk.width = target.lanes(4); walk.width >= kLeastLanes;
         walk.width /= 2) {
      walk.hasMask = target.hasMaskedAccess && length >= kLeastLanes &&
                     hasWideElements(kernel);
      // As wide as it can be without lanes that are masked everywhere.
      const bool isNarrower = best.width > 0 && walk.joined == best.joined;
      if (isNarrower ? walk.cost() > least : walk.cost() >= least)
        continue;
      LaneWalk lanes(kernel, walk.width, walk.joined);
      if (!llvm::all_of(kernel.getYielded(),
                        [&](Value value) { return lanes.fits(value); }))
        continue;
      best = walk;
      least = walk.cost();
    }
  }
  if (best.width == 0)
    return std::nullopt;
  best.rowDim = findRowDim(kernel, best);
  if (best.rowDim) {
    int64_t &extent = best.shape[*best.rowDim];
    best.rows = std::exchange(extent, llvm::divideCeil(extent, best.width));
  }
  best.divide(best.rowDim ? kTileElements / best.width : kTileElements);
  return best;
}

/// Emits the tiles of a launch.
class MovementEmitter {
public:
  MovementEmitter(repro::KernelOp kernel, const MovementWalk &walk,
                  const KernelFunction &function, OpBuilder &b)
      : kernel(kernel), walk(walk), function(function), b(b),
        loc(kernel.getLoc()), index(b, loc),
        lanes(kernel, walk.width, walk.joined) {}

  LogicalResult emit() {
    Value tile = enter(function.begin, function.end, 1);
    Operation *outermost = b.getInsertionBlock()->getParentOp();
    indices = index.delinearize(tile, walk.tiledExtents());
    for (int64_t extent : walk.loopExtents())
      indices.push_back(enter(index(0), index(extent), 1));
    // Zeros for the dimensions that the last one is joined with.
    indices.append(size_t(walk.joined) - 1, index(0));
    if (failed(walk.rowDim ? emitSquare() : emitRows(/*isSquare=*/false)))
      return failure();
    b.setInsertionPointAfter(outermost);
    return success();
  }

private:
  Value enter(Value begin, Value end, int64_t step) {
    auto loop = scf::ForOp::create(b, loc, begin, end, index(step));
    b.setInsertionPoint(loop.getBody()->getTerminator());
    return loop.getInductionVar();
  }

  /// Emits the elements at `indices`.
  template <class Emitter, class Store>
  LogicalResult emitElements(Emitter &emitter, Store store) {
    emitter.bindAll(kernel, function.inputs, function.faults);
    FailureOr<SmallVector<Value>> values = emitter.results(kernel, indices);
    if (failed(values))
      return failure();
    for (auto [value, output] : llvm::zip_equal(*values, function.outputs))
      (emitter.*store)(value, output, indices);
    return success();
  }

  /// Emits a vector from `first` on, or that of each row of a square.
  LogicalResult emitLanes(Value first, int64_t active, bool isSquare) {
    indices.push_back(first);
    LogicalResult emitted = success();
    if (isSquare) {
      const Value firstRow = indices[*walk.rowDim];
      LaneSquare square{firstRow, b.getInsertionBlock()};
      for (int64_t row = 0; row < walk.width && succeeded(emitted); ++row) {
        if (row > 0)
          indices[*walk.rowDim] = index.add(firstRow, index(row));
        SquareEmitter emitter(b, loc, lanes, walk.width, first, active, square,
                              row);
        emitted = emitElements(emitter, &WalkEmitter::storeLanes);
      }
      indices[*walk.rowDim] = firstRow;
    } else {
      WalkEmitter emitter(b, loc, lanes, walk.width, first, active);
      emitted = emitElements(emitter, &WalkEmitter::storeLanes);
    }
    indices.pop_back();
    return emitted;
  }

  /// Emits what vectors leave of a row, one by one.
  LogicalResult emitRest() {
    indices.push_back(enter(index(walk.whole()), index(walk.length()), 1));
    codegen::KernelEmitter emitter(b, loc);
    const LogicalResult emitted =
        emitElements(emitter, &codegen::KernelEmitter::store);
    indices.pop_back();
    return emitted;
  }

  LogicalResult forEachRow(Value begin, Value end,
                           function_ref<LogicalResult()> emitRow) {
    OpBuilder::InsertionGuard guard(b);
    const Value row = indices[*walk.rowDim];
    indices[*walk.rowDim] = enter(begin, end, 1);
    const LogicalResult emitted = emitRow();
    indices[*walk.rowDim] = row;
    return emitted;
  }

  /// Emits a row, or the rows of a square from that of `indices` on.
  LogicalResult emitRows(bool isSquare) {
    if (walk.whole() > 0) {
      OpBuilder::InsertionGuard guard(b);
      if (failed(emitLanes(enter(index(0), index(walk.whole()), walk.width),
                           walk.width, isSquare)))
        return failure();
    }
    if (walk.rest() == 0)
      return success();
    OpBuilder::InsertionGuard guard(b);
    // The emitter needs an index to follow, which is no constant.
    if (walk.hasMask)
      return emitLanes(
          enter(index(walk.whole()), index(walk.length()), walk.width),
          walk.rest(), isSquare);
    if (!isSquare)
      return emitRest();
    const Value first = indices[*walk.rowDim];
    return forEachRow(first, index.add(first, index(walk.width)),
                      [&] { return emitRest(); });
  }

  /// Emits the square whose number is in `indices`; the last one may have fewer
  /// rows, which are emitted one by one.
  LogicalResult emitSquare() {
    const Value square = indices[*walk.rowDim];
    const Value firstRow = index.mul(square, index(walk.width));
    indices[*walk.rowDim] = firstRow;
    if (walk.rows % walk.width == 0)
      return emitRows(/*isSquare=*/true);
    Value isWhole =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, square,
                              index(walk.rows / walk.width));
    auto branch = scf::IfOp::create(b, loc, isWhole, /*withElse=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    if (failed(emitRows(/*isSquare=*/true)))
      return failure();
    b.setInsertionPointToStart(branch.elseBlock());
    return forEachRow(firstRow, index(walk.rows),
                      [&] { return emitRows(/*isSquare=*/false); });
  }

  repro::KernelOp kernel;
  const MovementWalk &walk;
  const KernelFunction &function;
  OpBuilder &b;
  Location loc;
  const codegen::IndexBuilder index;
  const LaneWalk lanes;
  SmallVector<Value> indices; ///< of what is emitted
};

class MovementSchedule final : public Schedule {
public:
  StringRef getName() const override { return "movement"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (kernel.getScheduleAttr())
      return std::nullopt;
    auto walk = findMovementWalk(kernel, target);
    if (!walk)
      return std::nullopt;
    KernelPlan plan;
    plan.launches.emplace_back().tiles = walk->tiles;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &b) const override {
    const MovementWalk walk = *findMovementWalk(kernel, target);
    return MovementEmitter(kernel, walk, function, b).emit();
  }
};

} // namespace

/// Accepts kernels of elementwise ops and ops that move elements (broadcasts,
/// transposes, reshapes, slices, pads, concats, reverses, gathers by indices
/// that are uniform along a row) if every vector of results along their last
/// dimension reads elements with a constant stride: vectors must not cross the
/// boundary of a part of a pad or concat, or of a dimension that a reshape
/// splits.
std::unique_ptr<Schedule> createMovementSchedule() {
  return std::make_unique<MovementSchedule>();
}

} // namespace gensyn::cpu
