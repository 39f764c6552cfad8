// See Contraction.h.

#include "Contraction.h"

#include "gensyn/Dialect/Repro/IR/LinearExpr.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::blockprogram {

namespace {

/// Bytes between elements that differ by one in a dimension.
SmallVector<int64_t> stridesOf(Value tensor, int64_t width) {
  const ArrayRef<int64_t> shape = shapeOf(tensor);
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = width;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

/// The number that all elements of a value have.
std::optional<int64_t> findSplat(Value value) {
  for (Operation *op = value.getDefiningOp();
       op && (op->hasTrait<KeepsElementOrder>() || isa<ConvertOp>(op));
       op = value.getDefiningOp())
    value = op->getOperand(0);
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat() ||
      !isa<IntegerType>(elements.getElementType()))
    return std::nullopt;
  const auto type = cast<IntegerType>(elements.getElementType());
  const APInt number = elements.getSplatValue<APInt>();
  return type.isUnsignedInteger() ? int64_t(number.getZExtValue())
                                  : number.getSExtValue();
}

class Reader {
public:
  Reader(KernelOp kernel, std::string &why) : kernel(kernel), why(why) {}

  FailureOr<Contraction> read() {
    const auto yielded = kernel.getYielded();
    if (yielded.size() != 1)
      return fail("it has more than one result");
    Value value = yielded.front();
    while (auto reshape = value.getDefiningOp<ReshapeOp>())
      value = reshape.getOperand();
    op = value.getDefiningOp<ContractOp>();
    if (!op)
      return fail("it is no sum of products");
    const Type type = getElementTypeOrSelf(op.getType());
    if (!type.isInteger(32))
      return fail("its sums are not integers of 32 bits");
    if (failed(readOperand(op.getLhs(), made.left)) ||
        failed(readOperand(op.getRhs(), made.right)) ||
        failed(readIndices(0, made.left)) ||
        failed(readIndices(1, made.right)) || failed(readResult()) ||
        failed(sortLoops()))
      return failure();
    return made;
  }

private:
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  /// The argument, and what is subtracted from it.
  LogicalResult readOperand(Value value, Operand &operand) {
    bool isWide = false;
    while (Operation *source = value.getDefiningOp()) {
      if (isa<ReshapeOp>(source)) {
        value = source->getOperand(0);
        continue;
      }
      if (auto convert = dyn_cast<ConvertOp>(source)) {
        if (convert.getType().getElementTypeBitWidth() <=
            getElementTypeOrSelf(convert.getOperand()).getIntOrFloatBitWidth())
          return fail("an operand is narrowed");
        isWide = true;
        value = convert.getOperand();
        continue;
      }
      auto subtraction = dyn_cast<SubOp>(source);
      const std::optional<int64_t> zero =
          subtraction ? findSplat(subtraction.getRhs()) : std::nullopt;
      if (!zero || isWide)
        return fail("an operand is computed by " +
                    source->getName().getStringRef());
      operand.zero += *zero;
      value = subtraction.getLhs();
    }
    const Type type = getElementTypeOrSelf(value.getType());
    if (!type.isInteger(8))
      return fail("an operand has no integers of 8 bits");
    operand.argument = cast<BlockArgument>(value).getArgNumber();
    operand.isSigned = !type.isUnsignedInteger();
    if (operand.zero < -255 || operand.zero > 255)
      return fail("it subtracts " + Twine(operand.zero) + " from an operand");
    return success();
  }

  /// Adds what the iterators do to an operand.
  LogicalResult readIndices(unsigned number, Operand &operand) {
    const Value value = op->getOperand(number);
    const ArrayRef<int64_t> extents = op.getDomain().getExtents();
    loops.resize(extents.size());
    for (auto [loop, extent] : llvm::zip_equal(loops, extents))
      loop.count = extent;
    const SmallVector<int64_t> strides = stridesOf(value, 1);
    for (auto [expression, stride, extent] : llvm::zip_equal(
             op.getMap(number).getResults(), strides, shapeOf(value))) {
      FailureOr<LinearExpr> linear =
          LinearExpr::get(expression, unsigned(extents.size()));
      if (failed(linear))
        return fail("an index is not linear");
      operand.offset += linear->constant * stride;
      int64_t least = linear->constant, most = linear->constant;
      for (auto [iterator, coefficient] :
           llvm::enumerate(linear->coefficients)) {
        (number ? loops[iterator].right : loops[iterator].left) +=
            coefficient * stride;
        (coefficient < 0 ? least : most) +=
            coefficient * (extents[iterator] - 1);
        uses[iterator][number] |= coefficient != 0;
      }
      if (least >= 0 && most < extent)
        continue;
      if (made.checks.size() == machine::block::checks)
        return fail("more than " + Twine(machine::block::checks) +
                    " indices may be outside of their operands");
      for (auto [iterator, coefficient] : llvm::enumerate(linear->coefficients))
        loops[iterator].coordinates[made.checks.size()] = coefficient;
      made.checks.push_back({number == 1, linear->constant, extent});
    }
    return success();
  }

