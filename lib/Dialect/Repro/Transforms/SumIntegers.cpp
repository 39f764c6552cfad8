// Contractions of dequantized integers sum integers, and scale the sums.

#include "gensyn/Dialect/Repro/IR/ReplacedSum.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

#define DEBUG_TYPE "repro-sum-integers"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_SUMINTEGERSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// An operand of a contraction that is integers times a scale.
struct Scaled {
  Value integers; ///< i32, in the shape of the operand
  unsigned bits;  ///< at most 2^bits in absolute value
  Value scale;    ///< f32, of the dimensions `dims` of the operand alone
  SmallVector<int64_t> dims;
};

/// The integers of a float constant; nothing if it has others, or large ones.
std::optional<SmallVector<int32_t>> readConstant(ConstantOp constant) {
  const Tensor tensor = toTensor(cast<ElementsAttr>(constant.getValue()));
  if (tensor.elementType() != ElementType::F32)
    return std::nullopt;
  SmallVector<int32_t> integers;
  for (float value :
       ArrayRef<float>(tensor.as<float>(), size_t(tensor.numElements()))) {
    if (!(std::fabs(value) <= 0x1p15F) || value != std::rint(value))
      return std::nullopt;
    integers.push_back(static_cast<int32_t>(value));
  }
  return integers;
}

/// The least known b with |x| <= 2^b.
unsigned countBits(Value integers) {
  const auto type = cast<IntegerType>(getElementTypeOrSelf(integers));
  DenseIntElementsAttr elements;
  if (matchPattern(integers, m_Constant(&elements))) {
    uint64_t greatest = 1;
    for (const llvm::APInt &value : elements)
      greatest =
          std::max(greatest,
                   (type.isUnsigned() ? value : value.abs()).getLimitedValue());
    return llvm::Log2_64_Ceil(greatest);
  }
  const unsigned width = type.getWidth();
  const unsigned own = type.isUnsigned() || width == 1 ? width : width - 1;
  Operation *op = integers.getDefiningOp();
  if (op && op->hasTrait<KeepsElementOrder>() && op->getNumOperands() == 1)
    return countBits(op->getOperand(0));
  if (isa_and_nonnull<ConvertOp>(op) &&
      isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0))))
    return std::min(own, countBits(op->getOperand(0)));
  if (isa_and_nonnull<SubOp>(op))
    return std::min(own, std::max(countBits(op->getOperand(0)),
                                  countBits(op->getOperand(1))) +
                             1);
  return own;
}

SmallVector<int64_t> dropUnits(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> extents(shape);
  llvm::erase(extents, 1);
  return extents;
}

/// The dimensions of `to`, a reshape of `from`, that the given ones become;
/// nothing if they are not dimensions there.
std::optional<SmallVector<int64_t>>
follow(ArrayRef<int64_t> dims, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> places;
  if (dims.empty())
    return places;
  if (dropUnits(from) != dropUnits(to))
    return std::nullopt;
  for (size_t i = 0, k = 0; i < from.size(); ++i) {
    if (from[i] == 1)
      continue;
    while (to[k] == 1)
      ++k;
    if (llvm::is_contained(dims, int64_t(i)))
      places.push_back(int64_t(k));
    ++k;
  }
  return places;
}

/// Sets the scale, as a tensor of the dimensions of `value` along which it
/// differs.
void readScale(OpBuilder &builder, Value value, Scaled &scaled) {
  SmallVector<int64_t> dims(llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(shapeOf(value).size()))));
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    dims = SmallVector<int64_t>(broadcast.getDims());
    value = broadcast.getOperand();
  }
  SmallVector<int64_t> extents;
  for (auto [dim, extent] : llvm::zip_equal(dims, shapeOf(value)))
    if (extent != 1) {
      scaled.dims.push_back(dim);
      extents.push_back(extent);
    }
  scaled.scale = createReshape(builder, value.getLoc(), value, extents);
}

/// The integers that a float factor is, as i32; null if it is none.
Value readIntegers(OpBuilder &builder, Value factor, bool isConstant) {
  if (isConstant) {
    auto constant = factor.getDefiningOp<ConstantOp>();
    const auto integers = constant ? readConstant(constant) : std::nullopt;
    return integers ? ConstantOp::create(
                          builder, factor.getLoc(),
                          DenseIntElementsAttr::get(
                              RankedTensorType::get(shapeOf(factor),
                                                    builder.getI32Type()),
                              ArrayRef<int32_t>(*integers)))
                    : Value();
  }
  auto convert = factor.getDefiningOp<ConvertOp>();
  if (!convert)
    return {};
  Value integers = convert.getOperand();
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(integers));
  if (!type || type.isInteger(1))
    return {};
  const Type wide = builder.getI32Type();
  if (type == wide)
    return integers;
  return type.getWidth() > 16
             ? Value()
             : ConvertOp::create(builder, factor.getLoc(),
                                 RankedTensorType::get(shapeOf(integers), wide),
                                 integers);
}

