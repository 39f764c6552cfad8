// See RowReduceSchedule.h.

#include "RowReduceSchedule.h"

#include "LaneWalk.h"
#include "RowReduceOrder.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Approximate number of points that a tile reads.
constexpr int64_t kTilePoints = 8192;

/// A reduction over adjacent dimensions [first, end) of its operand; the result
/// has the others, in order.
struct RowForm {
  repro::ReduceOp op;
  unsigned first, end, rank;
  SmallVector<int64_t> shape; ///< of the operand
  Order order;
  int64_t lanes = 0; ///< of a vector

  bool alongRows() const { return end == rank; }
  int64_t points() const {
    return ShapedType::getNumElements(
        ArrayRef(shape).slice(first, end - first));
  }
  /// Results; vectors hold those along the last dimension.
  int64_t rows() const {
    return ShapedType::getNumElements(ArrayRef(shape).take_front(first)) *
           (alongRows() ? 1
                        : ShapedType::getNumElements(
                              ArrayRef(shape).slice(end, rank - 1 - end)));
  }
  int64_t length() const { return alongRows() ? 1 : shape.back(); }

  /// The dimensions that lanes run along.
  int64_t laneDims() const { return alongRows() ? end - first : 1; }
  /// True if vectors of `width` elements begin at multiples of their length.
  bool isAligned(int64_t width) const {
    if (!alongRows())
      return length() % width == 0;
    const Order *inner = &order;
    while (inner->kind() == Order::Kind::Blocked)
      inner = &inner->inner();
    width = std::min(width, inner->laneCount());
    for (const Order *outer = &order; outer != inner; outer = &outer->inner())
      if (outer->blockSize() % width != 0)
        return false;
    return true;
  }
};

/// Returns the most lanes, up to `most`, that all compute elements of the
/// operand by the same operations; 0 if there are none.
int64_t lanesOf(repro::KernelOp kernel, const RowForm &form, int64_t most) {
  constexpr int64_t least = 4; // fewer are not worth a vector
  repro::ReduceOp op = form.op;
  // Faults are those of single elements.
  if (!kernel.getFaultingOps().empty())
    return 0;
  for (int64_t lanes = most; lanes >= least; lanes /= 2)
    if ((form.alongRows() || lanes <= form.length()) &&
        LaneWalk(kernel, lanes, form.laneDims())
            .fits(op.getOperand(), form.isAligned(lanes)))
      return lanes;
  return 0;
}

std::optional<unsigned> dimOf(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition();
  return std::nullopt;
}

std::optional<RowForm> rowFormOf(repro::KernelOp kernel, int64_t mostLanes) {
  if (kernel.getNumResults() != 1)
    return std::nullopt;
  auto op = kernel.getYielded().front().getDefiningOp<repro::ReduceOp>();
  auto type = op ? cast<RankedTensorType>(op.getOperand().getType())
                 : RankedTensorType();
  using Kind = repro::ReduceKind;
  if (!op || !type.getElementType().isF32() || type.getNumElements() == 0 ||
      op.getKind() == Kind::And || op.getKind() == Kind::Or)
    return std::nullopt;
  RowForm form;
  form.op = op;
  form.rank = form.first = form.end = static_cast<unsigned>(type.getRank());
  form.shape.assign(type.getShape().begin(), type.getShape().end());
  repro::DomainAttr domain = op.getDomain();
  ArrayRef<int64_t> extents = domain.getExtents(),
                    reduced = domain.getReduced();
  // Each dimension is an iterator of its own, of the whole extent; the reduced
  // ones are adjacent and in the order of the points.
  SmallVector<unsigned> kept;
  unsigned next = 0;
  for (auto [d, expr] : llvm::enumerate(op.getMap(0).getResults())) {
    auto iterator = dimOf(expr);
    if (!iterator || extents[*iterator] != form.shape[d])
      return std::nullopt;
    if (!domain.isReduced(*iterator)) {
      kept.push_back(*iterator);
      continue;
    }
    if (next == 0)
      form.first = static_cast<unsigned>(d);
    if (next >= reduced.size() || reduced[next] != int64_t{*iterator} ||
        d != form.first + next)
      return std::nullopt;
    form.end = static_cast<unsigned>(d) + 1;
    ++next;
  }
  ArrayRef<AffineExpr> results = op.getMap(1).getResults();
  if (next != reduced.size() || next == 0 || results.size() != kept.size() ||
      extents.size() != kept.size() + next)
    return std::nullopt;
  for (auto [iterator, expr] : llvm::zip_equal(kept, results))
    if (dimOf(expr) != iterator)
      return std::nullopt;
  // A maximum is the same in any order.
  bool ordered = op.getKind() == Kind::Sum || op.getKind() == Kind::Product;
  form.order =
      ordered && op.getOrder() ? op.getOrder()->getOrder() : Order::lanes(32);
  // An exact sum adds integers for one result without lanes; the baseline
  // handles it.
  if (form.order.isExact() || (ordered && !op.getOrder()))
    return std::nullopt;
  if (form.alongRows() && !isRowOrder(form.order))
    return std::nullopt;
  form.lanes = lanesOf(kernel, form, mostLanes);
  if (form.lanes == 0)
    return std::nullopt;
  return form;
}

