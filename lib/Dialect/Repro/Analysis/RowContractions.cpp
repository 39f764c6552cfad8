// See RowContractions.h.

#include "RowContractions.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;

namespace gensyn::repro {
namespace {

/// The iterators that are the indices of a tensor, one for each dimension;
/// nothing for other maps.
std::optional<SmallVector<unsigned>> getIterators(ContractOp op,
                                                  unsigned tensor) {
  Value value = tensor == 2 ? Value(op.getResult()) : op->getOperand(tensor);
  SmallVector<unsigned> iterators;
  for (auto [expr, extent] :
       llvm::zip_equal(op.getMap(tensor).getResults(), shapeOf(value))) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || op.getDomain().getExtents()[dim.getPosition()] != extent ||
        llvm::is_contained(iterators, dim.getPosition()))
      return std::nullopt;
    iterators.push_back(dim.getPosition());
  }
  return iterators;
}

/// True for a chain of all points or of blocks of them.
bool isChain(ContractOp op) {
  if (!op.getOrder())
    return false;
  const Order order = op.getOrder()->getOrder();
  return order.isSequential() ||
         (order.kind() == Order::Kind::Blocked &&
          order.inner().isSequential() && order.outer().isSequential());
}

/// True if the order is one of lanes, in blocks or not.
bool hasLanes(const Order &order) {
  if (order.kind() == Order::Kind::Lanes)
    return order.laneCount() >= 4;
  return order.kind() == Order::Kind::Blocked && hasLanes(order.inner()) &&
         (order.outer().isSequential() || hasLanes(order.outer()));
}

bool isLast(Value value, int64_t columns) {
  return !shapeOf(value).empty() && shapeOf(value).back() == columns;
}

} // namespace

bool RowContraction::has(unsigned tensor, unsigned iterator) const {
  auto contraction = op;
  return llvm::any_of(
      contraction.getMap(tensor).getResults(), [&](AffineExpr expr) {
        return cast<AffineDimExpr>(expr).getPosition() == iterator;
      });
}

int64_t RowContraction::getStride(unsigned tensor, unsigned iterator) const {
  auto contraction = op;
  ArrayRef<int64_t> shape = shapeOf(getTensor(tensor));
  ArrayRef<AffineExpr> indices = contraction.getMap(tensor).getResults();
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
    if (cast<AffineDimExpr>(indices[dim]).getPosition() == iterator)
      return stride;
  return 0;
}

std::optional<RowContraction> asRowContraction(ContractOp op, unsigned full) {
  std::optional<SmallVector<unsigned>> iterators[3];
  for (unsigned tensor : {0, 1, 2}) {
    Value value = tensor == 2 ? Value(op.getResult()) : op->getOperand(tensor);
    iterators[tensor] = getIterators(op, tensor);
    if (!iterators[tensor] || !typeOf(value).getElementType().isF32() ||
        elementsOf(value) > std::numeric_limits<int32_t>::max())
      return std::nullopt;
  }
  const SmallVector<unsigned> &own = *iterators[full];
  if (!isChain(op) || own.size() < 2)
    return std::nullopt;
  auto has = [&](unsigned tensor, unsigned iterator) {
    return llvm::is_contained(*iterators[tensor], iterator);
  };
  RowContraction result = {op, RowContraction::Role::Source, full,
                           own[own.size() - 2], own.back()};
  const unsigned row = result.row, column = result.column;
  ArrayRef<int64_t> extents = op.getDomain().getExtents();
  // The numbers of groups belong to all tensors, or to the result and one.
  for (unsigned iterator : ArrayRef(own).drop_back(2))
    if (op.getDomain().isReduced(iterator))
      return std::nullopt;
  SmallVector<int64_t> reduced;
  for (int64_t iterator : op.getDomain().getReduced())
    if (extents[size_t(iterator)] != 1)
      reduced.push_back(iterator);
  // A single stride of the points.
  if (reduced.size() > 1)
    return std::nullopt;
  auto reduces = [&](unsigned iterator) {
    return op.getDomain().isReduced(iterator);
  };
  if (full == 2) {
    if (has(0, row) == has(1, row) || has(0, column) == has(1, column) ||
        has(0, row) == has(0, column))
      return std::nullopt;
    return result;
  }
  const unsigned other = 1 - full;
  if (reduces(column) == reduces(row))
    return std::nullopt;
  result.role = reduces(column) ? RowContraction::Role::AlongRows
                                : RowContraction::Role::AcrossRows;
  const unsigned along = reduces(column) ? column : row,
                 kept = reduces(column) ? row : column;
  if (!has(other, along) || has(other, kept) || !has(2, kept))
    return std::nullopt;
  for (int64_t iterator : reduced)
    if (iterator != int64_t{along})
      return std::nullopt;
  return result;
}

std::string findRowContractions(KernelOp kernel, KernelForm &form) {
  size_t sources = 0;
  for (auto op : kernel.getBlock().getOps<ContractOp>()) {
    unsigned full = 2;
    for (unsigned operand : {0, 1})
      if (!isa<BlockArgument>(op->getOperand(operand))) {
        if (full != 2)
          return "a contraction of two values of a kernel";
        full = operand;
      }
    std::optional<RowContraction> found = asRowContraction(op, full);
    if (!found)
      return "a contraction that does not go along rows or columns";
    sources += full == 2;
    if (full != 2 && !llvm::all_of(op->getUsers(), [](Operation *user) {
          return isa<YieldOp>(user);
        }))
      return "a contraction of rows is read in the kernel";
    ArrayRef<int64_t> shape = shapeOf(found->getFull());
    const int64_t rows = ShapedType::getNumElements(shape.drop_back());
    const int64_t groupRows = shape.drop_back().back();
    if (form.rowContractions.empty()) {
      form.rowExtents.assign(shape.begin(), shape.end() - 1);
      form.columnExtents = {shape.back()};
      form.rows = rows;
      form.columns = shape.back();
      form.groupRows = groupRows;
    } else if (form.rows != rows || form.columns != shape.back() ||
               form.groupRows != groupRows) {
      return "contractions over different spaces";
    }
    form.rowContractions.push_back(*found);
  }
  if (sources == 0 || sources == form.rowContractions.size())
    return "no contraction of rows";
  return "";
}

std::string checkRowValues(KernelOp kernel, const KernelForm &form) {
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (isa<ContractOp>(op))
      continue;
    Value result = op.getResult(0);
    const Placement placement = form.placementOf(result);
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      using Kind = ReduceKind;
      const bool isOrdered =
          reduce.getKind() == Kind::Sum || reduce.getKind() == Kind::Product;
      if (reduce.getKind() == Kind::And || reduce.getKind() == Kind::Or ||
          !typeOf(result).getElementType().isF32() ||
          (isOrdered && !hasLanes(reduce.getOrder()->getOrder())))
        return "a reduction without lanes";
      if (!isLast(reduce.getOperand(), form.columns))
        return "columns are not the last dimension";
    } else if (!op.hasTrait<OpTrait::Elementwise>() &&
               !op.hasTrait<KeepsElementOrder>() && !isSplatConstant(&op)) {
      return "an op that moves elements between columns";
    }
    if (placement == Placement::Row || placement == Placement::Uniform)
      continue;
    // Indices stay linear in the column.
    const bool needsLast = placement == Placement::Full ||
                           placement == Placement::Column || isa<ReshapeOp>(op);
    if (needsLast && !isLast(result, form.columns))
      return "columns are not the last dimension";
    if (isa<ReshapeOp>(op) && !isLast(op.getOperand(0), form.columns))
      return "columns are not the last dimension";
  }
  return "";
}

} // namespace gensyn::repro
