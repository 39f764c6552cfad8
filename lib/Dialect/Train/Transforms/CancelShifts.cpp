// Finds summands without a gradient: those that shift all operands of a softmax
// equally (shift_r1).

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/ReshapeGroups.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "train-cancel-shifts"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINCANCELSHIFTSPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

namespace {
/// A small change of a value that is uniform along some dimensions.
struct Shift {
  llvm::SmallBitVector same;
  /// True if masked elements, whose weight is zero, are not shifted.
  bool isMasked = false;
};

/// Follows a shift through the users of a value.
class ShiftAnalysis {
public:
  /// True if the loss does not depend on `value` through any of its uses.
  bool cancels(Value value, Shift shift);

private:
  bool cancelsAt(OpOperand &use, const Shift &shift);
  bool cancelsInContraction(repro::ContractOp op, unsigned operand,
                            const Shift &shift);

  /// Number of uses that may still be visited: a graph has many paths.
  int budget = 500;
};
} // namespace

/// Returns the dimensions along which a value is uniform.
static llvm::SmallBitVector sameDims(Value value) {
  RankedTensorType type = repro::typeOf(value);
  llvm::SmallBitVector same(type.getRank());
  if (auto broadcast = value.getDefiningOp<repro::BroadcastOp>()) {
    same.set();
    for (int64_t dim : broadcast.getDims())
      same.reset(dim);
  }
  if (Operation *op = value.getDefiningOp(); op && repro::isSplatConstant(op))
    same.set();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) == 1)
      same.set(dim);
  return same;
}

/// Returns the dimensions of a reshape's result along which a value is uniform:
/// those of groups that are uniform along all of their dimensions.
static llvm::SmallBitVector reshapeDims(const llvm::SmallBitVector &same,
                                        ArrayRef<int64_t> from,
                                        ArrayRef<int64_t> to) {
  llvm::SmallBitVector result(to.size());
  for (const repro::ReshapeGroup &group :
       repro::getReshapeGroups(from, to, repro::UnitExtents::Group)) {
    bool all = true;
    for (size_t dim = group.from; dim < group.fromEnd; ++dim)
      all &= same[dim] || from[dim] == 1;
    for (size_t dim = group.to; dim < group.toEnd; ++dim)
      result[dim] = all || to[dim] == 1;
  }
  return result;
}

/// True for a value that makes the softmax weight of an element zero.
static bool isMask(Value value) {
  while (auto broadcast = value.getDefiningOp<repro::BroadcastOp>())
    value = broadcast.getOperand();
  auto constant = value.getDefiningOp<repro::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue())
                           : DenseFPElementsAttr();
  return elements && elements.isSplat() &&
         elements.getSplatValue<APFloat>().convertToDouble() <= -1e8;
}

/// True if the only use of the maximum is to be subtracted from `value`. A
/// logsumexp, which adds it back at the end, does depend on the shift.
static bool isOnlySubtracted(Value greatest, Value value) {
  return llvm::all_of(greatest.getUses(), [&](OpOperand &use) {
    if (isa<repro::BroadcastOp, repro::ReshapeOp>(use.getOwner()))
      return isOnlySubtracted(use.getOwner()->getResult(0), value);
    auto sub = dyn_cast<repro::SubOp>(use.getOwner());
    return sub && sub.getLhs() == value && use.getOperandNumber() == 1;
  });
}

/// Returns the dimensions along which `sub` subtracts the maximum of `value`
/// from it; std::nullopt if it computes something else.
static std::optional<llvm::SmallBitVector> softmaxDims(repro::SubOp sub,
                                                       Value value) {
  if (sub.getLhs() != value)
    return std::nullopt;
  Value top = sub.getRhs();
  llvm::SmallBitVector dims = sameDims(top);
  while (top.getDefiningOp<repro::BroadcastOp>() ||
         top.getDefiningOp<repro::ReshapeOp>())
    top = top.getDefiningOp()->getOperand(0);
  auto stop = top.getDefiningOp<StopGradientOp>();
  auto greatest =
      stop ? stop.getOperand().getDefiningOp<repro::ReduceOp>() : nullptr;
  if (!greatest || greatest.getKind() != repro::ReduceKind::Max ||
      greatest.getOperand() != value || !isOnlySubtracted(stop, value))
    return std::nullopt;
  return dims;
}

bool ShiftAnalysis::cancelsInContraction(repro::ContractOp op, unsigned operand,
                                         const Shift &shift) {
  if (shift.isMasked)
    return false;
  SmallVector<AffineMap> maps(op.getMaps().getAsValueRange<AffineMapAttr>());
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  // An iterator changes the result's shift if the shift or the other operand
  // depends on it.
  llvm::SmallBitVector changes(maps[0].getNumDims());
  for (auto [dim, expr] : llvm::enumerate(maps[operand].getResults()))
    if (!shift.same[dim])
      changes.set(cast<AffineDimExpr>(expr).getPosition());
  for (AffineExpr expr : maps[1 - operand].getResults())
    changes.set(cast<AffineDimExpr>(expr).getPosition());
  Shift next{llvm::SmallBitVector(maps[2].getNumResults())};
  for (auto [dim, expr] : llvm::enumerate(maps[2].getResults()))
    next.same[dim] = !changes[cast<AffineDimExpr>(expr).getPosition()];
  return cancels(op.getResult(), next);
}

