// Folds transposes of results and operands into contractions.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
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

/// True if element e of the op's only result depends on element e of its only
/// operand, so that a transpose may move from one to the other.
bool isUnary(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() == 1 &&
         op->getNumResults() == 1;
}

/// Gives the value another shape of the same elements.
void setShape(Value value, ArrayRef<int64_t> shape) {
  value.setType(cast<RankedTensorType>(value.getType()).clone(shape));
}

/// Moves a transpose behind the elementwise ops that read it, such as those
/// that round weights, and into the maps of contractions, if nothing else reads
/// it. Returns false if something does.
bool foldIntoReaders(TransposeOp transpose) {
  SmallVector<Operation *> elementwise;
  SmallVector<OpOperand *> reads;
  SmallVector<Value> open = {transpose.getResult()};
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val().getUses()) {
      Operation *reader = use.getOwner();
      if (isa<ContractOp>(reader)) {
        reads.push_back(&use);
      } else if (isUnary(reader)) {
        elementwise.push_back(reader);
        open.push_back(reader->getResult(0));
      } else {
        return false;
      }
    }
  if (reads.empty())
    return false;
  LDBG() << "folds a transpose into " << reads.size() << " readers";
  for (OpOperand *read : reads)
    cast<ContractOp>(read->getOwner())
        .readUntransposed(read->getOperandNumber(), transpose.getPermutation());
  const ArrayRef<int64_t> shape = shapeOf(transpose.getOperand());
  for (Operation *op : elementwise)
    setShape(op->getResult(0), shape);
  transpose.replaceAllUsesWith(transpose.getOperand());
  transpose.erase();
  return true;
}

/// Replaces a transpose, the only user of a contraction, by a contraction of
/// the same points with the parallel iterators in the order of the transpose's
/// dimensions. Elementwise ops may stand between.
void foldIntoContraction(TransposeOp transpose) {
  SmallVector<Value> between;
  Value value = transpose.getOperand();
  while (value.hasOneUse() && value.getDefiningOp() &&
         isUnary(value.getDefiningOp())) {
    between.push_back(value);
    value = value.getDefiningOp()->getOperand(0);
  }
  auto contract = value.getDefiningOp<ContractOp>();
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
  const ArrayRef<int64_t> shape = shapeOf(transpose.getResult());
  setShape(contract.getResult(), shape);
  for (Value passed : between)
    setShape(passed, shape);
  transpose.replaceAllUsesWith(transpose.getOperand());
  transpose.erase();
}

struct FoldTransposes final : impl::FoldTransposesPassBase<FoldTransposes> {
  void runOnOperation() override {
    SmallVector<TransposeOp> transposes;
    getOperation().walk(
        [&](TransposeOp transpose) { transposes.push_back(transpose); });
    for (TransposeOp transpose : transposes)
      if (!foldIntoReaders(transpose))
        foldIntoContraction(transpose);
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
