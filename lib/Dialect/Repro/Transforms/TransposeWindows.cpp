// Puts the channels of images before their positions where results have
// positions last.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-transpose-windows"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_TRANSPOSEWINDOWSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// A dimension of a window: an iterator of positions and one of taps at least.
bool isWindow(AffineExpr expr, unsigned numDims) {
  return llvm::count_if(llvm::seq(0u, numDims), [&](unsigned dim) {
           return expr.isFunctionOfDim(dim);
         }) > 1;
}

/// Returns the first dimension of an operand that is of windows, if one of them
/// is along the result's last dimension and the operand's last dimension is a
/// reduced iterator: lanes of a vector are that many elements apart.
std::optional<unsigned> findWindows(ContractOp contract, unsigned operand) {
  AffineMap map = contract.getMap(operand), result = contract.getMap(2);
  if (map.getNumResults() == 0 || result.getNumResults() == 0)
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  auto run = dyn_cast<AffineDimExpr>(result.getResults().back());
  if (!last || !run ||
      !llvm::is_contained(contract.getDomain().getReduced(),
                          int64_t(last.getPosition())))
    return std::nullopt;
  std::optional<unsigned> first;
  bool isAlongRun = false;
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (isWindow(expr, map.getNumDims())) {
      first = first.value_or(unsigned(dim));
      isAlongRun |= expr.isFunctionOfDim(run.getPosition());
    }
  return isAlongRun ? first : std::nullopt;
}

struct TransposeWindows final
    : impl::TransposeWindowsPassBase<TransposeWindows> {
  void runOnOperation() override {
    getOperation().walk([&](ContractOp contract) {
      for (unsigned operand : {0u, 1u})
        if (auto dim = findWindows(contract, operand))
          transpose(contract, operand, *dim);
    });
  }

private:
  /// Moves the operand's last dimension to `dim`.
  void transpose(ContractOp contract, unsigned operand, unsigned dim) {
    Value image = contract->getOperand(operand);
    const RankedTensorType type = typeOf(image);
    SmallVector<int64_t> permutation =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1));
    permutation.insert(permutation.begin() + dim, type.getRank() - 1);
    Value &transposed = known[{image, dim}];
    if (!transposed) {
      LDBG() << "transposes operand " << operand << " of " << contract.getLoc();
      OpBuilder builder(contract);
      builder.setInsertionPointAfterValue(image);
      transposed = TransposeOp::create(
          builder, contract.getLoc(),
          type.clone(applyPermutation(type.getShape(), permutation)), image,
          permutation);
    }
    contract.readUntransposed(operand, invertPermutationVector(permutation));
    contract->setOperand(operand, transposed);
  }

  llvm::DenseMap<std::pair<Value, unsigned>, Value> known;
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
