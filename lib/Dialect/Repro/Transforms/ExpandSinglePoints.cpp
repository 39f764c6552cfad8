// Replaces contractions of one point per result by elementwise products.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-expand-single-points"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_EXPANDSINGLEPOINTSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// Returns the iterator of each dimension of a tensor, none for a dimension of
/// extent 1; std::nullopt if an index is anything else.
std::optional<SmallVector<std::optional<unsigned>>>
findIterators(AffineMap map, ArrayRef<int64_t> shape, DomainAttr domain) {
  SmallVector<std::optional<unsigned>> result;
  for (auto [index, extent] : llvm::zip_equal(map.getResults(), shape)) {
    auto iterator = dyn_cast<AffineDimExpr>(index);
    if (extent == 1 && (iterator || isa<AffineConstantExpr>(index)))
      result.push_back(std::nullopt);
    else if (iterator && domain.getExtents()[iterator.getPosition()] == extent)
      result.push_back(iterator.getPosition());
    else
      return std::nullopt;
  }
  return result;
}

/// Returns the operand, repeated along the dimensions of the result that it
/// does not have; null if its dimensions have another order than the result's.
Value expand(OpBuilder &builder, ContractOp contract, unsigned number,
             ArrayRef<std::optional<unsigned>> ofResult) {
  Value operand = contract.getOperand(number);
  ArrayRef<int64_t> shape = typeOf(operand).getShape();
  const auto iterators =
      findIterators(contract.getMap(number), shape, contract.getDomain());
  if (!iterators)
    return {};
  SmallVector<int64_t> dims, kept;
  for (auto [iterator, extent] : llvm::zip_equal(*iterators, shape)) {
    if (!iterator)
      continue;
    const auto *place = llvm::find(ofResult, iterator);
    const int64_t dim = place - ofResult.begin();
    if (place == ofResult.end() || (!dims.empty() && dims.back() >= dim))
      return {};
    dims.push_back(dim);
    kept.push_back(extent);
  }
  Location location = contract.getLoc();
  RankedTensorType type = typeOf(contract.getResult());
  operand = createReshape(builder, location, operand, kept);
  // Narrow operands are widened first (contract_r1).
  if (auto wide = typeOf(operand).clone(type.getElementType());
      wide != operand.getType())
    operand = ConvertOp::create(builder, location, wide, operand);
  return createBroadcast(builder, location, operand, type, dims);
}

/// Returns false if the contraction remains. A chain of one point is
/// fma(a, b, +0), which is the rounded product but for the sign of a zero; a
/// zero result is +0 (contract_r2, contract_r3).
bool replace(ContractOp contract) {
  RankedTensorType type = typeOf(contract.getResult());
  DomainAttr domain = contract.getDomain();
  for (int64_t iterator : domain.getReduced())
    if (domain.getExtents()[size_t(iterator)] != 1)
      return false;
  for (unsigned number = 0; number < 2; ++number)
    if (contract.getBound(number) != Bound::In)
      return false;
  const auto ofResult =
      findIterators(contract.getMap(2), type.getShape(), domain);
  if (!ofResult)
    return false;
  OpBuilder builder(contract);
  Value lhs = expand(builder, contract, 0, *ofResult);
  Value rhs = lhs ? expand(builder, contract, 1, *ofResult) : Value();
  if (!rhs)
    return false;
  Location location = contract.getLoc();
  Value product = MulOp::create(builder, location, type, lhs, rhs);
  if (isa<FloatType>(type.getElementType()))
    product = AddOp::create(builder, location, type, product,
                            createFilled(builder, location, type, 0));
  contract.replaceAllUsesWith(product);
  return true;
}

struct ExpandSinglePoints final
    : impl::ExpandSinglePointsPassBase<ExpandSinglePoints> {
  using ExpandSinglePointsPassBase::ExpandSinglePointsPassBase;

  void runOnOperation() override {
    SmallVector<ContractOp> contractions;
    getOperation().walk(
        [&](ContractOp contract) { contractions.push_back(contract); });
    for (ContractOp contract : contractions) {
      if (!replace(contract))
        continue;
      LDBG() << "expands a contraction at " << contract.getLoc();
      contract.erase();
    }
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
