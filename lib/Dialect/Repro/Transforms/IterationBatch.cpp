// See IterationBatch.h.

#include "IterationBatch.h"

#include "gensyn/Dialect/Repro/IR/Batched.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace gensyn::repro {

IterationBatch::IterationBatch(LoopOp loop) : loop(loop) {
  // Operands first, so that classifying does not recurse deeply.
  for (Operation &op : loop.getBlock().without_terminator())
    for (Value result : op.getResults())
      (void)kindOf(result);
}

/// Returns the invariant of an argument; null if it has none. Counted from the
/// end: passes insert carried values while they work.
Value IterationBatch::findInvariant(BlockArgument argument) {
  const size_t fromEnd =
      loop.getBlock().getNumArguments() - argument.getArgNumber();
  OperandRange invariants = loop.getInvariants();
  return fromEnd <= invariants.size() ? invariants[invariants.size() - fromEnd]
                                      : Value();
}

IterationBatch::Kind IterationBatch::kindOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument == loop.getIndex() ? Kind::PerIteration
           : findInvariant(argument)   ? Kind::Common
                                       : Kind::Other;
  if (auto known = kinds.find(value); known != kinds.end())
    return known->second;
  const Kind kind = classify(value.getDefiningOp());
  kinds[value] = kind;
  return kind;
}

IterationBatch::Kind IterationBatch::classify(Operation *op) {
  auto fault = dyn_cast<FaultOpInterface>(op);
  if (op->getNumRegions() > 0 || op->getNumResults() != 1 || !isPure(op) ||
      (fault && fault.mayFault()))
    return Kind::Other;
  Kind kind = Kind::Common;
  for (Value operand : op->getOperands())
    kind = std::max(kind, kindOf(operand));
  if (kind == Kind::PerIteration && !op->hasTrait<OpTrait::Elementwise>() &&
      !isa<BatchableOpInterface>(op))
    return Kind::Other;
  return kind;
}

/// The numbers a and b of a scalar a * i + b, where i is the loop's index.
static std::optional<std::pair<int64_t, int64_t>> readAffine(Value value,
                                                             Value index) {
  if (value == index)
    return std::pair(1, 0);
  Operation *op = value.getDefiningOp();
  DenseElementsAttr constant;
  if (!op)
    return std::nullopt;
  if (matchPattern(value, m_Constant(&constant)) &&
      constant.getElementType().isInteger(64) && constant.isSplat())
    return std::pair(int64_t(0),
                     constant.getSplatValue<APInt>().getSExtValue());
  if (!isa<AddOp, SubOp>(op))
    return std::nullopt;
  auto left = readAffine(op->getOperand(0), index);
  auto right = readAffine(op->getOperand(1), index);
  // Larger numbers could overflow.
  constexpr int64_t most = int64_t(1) << 40;
  for (auto &side : {left, right})
    if (!side || std::abs(side->first) > most || std::abs(side->second) > most)
      return std::nullopt;
  const int64_t sign = isa<AddOp>(op) ? 1 : -1;
  return std::pair(left->first + sign * right->first,
                   left->second + sign * right->second);
}

/// Recognizes a gather of slice i + b or b - i of the first dimension, for
/// which no copy, or a plain one, takes the place of a gather.
std::optional<IterationBatch::Slices>
IterationBatch::readSlices(Operation *op) {
  auto gather = dyn_cast_or_null<GatherOp>(op);
  if (!gather || gather.getIndices().size() != 1 ||
      kindOf(gather.getData()) != Kind::Common ||
      typeOf(gather.getIndices()[0]).getRank() != 0)
    return std::nullopt;
  const unsigned rank = static_cast<unsigned>(gather.getType().getRank());
  if (typeOf(gather.getData()).getRank() != rank + 1)
    return std::nullopt;
  SmallVector<AffineExpr> place = {getAffineSymbolExpr(0, op->getContext())};
  for (unsigned dim = 0; dim < rank; ++dim) {
    place.push_back(getAffineDimExpr(dim, op->getContext()));
    if (gather.getType().getDimSize(dim) !=
        typeOf(gather.getData()).getDimSize(dim + 1))
      return std::nullopt;
  }
  if (gather.getMap(0) != AffineMap::get(rank, 1, place, op->getContext()))
    return std::nullopt;
  auto index = readAffine(gather.getIndices()[0], loop.getIndex());
  if (!index || std::abs(index->first) != 1)
    return std::nullopt;
  const bool isBackwards = index->first < 0;
  const int64_t first =
      isBackwards ? index->second - (trips() - 1) : index->second;
  if (first < 0 || first + trips() > typeOf(gather.getData()).getDimSize(0))
    return std::nullopt;
  return Slices{gather.getData(), first, isBackwards};
}

Value IterationBatch::buildSlices(const Slices &slices, OpBuilder &builder) {
  Value data = common(slices.data, builder);
  auto type = typeOf(data);
  if (type.getDimSize(0) != trips()) {
    SmallVector<int64_t> start(static_cast<size_t>(type.getRank())),
        limit(type.getShape()), stride(start.size(), 1);
    start[0] = slices.first;
    limit[0] = slices.first + trips();
    data = SliceOp::create(builder, loop.getLoc(), data, start, limit, stride);
  }
  return slices.isBackwards
             ? ReverseOp::create(builder, loop.getLoc(), data,
                                 builder.getDenseI64ArrayAttr({0}))
             : data;
}

int64_t IterationBatch::newBytes(Value value) {
  if (kindOf(value) == Kind::Common || built.count(value))
    return 0;
  Operation *op = value.getDefiningOp();
  const int64_t own = bytesOf(value) * trips();
  if (!op)
    return own;
  if (auto slices = readSlices(op))
    return slices->isBackwards ? own : 0;
  int64_t sum = isa<ReshapeOp>(op) ? 0 : own;
  for (Value operand : op->getOperands())
    sum += newBytes(operand);
  return sum;
}

Value IterationBatch::common(Value value, OpBuilder &builder) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return findInvariant(argument);
  if (auto known = built.find(value); known != built.end())
    return known->second;
  IRMapping mapping;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, common(operand, builder));
  return built[value] = builder.clone(*op, mapping)->getResult(0);
}

Value IterationBatch::perIteration(Value value, OpBuilder &builder) {
  if (auto known = built.find(value); known != built.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return built[value] = IotaOp::create(
               builder, loop.getLoc(),
               RankedTensorType::get({trips()}, builder.getI64Type()), 0);
  if (auto slices = readSlices(op))
    return built[value] = buildSlices(*slices, builder);
  SmallVector<Value> operands;
  SmallVector<bool> isBatched;
  for (Value operand : op->getOperands()) {
    isBatched.push_back(kindOf(operand) == Kind::PerIteration);
    operands.push_back(isBatched.back() ? perIteration(operand, builder)
                                        : common(operand, builder));
  }
  return built[value] = buildBatched(builder, op, trips(), operands, isBatched);
}

int64_t findBudget(LoopOp loop) {
  constexpr int64_t least = 1 << 16;
  int64_t bytes = 0;
  for (Value value : loop->getOperands())
    bytes += bytesOf(value);
  for (Value value : loop->getResults())
    bytes += bytesOf(value);
  return std::max(bytes, least);
}

Value addInvariant(LoopOp loop, Value value) {
  loop.getInvariantsMutable().append(value);
  return loop.getBlock().addArgument(value.getType(), value.getLoc());
}

} // namespace gensyn::repro