  /// Each dimension of the result has an iterator.
  LogicalResult readResult() {
    const ArrayRef<int64_t> extents = op.getDomain().getExtents();
    for (auto [expression, stride, extent] : llvm::zip_equal(
             op.getMap(2).getResults(), stridesOf(op.getResult(), 4),
             shapeOf(op.getResult()))) {
      FailureOr<LinearExpr> linear =
          LinearExpr::get(expression, unsigned(extents.size()));
      if (failed(linear) || linear->constant != 0)
        return fail("an index of the result is no iterator");
      const SmallVector<unsigned> iterators = linear->iterators();
      if (iterators.empty() && extent == 1)
        continue;
      if (iterators.size() != 1 ||
          linear->coefficients[iterators.front()] != 1 ||
          extents[iterators.front()] != extent ||
          loops[iterators.front()].result != 0)
        return fail("an index of the result is no iterator");
      loops[iterators.front()].result = stride;
    }
    return success();
  }

  LogicalResult sortLoops() {
    for (auto [iterator, loop] : llvm::enumerate(loops)) {
      if (loop.count < 1)
        return fail("it has no points");
      if (loop.count == 1)
        continue;
      const auto [left, right] = uses[iterator];
      const bool isReduced = op.getDomain().isReduced(unsigned(iterator));
      if (!isReduced && loop.result == 0)
        return fail("an iterator is no index of the result");
      SmallVectorImpl<Loop> &place = isReduced       ? made.reduced
                                     : left == right ? made.batch
                                     : left          ? made.rows
                                                     : made.columns;
      // The last iterator is the innermost one.
      place.insert(place.begin(), loop);
    }
    for (auto *place : {&made.rows, &made.columns, &made.batch})
      llvm::stable_sort(*place, [](const Loop &a, const Loop &b) {
        return a.result < b.result;
      });
    for (auto *place : {&made.reduced, &made.rows, &made.columns, &made.batch})
      join(*place);
    swapIfAdjacent();
    auto require = [&](ArrayRef<Loop> place, unsigned most, StringRef what) {
      return place.size() <= most
                 ? success()
                 : fail("it has " + Twine(place.size()) + " loops of " + what +
                        ", at most " + Twine(most) + " are possible");
    };
    if (failed(require(made.reduced, machine::block::reduceLoops, "the sum")) ||
        failed(require(made.rows, machine::block::rowLoops, "rows")) ||
        failed(require(made.columns, machine::block::columnLoops, "columns")) ||
        failed(require(made.batch, machine::block::batchLoops, "the batch")))
      return failure();
    for (auto *place : {&made.reduced, &made.rows, &made.columns, &made.batch})
      for (const Loop &loop : *place)
        for (int64_t step : loop.coordinates)
          if (!llvm::isInt<16>(step * loop.count))
            return fail("an index goes beyond 16 bits");
    return success();
  }

  /// Joins loops that are one: the outer one continues the inner one.
  static void join(SmallVectorImpl<Loop> &place) {
    for (size_t i = 0; i + 1 < place.size();) {
      Loop &inner = place[i];
      const Loop &outer = place[i + 1];
      auto continues = [&](int64_t a, int64_t b) {
        return b == a * inner.count;
      };
      bool isOne = continues(inner.left, outer.left) &&
                   continues(inner.right, outer.right) &&
                   continues(inner.result, outer.result);
      for (auto [a, b] : llvm::zip_equal(inner.coordinates, outer.coordinates))
        isOne &= continues(a, b);
      if (!isOne) {
        ++i;
        continue;
      }
      inner.count *= outer.count;
      place.erase(place.begin() + i + 1);
    }
  }

  /// Results of adjacent columns are written together.
  void swapIfAdjacent() {
    auto isAdjacent = [](ArrayRef<Loop> place) {
      return !place.empty() && place.front().result == 4;
    };
    if (isAdjacent(made.columns) || !isAdjacent(made.rows))
      return;
    std::swap(made.left, made.right);
    std::swap(made.rows, made.columns);
    for (Check &check : made.checks)
      check.isRight = !check.isRight;
    for (auto *place : {&made.reduced, &made.rows, &made.columns, &made.batch})
      for (Loop &loop : *place)
        std::swap(loop.left, loop.right);
  }

  KernelOp kernel;
  std::string &why;
  ContractOp op;
  Contraction made;
  /// Of each iterator; which operands it indexes.
  SmallVector<Loop> loops;
  llvm::SmallDenseMap<size_t, std::array<bool, 2>> uses;
};

} // namespace

FailureOr<Contraction> readContraction(KernelOp kernel, std::string &why) {
  return Reader(kernel, why).read();
}

} // namespace gensyn::blockprogram
