// contract, reduce and arg_reduce: rules, text forms, canonical form.

#include "WindowGroups.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

/// `[in, zero]`, kept as an array of numbers.
namespace gensyn::repro {
ParseResult parseBounds(OpAsmParser &parser, DenseI32ArrayAttr &bounds) {
  SmallVector<int32_t> values;
  auto parseOne = [&]() -> ParseResult {
    StringRef keyword;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    auto bound = symbolizeBound(keyword);
    if (!bound)
      return parser.emitError(location)
             << "'" << keyword << "' is none of in, zero, skip";
    values.push_back(static_cast<int32_t>(*bound));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne))
    return failure();
  bounds = parser.getBuilder().getDenseI32ArrayAttr(values);
  return success();
}

void printBounds(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr bounds) {
  printer << '[';
  llvm::interleaveComma(bounds.asArrayRef(), printer, [&](int32_t bound) {
    printer << stringifyBound(static_cast<Bound>(bound));
  });
  printer << ']';
}

} // namespace gensyn::repro

/// contract_c1: the operand types that are valid for a result type.
static bool contracts(Type operand, Type result) {
  if (isa<FloatType>(result))
    return isa<FloatType>(operand) &&
           operand.getIntOrFloatBitWidth() <= result.getIntOrFloatBitWidth();
  return isa<IntegerType>(operand) &&
         operand.isUnsignedInteger() == result.isUnsignedInteger() &&
         operand.getIntOrFloatBitWidth() <= result.getIntOrFloatBitWidth();
}

LogicalResult ContractOp::verify() {
  if (failed(verifyDomain(*this, getDomain(), getMaps(), getOperands())))
    return failure();
  for (Value operand : getOperands())
    if (!contracts(getElementTypeOrSelf(operand),
                   getElementTypeOrSelf(getResult())))
      return emitOpError("contracts ")
             << getElementTypeOrSelf(operand) << " to "
             << getElementTypeOrSelf(getResult());
  if (getBounds().size() != 2)
    return emitOpError("has ") << getBounds().size() << " bounds, expected 2";
  auto space =
      *IterationSpace::get(getDomain(), getMaps(), getOperands(), getResult());
  for (unsigned i = 0; i < 2; ++i)
    if (getBound(i) == Bound::In && space.mayLeave(i))
      return emitOpError("operand ")
             << i << " is indexed outside its shape, but its bound is 'in'";
  if (getOrder() && !isa<FloatType>(getElementTypeOrSelf(getResult())))
    return emitOpError("has an order, but integer sums need none");
  return success();
}

/// Replaces a transposed operand by the untransposed one under a permuted map:
/// the movement disappears, the points and their order stay.
LogicalResult ContractOp::canonicalize(ContractOp op,
                                       PatternRewriter &rewriter) {
  bool changed = false;
  for (OpOperand &operand : op->getOpOperands()) {
    // A contraction widens narrow floats itself (contract_r2).
    if (auto convert = operand.get().getDefiningOp<ConvertOp>()) {
      Type from = getElementTypeOrSelf(convert.getOperand());
      if (getElementTypeOrSelf(convert).isF32() &&
          (from.isF16() || from.isBF16())) {
        rewriter.modifyOpInPlace(op,
                                 [&] { operand.set(convert.getOperand()); });
        changed = true;
        continue;
      }
    }
    auto transpose = operand.get().getDefiningOp<TransposeOp>();
    if (!transpose)
      continue;
    rewriter.modifyOpInPlace(op, [&] {
      op.readUntransposed(operand.getOperandNumber(),
                          transpose.getPermutation());
      operand.set(transpose.getOperand());
    });
    changed = true;
  }
  if (!changed)
    return rewriter.notifyMatchFailure(op, "no operand is a transpose");
  return success();
}

void ContractOp::readUntransposed(unsigned operand,
                                  ArrayRef<int64_t> permutation) {
  SmallVector<Attribute> maps(getMaps().getAsRange<Attribute>());
  AffineMap map = getMap(operand);
  SmallVector<AffineExpr> exprs(map.getNumResults());
  for (auto [i, dim] : llvm::enumerate(permutation))
    exprs[dim] = map.getResult(i);
  maps[operand] = AffineMapAttr::get(
      AffineMap::get(map.getNumDims(), 0, exprs, getContext()));
  setMapsAttr(ArrayAttr::get(getContext(), maps));
}

/// True if every index of the operand is a single iterator: no window.
static bool isRowFormMap(AffineMap map) {
  return llvm::all_of(map.getResults(),
                      [](AffineExpr expr) { return isa<AffineDimExpr>(expr); });
}

bool ReduceOp::isRowForm() { return isRowFormMap(getMap(0)); }

/// reduce_c2, arg_c2: without a window the reduced dimensions are adjacent.
static LogicalResult verifyRowForm(Operation *op, DomainAttr domain,
                                   AffineMap map) {
  if (!isRowFormMap(map))
    return success();
  SmallVector<int64_t> dims;
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (domain.isReduced(cast<AffineDimExpr>(expr).getPosition()))
      dims.push_back(static_cast<int64_t>(dim));
  if (dims.size() != domain.getReduced().size() ||
      (!dims.empty() && dims.back() - dims.front() + 1 != int64_t(dims.size())))
    return op->emitOpError("reduces dimensions that are not adjacent");
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyDomain(*this, getDomain(), getMaps(), getOperand())))
    return failure();
  Type element = getElementTypeOrSelf(getOperand());
  if (element != getElementTypeOrSelf(getResult()))
    return emitOpError("reduces ")
           << element << " to " << getElementTypeOrSelf(getResult());
  // reduce_c3; elementwise_c2's columns for other kinds. There is no arithmetic
  // on storage types (g1).
  if (isStorageOnly(*getElementType(element)))
    return emitOpError("combines ")
           << element << " by " << stringifyReduceKind(getKind());
  bool isLogical = getKind() == ReduceKind::And || getKind() == ReduceKind::Or;
  if (isLogical && isa<FloatType>(element))
    return emitOpError("combines ")
           << element << " by " << stringifyReduceKind(getKind());
  if (!isLogical && !isa<Float32Type, Float64Type>(element) &&
      (!isa<IntegerType>(element) || element.isInteger(1)))
    return emitOpError("combines ")
           << element << " by " << stringifyReduceKind(getKind());
  bool isOrdered =
      isa<FloatType>(element) &&
      (getKind() == ReduceKind::Sum || getKind() == ReduceKind::Product);
  if (getOrder() && !isOrdered)
    return emitOpError("has an order, but ")
           << stringifyReduceKind(getKind()) << " of " << element
           << " needs none";
  if (getOrder() && getOrder()->getOrder().isExact() &&
      getKind() != ReduceKind::Sum)
    return emitOpError("has order exact, which is for sums: a product has as "
                       "many bits as all its factors together");
  return verifyRowForm(*this, getDomain(), getMap(0));
}

LogicalResult ArgReduceOp::verify() {
  if (failed(verifyDomain(*this, getDomain(), getMaps(), getOperand())))
    return failure();
  if (Type element = getElementTypeOrSelf(getOperand()); // arg_c3
      isStorageOnly(*getElementType(element)))
    return emitOpError("compares ") << element << ", which is storage";
  if (getDomain().getNumPoints() >= int64_t(1) << 31) // arg_c1
    return emitOpError("has ")
           << getDomain().getNumPoints() << " points, expected fewer than 2^31";
  return verifyRowForm(*this, getDomain(), getMap(0));
}