class RowCode {
public:
  RowCode(repro::KernelOp kernel, const RowForm &form,
          const KernelFunction &function, OpBuilder &builder)
      : kernel(kernel), form(form), walk(kernel, form.lanes, form.laneDims()),
        function(function), b(builder), loc(kernel.getLoc()),
        index(builder, loc), reduce(form.op) {}

  LogicalResult emit(int64_t rowsPerTile) {
    LogicalResult result = success();
    loop(function.begin, function.end, 1, [&](Value tile) {
      Value first = index.mul(tile, rowsPerTile);
      Value last = index.min(index.add(first, rowsPerTile), form.rows());
      loop(first, last, 1, [&](Value row) {
        SmallVector<Value> outer = decode(row);
        result = form.alongRows() ? emitRow(outer) : emitColumns(outer);
      });
    });
    return result;
  }

private:
  /// Emits one result: vectors along the points.
  LogicalResult emitRow(ArrayRef<Value> outer) {
    Value scratch;
    if (int64_t slots = rowScratch(form.order, form.points()))
      scratch = memref::ViewOp::create(
          b, loc, MemRefType::get({slots}, b.getF32Type()), function.scratch,
          index(0), ValueRange());
    bool addresses = true;
    auto element = [&](Value position, int64_t width, int64_t active) -> Value {
      // The position stands for the last index; no other value may use it.
      Value own = arith::AddIOp::create(b, loc, position, index(0));
      WalkEmitter emitter(b, loc, walk, width, own, active);
      emitter.bindAll(kernel, function.inputs, function.faults);
      SmallVector<Value> indices(outer);
      indices.append(form.end - form.first - 1, index(0));
      indices.push_back(own);
      Value value = emitter.element(reduce.getOperand(), indices);
      addresses =
          addresses && emitter.usedForAddressesOnly(*b.getInsertionBlock());
      return value;
    };
    codegen::KernelEmitter scalars(b, loc);
    OrderedRow row(scalars, reduce.getKind(), form.lanes, scratch);
    Value value = row.reduce(form.order, index(0), form.points(), element);
    if (!value)
      return failure();
    if (!addresses)
      return kernel.emitOpError("is not the same for all lanes");
    scalars.store(scalars.markComputed(value), function.outputs.front(), outer);
    return success();
  }

  /// Emits results along the last dimension in vectors, one point after
  /// another.
  LogicalResult emitColumns(ArrayRef<Value> outer) {
    const int64_t width = form.lanes;
    LogicalResult result = success();
    loop(index(0), index(form.length()), width, [&](Value position) {
      // The last vector is shifted to end at the boundary; overlapping vectors
      // compute the same values.
      position = arith::MinUIOp::create(b, loc, position,
                                        index(form.length() - width));
      WalkEmitter emitter(b, loc, walk, width, position, width);
      emitter.bindAll(kernel, function.inputs, function.faults);
      SmallVector<Value> indices(outer);
      indices.push_back(position);
      Value value = emitter.element(reduce.getResult(), indices);
      result = success(static_cast<bool>(value));
      if (!value)
        return;
      emitter.storeLanes(value, function.outputs.front(), indices);
      if (!emitter.usedForAddressesOnly(*b.getInsertionBlock()))
        result = kernel.emitOpError("is not the same for all lanes");
    });
    return result;
  }

  SmallVector<Value> decode(Value row) {
    SmallVector<int64_t> extents(ArrayRef(form.shape).take_front(form.first));
    if (!form.alongRows())
      extents.append(form.shape.begin() + form.end, form.shape.end() - 1);
    return index.delinearize(row, extents);
  }

  void loop(Value begin, Value end, int64_t step,
            function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, loc, begin, end, index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVar());
  }

  repro::KernelOp kernel;
  const RowForm &form;
  LaneWalk walk;
  const KernelFunction &function;
  OpBuilder &b;
  Location loc;
  codegen::IndexBuilder index;
  repro::ReduceOp reduce;
};

class RowReduceSchedule final : public Schedule {
public:
  explicit RowReduceSchedule(int64_t lanes) : lanes(lanes) {}

  StringRef getName() const override { return "row-reduce"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    auto form = rowFormOf(kernel, mostLanes(target));
    if (!form || kernel.getScheduleAttr())
      return std::nullopt;
    LaunchPlan launch;
    int64_t perTile = rowsPerTile(*form);
    launch.tiles = (form->rows() + perTile - 1) / perTile;
    if (form->alongRows())
      launch.scratchBytes = 4 * rowScratch(form->order, form->points());
    KernelPlan plan;
    plan.launches.push_back(launch);
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    auto form = rowFormOf(kernel, mostLanes(target));
    return RowCode(kernel, *form, function, builder).emit(rowsPerTile(*form));
  }

private:
  int64_t mostLanes(const Target &target) const {
    return lanes ? lanes : target.lanes(4);
  }

  static int64_t rowsPerTile(const RowForm &form) {
    return std::max<int64_t>(1, kTilePoints / (form.points() * form.length()));
  }

  int64_t lanes;
};

} // namespace

std::unique_ptr<Schedule> createRowReduceSchedule() {
  return createRowReduceSchedule(0);
}

std::unique_ptr<Schedule> createRowReduceSchedule(int64_t lanes) {
  return std::make_unique<RowReduceSchedule>(lanes);
}

} // namespace gensyn::cpu