std::optional<Scaled> readScaled(OpBuilder &builder, Value operand) {
  Value value = operand;
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  auto product = value.getDefiningOp<MulOp>();
  if (!product || !typeOf(product.getResult()).getElementType().isF32())
    return std::nullopt;
  // Small weights are converted when the program is made.
  for (unsigned choice = 0; choice < 4; ++choice) {
    const bool isSecond = choice & 1;
    Scaled scaled;
    scaled.integers =
        readIntegers(builder, isSecond ? product.getRhs() : product.getLhs(),
                     /*isConstant=*/choice >= 2);
    if (!scaled.integers)
      continue;
    readScale(builder, isSecond ? product.getLhs() : product.getRhs(), scaled);
    scaled.bits = countBits(scaled.integers);
    auto dims = follow(scaled.dims, shapeOf(value), shapeOf(operand));
    // Wider integers would have been rounded.
    if (scaled.bits > 24 || !dims)
      return std::nullopt;
    scaled.dims = *dims;
    scaled.integers = createReshape(builder, operand.getLoc(), scaled.integers,
                                    shapeOf(operand));
    return scaled;
  }
  return std::nullopt;
}

/// The dimensions of the result along which the scale of an operand differs;
/// nothing if it differs within a sum, or if they are in another order.
std::optional<SmallVector<int64_t>>
findResultDims(ContractOp contract, unsigned operand, const Scaled &scaled) {
  const AffineMap map = contract.getMap(operand), out = contract.getMap(2);
  SmallVector<int64_t> dims;
  for (int64_t dim : scaled.dims) {
    auto iterator = dyn_cast<AffineDimExpr>(map.getResult(unsigned(dim)));
    if (!iterator)
      return std::nullopt;
    const auto place = llvm::find(out.getResults(), AffineExpr(iterator));
    if (place == out.getResults().end())
      return std::nullopt;
    const int64_t found = place - out.getResults().begin();
    if (!dims.empty() && found <= dims.back())
      return std::nullopt;
    dims.push_back(found);
  }
  return dims;
}

/// The product of both scales in the shape of the result: computed once for
/// each element that it has where one of them is one number.
Value multiplyScales(OpBuilder &builder, Location location, Value left,
                     ArrayRef<int64_t> leftDims, Value right,
                     ArrayRef<int64_t> rightDims, RankedTensorType type) {
  auto spread = [&](Value scale, ArrayRef<int64_t> dims, Type to) {
    return scale.getType() == to
               ? scale
               : createBroadcast(builder, location, scale,
                                 cast<RankedTensorType>(to), dims);
  };
  if (leftDims.empty()) {
    std::swap(left, right);
    std::swap(leftDims, rightDims);
  }
  if (rightDims.empty()) {
    const Value product = MulOp::create(
        builder, location, left, spread(right, rightDims, left.getType()));
    return spread(product, leftDims, type);
  }
  return MulOp::create(builder, location, spread(left, leftDims, type),
                       spread(right, rightDims, type));
}

struct SumIntegers final : impl::SumIntegersPassBase<SumIntegers> {
  using SumIntegersPassBase::SumIntegersPassBase;

  void runOnOperation() override {
    SmallVector<ContractOp> contracts;
    getOperation().walk([&](ContractOp op) { contracts.push_back(op); });
    for (ContractOp contract : contracts)
      sumIntegers(contract);
  }

private:
  static void sumIntegers(ContractOp contract) {
    const auto type = typeOf(contract.getResult());
    if (!type.getElementType().isF32() || contract.getOrder())
      return;
    OpBuilder builder(contract);
    const auto left = readScaled(builder, contract.getLhs());
    const auto right =
        left ? readScaled(builder, contract.getRhs()) : std::nullopt;
    if (!left || !right)
      return;
    const auto leftDims = findResultDims(contract, 0, *left);
    const auto rightDims = findResultDims(contract, 1, *right);
    uint64_t points = 1;
    const ArrayRef<int64_t> extents = contract.getDomain().getExtents();
    for (unsigned iterator = 0; iterator < extents.size(); ++iterator)
      if (!contract.getMap(2).isFunctionOfDim(iterator))
        points *= uint64_t(extents[iterator]);
    // A sum must not wrap.
    if (!leftDims || !rightDims ||
        left->bits + right->bits +
                llvm::Log2_64_Ceil(std::max<uint64_t>(points, 1)) >=
            31)
      return;
    const Location location = contract.getLoc();
    LDBG() << "sums integers at " << location;
    Value sums = ContractOp::create(
        builder, location,
        RankedTensorType::get(type.getShape(), builder.getI32Type()),
        left->integers, right->integers, contract.getDomainAttr(),
        contract.getMapsAttr(), contract.getBoundsAttr(), OrderAttr());
    sums = ConvertOp::create(builder, location, type, sums);
    const Value scales =
        multiplyScales(builder, location, left->scale, *leftDims, right->scale,
                       *rightDims, type);
    const Value scaled =
        MulOp::create(builder,
                      withReplacedSum(location, {.form = "integers",
                                                 .points = int64_t(points),
                                                 .roundings = 3}),
                      sums, scales);
    contract.getResult().replaceAllUsesWith(scaled);
    contract.erase();
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