bool ShiftAnalysis::cancelsAt(OpOperand &use, const Shift &shift) {
  Operation *op = use.getOwner();
  const unsigned operand = use.getOperandNumber();
  if (isa<StopGradientOp, AssignOp>(op))
    return true;
  if (auto reduce = dyn_cast<repro::ReduceOp>(op))
    return llvm::all_of(reduce->getUsers(), llvm::IsaPred<StopGradientOp>);
  if (auto sub = dyn_cast<repro::SubOp>(op))
    if (auto dims = softmaxDims(sub, use.get()))
      return !dims->test(shift.same); // dims is a subset
  if (op->hasTrait<repro::Additive>())
    return cancels(op->getResult(0), shift);
  if (isa<repro::MulOp>(op) || (isa<repro::DivOp>(op) && operand == 0)) {
    Shift next{sameDims(op->getOperand(1 - operand))};
    next.same &= shift.same;
    return !shift.isMasked && cancels(op->getResult(0), next);
  }
  if (auto reshape = dyn_cast<repro::ReshapeOp>(op)) {
    Shift next{reshapeDims(shift.same, repro::shapeOf(use.get()),
                           repro::shapeOf(reshape.getResult())),
               shift.isMasked};
    return cancels(reshape.getResult(), next);
  }
  if (auto transpose = dyn_cast<repro::TransposeOp>(op)) {
    Shift next = shift;
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      next.same[to] = shift.same[from];
    return cancels(transpose.getResult(), next);
  }
  if (auto slice = dyn_cast<repro::SliceOp>(op))
    return cancels(slice.getResult(), shift);
  if (auto broadcast = dyn_cast<repro::BroadcastOp>(op)) {
    Shift next{llvm::SmallBitVector(
                   repro::typeOf(broadcast.getResult()).getRank(), true),
               shift.isMasked};
    for (auto [from, to] : llvm::enumerate(broadcast.getDims()))
      next.same[to] = shift.same[from];
    return cancels(broadcast.getResult(), next);
  }
  if (auto select = dyn_cast<repro::SelectOp>(op)) {
    Shift next{shift.same, true};
    return operand > 0 && isMask(select->getOperand(3 - operand)) &&
           cancels(select.getResult(), next);
  }
  if (auto contract = dyn_cast<repro::ContractOp>(op))
    return cancelsInContraction(contract, operand, shift);
  return false;
}

bool ShiftAnalysis::cancels(Value value, Shift shift) {
  if (shift.same.none())
    return false;
  for (auto [dim, extent] : llvm::enumerate(repro::shapeOf(value)))
    if (extent == 1)
      shift.same.set(dim);
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    return --budget > 0 && cancelsAt(use, shift);
  });
}

/// Rebuilds the sum as `slice` reads it through the ops of `chain`, with a
/// summand that has no gradient.
static void stopIn(repro::SliceOp slice, repro::AddOp add, unsigned operand,
                   ArrayRef<Operation *> chain) {
  OpBuilder builder(slice);
  IRMapping mapping;
  Value summand = add->getOperand(operand);
  mapping.map(summand, StopGradientOp::create(builder, add.getLoc(),
                                              summand.getType(), summand));
  builder.clone(*add, mapping);
  for (Operation *op : chain)
    builder.clone(*op, mapping);
  slice.getOperandMutable().assign(mapping.lookup(slice.getOperand()));
}

/// A value that is added as a whole may cancel in a slice of it: one bias for
/// queries, keys and values.
static void stopInSlices(repro::AddOp add, unsigned operand, Shift shift) {
  SmallVector<Operation *> chain;
  Value value = add.getResult();
  while (value.hasOneUse()) {
    auto reshape = dyn_cast<repro::ReshapeOp>(*value.user_begin());
    if (!reshape)
      break;
    shift.same = reshapeDims(shift.same, repro::shapeOf(value),
                             repro::shapeOf(reshape.getResult()));
    chain.push_back(reshape);
    value = reshape.getResult();
  }
  SmallVector<repro::SliceOp> slices;
  for (Operation *user : value.getUsers())
    if (auto slice = dyn_cast<repro::SliceOp>(user))
      if (ShiftAnalysis().cancels(slice.getResult(), shift))
        slices.push_back(slice);
  for (repro::SliceOp slice : slices)
    stopIn(slice, add, operand, chain);
}

static void visit(repro::BroadcastOp broadcast) {
  Value value = broadcast.getResult();
  if (!isa<FloatType>(repro::typeOf(value).getElementType()) ||
      broadcast.getOperand().getDefiningOp<repro::ConstantOp>())
    return;
  Shift shift{sameDims(value)};
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    auto add = dyn_cast<repro::AddOp>(use.getOwner());
    if (!add)
      continue;
    if (!ShiftAnalysis().cancels(add.getResult(), shift)) {
      stopInSlices(add, use.getOperandNumber(), shift);
      continue;
    }
    LDBG() << "no gradient flows into operand " << use.getOperandNumber()
           << " of the sum at " << add.getLoc();
    OpBuilder builder(add);
    use.set(
        StopGradientOp::create(builder, add.getLoc(), value.getType(), value));
  }
}

namespace {
struct CancelShifts final
    : train::impl::TrainCancelShiftsPassBase<CancelShifts> {
  using TrainCancelShiftsPassBase::TrainCancelShiftsPassBase;
  void runOnOperation() override {
    SmallVector<repro::BroadcastOp> broadcasts;
    getOperation().walk(
        [&](repro::BroadcastOp op) { broadcasts.push_back(op); });
    for (repro::BroadcastOp op : broadcasts)
      visit(op);
  }
};
} // namespace

#undef DEBUG_TYPE
