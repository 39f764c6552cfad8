// Folds transposes of results into contractions.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-fold-transposes"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_FOLDTRANSPOSESPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// The iterators that index the result, one per dimension; nothing if the
/// result's map has any other form.
std::optional<SmallVector<unsigned>> resultIterators(ContractOp contract) {
  AffineMap map = contract.getMap(2);
  SmallVector<unsigned> iterators;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(iterators, dim.getPosition()))
      return std::nullopt;
    iterators.push_back(dim.getPosition());
  }
  if (iterators.size() + contract.getDomain().getReduced().size() !=
      map.getNumDims())
    return std::nullopt;
  return iterators;
}

/// Replaces a transpose, the only user of a contraction, by a contraction of
/// the same points with the parallel iterators in the order of the transpose's
/// dimensions.
void foldTranspose(TransposeOp transpose) {
  auto contract = transpose.getOperand().getDefiningOp<ContractOp>();
  if (!contract || !contract->hasOneUse())
    return;
  std::optional<SmallVector<unsigned>> iterators = resultIterators(contract);
  if (!iterators)
    return;
  LDBG() << "folds a transpose into " << contract.getLoc();
  MLIRContext *context = contract.getContext();
  DomainAttr domain = contract.getDomain();
  // The set of positions of parallel iterators stays the same; the iterators
  // are permuted among these positions.
  SmallVector<unsigned> places(*iterators);
  llvm::sort(places);
  SmallVector<int64_t> extents(domain.getExtents());
  SmallVector<AffineExpr> renamed;
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    renamed.push_back(getAffineDimExpr(dim, context));
  for (auto [place, dim] :
       llvm::zip_equal(places, transpose.getPermutation())) {
    const unsigned iterator = (*iterators)[static_cast<size_t>(dim)];
    extents[place] = domain.getExtents()[iterator];
    renamed[iterator] = getAffineDimExpr(place, context);
  }
  SmallVector<Attribute> maps;
  for (unsigned tensor = 0; tensor < 2; ++tensor)
    maps.push_back(
        AffineMapAttr::get(contract.getMap(tensor).replaceDimsAndSymbols(
            renamed, {}, static_cast<unsigned>(extents.size()), 0)));
  SmallVector<AffineExpr> inOrder;
  for (unsigned place : places)
    inOrder.push_back(getAffineDimExpr(place, context));
  maps.push_back(AffineMapAttr::get(AffineMap::get(
      static_cast<unsigned>(extents.size()), 0, inOrder, context)));
  contract.setDomainAttr(
      DomainAttr::get(context, extents, domain.getReduced()));
  contract.setMapsAttr(ArrayAttr::get(context, maps));
  contract.getResult().setType(
      cast<RankedTensorType>(transpose.getResult().getType()));
  transpose.replaceAllUsesWith(contract.getResult());
  transpose.erase();
}

struct FoldTransposes final : impl::FoldTransposesPassBase<FoldTransposes> {
  void runOnOperation() override {
    SmallVector<TransposeOp> transposes;
    getOperation().walk(
        [&](TransposeOp transpose) { transposes.push_back(transpose); });
    for (TransposeOp transpose : transposes)
      foldTranspose(transpose);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
