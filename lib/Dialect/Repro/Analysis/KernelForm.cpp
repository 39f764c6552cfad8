// Forms of kernels: placements from the results down, phases from the
// arguments up.

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

#include "KernelComponents.h"
#include "RowContractions.h"
#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gensyn::repro {

StringRef toString(KernelKind kind) {
  switch (kind) {
  case KernelKind::Pointwise:
    return "pointwise";
  case KernelKind::Rows:
    return "rows";
  case KernelKind::ColumnSums:
    return "column sums";
  case KernelKind::Contraction:
    return "contraction";
  case KernelKind::ContractedRows:
    return "contracted rows";
  case KernelKind::Horizontal:
    return "horizontal";
  case KernelKind::Columns:
    return "columns";
  case KernelKind::Other:
    break;
  }
  return "other";
}

StringRef toString(Placement placement) {
  switch (placement) {
  case Placement::Uniform:
    return "uniform";
  case Placement::Row:
    return "row";
  case Placement::Column:
    return "column";
  case Placement::Full:
    return "full";
  case Placement::Free:
    break;
  }
  return "free";
}

std::optional<unsigned> splitShape(ArrayRef<int64_t> shape, int64_t rows) {
  int64_t product = 1;
  for (unsigned dim = 0; dim <= shape.size(); ++dim) {
    if (product == rows)
      return dim;
    if (dim < shape.size())
      product *= shape[dim];
  }
  return std::nullopt;
}

SmallVector<ReduceOp> KernelForm::reductionsOf(unsigned phase) const {
  SmallVector<ReduceOp> found;
  for (ReduceOp reduce : reductions)
    if (phaseOf(reduce.getOperand()) == phase)
      found.push_back(reduce);
  return found;
}

unsigned KernelForm::numPhases() const {
  unsigned most = 0;
  for (ReduceOp reduce : reductions)
    most = std::max(most, phaseOf(reduce.getResult()));
  return most;
}

namespace {

/// Finds the rows and columns of a reduction over the last dimensions of its
/// operand, or (ColumnSums) over the first; returns false for other reductions.
bool findSpace(ReduceOp reduce, KernelForm &form) {
  DomainAttr domain = reduce.getDomain();
  ArrayRef<int64_t> extents = domain.getExtents(),
                    reduced = domain.getReduced();
  // The points must be in the order of the operand's elements.
  if (!reduce.getMap(0).isIdentity() || reduced.empty() ||
      extents != shapeOf(reduce.getOperand()) || !llvm::is_sorted(reduced))
    return false;
  const bool isRows = form.kind == KernelKind::Rows;
  SmallVector<AffineExpr> kept;
  bool hasColumns = false; // true after a dimension of the columns
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    const bool isReduced = domain.isReduced(dim),
               isColumn = isReduced == isRows;
    (isColumn ? form.columnExtents : form.rowExtents).push_back(extents[dim]);
    if (!isReduced)
      kept.push_back(getAffineDimExpr(dim, reduce.getContext()));
    if (isColumn)
      hasColumns |= extents[dim] != 1;
    else if (hasColumns && extents[dim] != 1)
      return false;
  }
  form.rows = ShapedType::getNumElements(form.rowExtents);
  form.columns = ShapedType::getNumElements(form.columnExtents);
  const int64_t points = isRows ? form.columns : form.rows;
  return ArrayRef(kept) == reduce.getMap(1).getResults() && points >= 2;
}

/// The placement of the results of a form's reductions.
Placement reducedPlacement(const KernelForm &form) {
  return form.kind == KernelKind::ColumnSums ? Placement::Column
                                             : Placement::Row;
}

/// Places the values of a block in the space of a form.
class Placer {
public:
  explicit Placer(KernelForm &form) : form(form) {}

  /// Places `values`, which have the shape of results, then all values that
  /// they need. Returns false, with a reason, if a reduction or contraction is
  /// not read in place.
  bool place(KernelOp kernel, ValueRange values) {
    if (!placeResults(values))
      return false;
    for (Operation &op : llvm::reverse(kernel.getBlock().without_terminator()))
      if (!placeOperands(&op))
        return false;
    return true;
  }

private:
  bool fail(const Twine &why) {
    form.reason = why.str();
    return false;
  }

  bool placeResults(ValueRange values) {
    for (Value value : values) {
      const int64_t elements = elementsOf(value);
      if (form.kind == KernelKind::ContractedRows) {
        if (isPlaced(value))
          continue;
        if (elements != form.rows)
          return fail("a result has as many elements as the contraction");
      }
      if (form.kind == KernelKind::ColumnSums) {
        if (elements != form.columns)
          return fail("the two walk over different elements");
        demand(value, Placement::Column);
      } else if (elements == form.rows * form.columns)
        demand(value, Placement::Full);
      else if (isOfRows() && elements == form.rows)
        demand(value, Placement::Row);
      else
        return fail("the two walk over different elements");
    }
    return true;
  }

  bool isOfRows() const {
    return form.kind == KernelKind::Rows ||
           form.kind == KernelKind::ContractedRows;
  }

  /// True if the value is the result of a contraction of a Full value; then
  /// demands its operands.
  bool isPlaced(Value result) {
    for (const RowContraction &contraction : form.rowContractions) {
      if (contraction.role == RowContraction::Role::Source ||
          contraction.op != result.getDefiningOp())
        continue;
      for (unsigned operand : {0, 1})
        demand(contraction.op->getOperand(operand),
               operand == contraction.full ? Placement::Full : Placement::Free);
      return true;
    }
    return false;
  }

  /// Maps placements that access the same elements to one of them.
  Placement canonical(Value value, Placement placement) const {
    if (placement == Placement::Row && form.columns == 1)
      return Placement::Full;
    if (placement == Placement::Column && form.rows == 1)
      return Placement::Full;
    if (elementsOf(value) != 1)
      return placement;
    if (form.rows == 1)
      return form.columns == 1 ? Placement::Full : Placement::Row;
    return Placement::Uniform;
  }

  void demand(Value value, Placement placement) {
    placement = canonical(value, placement);
    auto [found, isNew] = form.placements.try_emplace(value, placement);
    if (!isNew && found->second != placement)
      found->second = Placement::Free;
  }

  /// The placement of an operand whose dimensions are the dimensions `picked`
  /// (ascending) of a value of `shape` at `placement`.
  Placement project(ArrayRef<int64_t> shape, Placement placement,
                    ArrayRef<int64_t> picked) const {
    if (placement == Placement::Free)
      return Placement::Free;
    std::optional<unsigned> split = placement == Placement::Full
                                        ? splitShape(shape, form.rows)
                                        : std::nullopt;
    bool all = true, none = true, allRows = true, allColumns = true,
         noRows = true, noColumns = true;
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      if (shape[dim] == 1)
        continue;
      const bool has = llvm::is_contained(picked, static_cast<int64_t>(dim));
      const bool isRow = split && dim < *split;
      all &= has;
      none &= !has;
      (isRow ? allRows : allColumns) &= has;
      (isRow ? noRows : noColumns) &= !has;
    }
    if (all)
      return placement;
    if (none)
      return Placement::Uniform;
    if (split && allRows && noColumns)
      return Placement::Row;
    if (split && allColumns && noRows)
      return Placement::Column;
    return Placement::Free;
  }

  bool placeOperands(Operation *op) {
    Value result = op->getResult(0);
    auto found = form.placements.find(result);
    if (found == form.placements.end())
      return true; // unused
    const Placement placement = found->second;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (placement != reducedPlacement(form))
        return fail("a reduction is read elsewhere than in its row or column");
      demand(reduce.getOperand(), Placement::Full);
      return true;
    }
    if (isa<ContractOp>(op)) {
      if (placement != Placement::Full)
        return fail("a contraction is read out of place");
      for (Value operand : op->getOperands())
        demand(operand, Placement::Free);
      return true;
    }
    if (op->hasTrait<OpTrait::Elementwise>() || isa<ReshapeOp>(op)) {
      for (Value operand : op->getOperands())
        demand(operand, placement);
      return true;
    }
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      demand(broadcast.getOperand(),
             project(shapeOf(result), placement, broadcast.getDims()));
      return true;
    }
    if (auto gather = dyn_cast<GatherOp>(op)) {
      demand(gather.getData(), Placement::Free);
      for (auto [number, indices] : llvm::enumerate(gather.getIndices()))
        demand(indices,
               project(shapeOf(result), placement, gather.getMap(number + 1)));
      return true;
    }
    for (Value operand : op->getOperands())
      demand(operand, Placement::Free);
    return true;
  }

  Placement project(ArrayRef<int64_t> shape, Placement placement,
                    AffineMap map) const {
    SmallVector<int64_t> picked;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || (!picked.empty() && picked.back() >= dim.getPosition()))
        return Placement::Free;
      picked.push_back(dim.getPosition());
    }
    return project(shape, placement, picked);
  }

  KernelForm &form;
};

/// Counts the dependent reductions below each value. Returns false if one of
/// them, or the contraction, is not read in place.
bool countPhases(KernelOp kernel, KernelForm &form) {
  llvm::SmallPtrSet<Operation *, 16> dependent;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    unsigned phase = 0;
    bool depends = isa<ReduceOp, ContractOp>(op);
    for (Value operand : op.getOperands()) {
      phase = std::max(phase, form.phaseOf(operand));
      depends |= operand.getDefiningOp() &&
                 dependent.contains(operand.getDefiningOp());
    }
    Value result = op.getResult(0);
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      form.reductions.push_back(reduce);
      ++phase;
    }
    form.phases[result] = phase;
    // A contraction of a Full value ends in a result.
    if (!depends || (isa<ContractOp>(op) && !form.placements.contains(result)))
      continue;
    dependent.insert(&op);
    const Placement placement = form.placementOf(result);
    if (placement != reducedPlacement(form) &&
        (placement != Placement::Full || form.kind == KernelKind::ColumnSums)) {
      form.reason = "a reduction or contraction is read out of place";
      return false;
    }
  }
  return true;
}

KernelForm other(StringRef reason) {
  KernelForm form;
  form.reason = reason.str();
  return form;
}

KernelForm asSpace(KernelOp kernel, KernelForm form) {
  if (Placer(form).place(kernel, kernel.getYielded()) &&
      countPhases(kernel, form))
    return form;
  return other(form.reason);
}

void setSpace(ArrayRef<int64_t> shape, KernelForm &form) {
  form.rowExtents.assign(shape.begin(),
                         shape.empty() ? shape.begin() : shape.end() - 1);
  if (!shape.empty())
    form.columnExtents.push_back(shape.back());
  form.rows = ShapedType::getNumElements(form.rowExtents);
  form.columns = ShapedType::getNumElements(form.columnExtents);
}

/// The form as Rows or ColumnSums.
KernelForm asReductions(KernelOp kernel, KernelKind kind) {
  KernelForm form;
  form.kind = kind;
  for (auto reduce : kernel.getBlock().getOps<ReduceOp>()) {
    KernelForm own;
    own.kind = kind;
    if (!findSpace(reduce, own))
      return other("a reduction goes over other dimensions than the last");
    if (form.columnExtents.empty() && form.rowExtents.empty()) {
      form.rows = own.rows;
      form.columns = own.columns;
      form.rowExtents = own.rowExtents;
      form.columnExtents = own.columnExtents;
    } else if (own.rows != form.rows || own.columns != form.columns) {
      return other("reductions over different spaces");
    }
  }
  return asSpace(kernel, std::move(form));
}

/// The form as ContractedRows: the space of the reductions, in which every
/// contraction has a role.
KernelForm asContractedRows(KernelOp kernel) {
  KernelForm form;
  form.kind = KernelKind::ContractedRows;
  if (std::string why = findRowContractions(kernel, form); !why.empty())
    return other(why);
  for (auto reduce : kernel.getBlock().getOps<ReduceOp>()) {
    KernelForm own;
    own.kind = KernelKind::Rows;
    if (!findSpace(reduce, own) || own.rows != form.rows ||
        own.columns != form.columns)
      return other("a contraction and a reduction over different spaces");
  }
  KernelForm placed = asSpace(kernel, std::move(form));
  if (placed.kind == KernelKind::ContractedRows)
    if (std::string why = checkRowValues(kernel, placed); !why.empty())
      return other(why);
  return placed;
}

KernelForm asContraction(KernelOp kernel, ContractOp contraction) {
  KernelForm form;
  form.kind = KernelKind::Contraction;
  form.contraction = contraction;
  setSpace(shapeOf(contraction.getResult()), form);
  return asSpace(kernel, std::move(form));
}

KernelForm asPointwise(KernelOp kernel) {
  KernelForm form;
  form.components = findComponents(kernel);
  if (form.components.empty())
    return other("the two walk over different elements");
  form.signature = getSignature(kernel, form.components.front());
  if (form.components.size() == 1) {
    form.components.clear();
    form.kind = KernelKind::Pointwise;
    setSpace(shapeOf(kernel.getYielded().front()), form);
    return asSpace(kernel, std::move(form));
  }
  form.kind = KernelKind::Horizontal;
  for (const KernelComponent &component : form.components)
    if (getSignature(kernel, component) != form.signature)
      form.signature.clear();
  return form;
}

} // namespace

bool isPointwise(KernelOp kernel) {
  return llvm::none_of(kernel.getBlock(), [](Operation &op) {
    return isa<DomainOpInterface, ColumnOpInterface>(op);
  });
}

std::optional<SmallVector<Operation *>> findPrologue(ContractOp contraction) {
  llvm::SmallPtrSet<Operation *, 8> found;
  SmallVector<Value> open(contraction->getOperands());
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !found.insert(op).second)
      continue;
    auto fault = dyn_cast<FaultOpInterface>(op);
    if ((fault && fault.mayFault()) ||
        (!op->hasTrait<OpTrait::Elementwise>() && !isSplatConstant(op) &&
         !isa<BroadcastOp, ReshapeOp>(op)))
      return std::nullopt;
    open.append(op->operand_begin(), op->operand_end());
  }
  SmallVector<Operation *> ops;
  for (Operation &op : *contraction->getBlock())
    if (found.contains(&op))
      ops.push_back(&op);
  return ops;
}

KernelForm getKernelForm(KernelOp kernel) {
  SmallVector<Operation *> reductions;
  SmallVector<ContractOp> contractions;
  bool hasColumns = false, onlyReduce = true;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (isa<ColumnOpInterface>(op))
      hasColumns = true;
    else if (auto contraction = dyn_cast<ContractOp>(op))
      contractions.push_back(contraction);
    else if (isa<DomainOpInterface>(op))
      reductions.push_back(&op), onlyReduce &= isa<ReduceOp>(op);
  }
  if (kernel.getYielded().empty())
    return other("no results");
  if (hasColumns) {
    KernelForm form = other("a scan, sort or scatter stands alone");
    Operation *root = kernel.getYielded().front().getDefiningOp();
    if (isa_and_nonnull<ColumnOpInterface>(root) &&
        root->getResults() == kernel.getYielded())
      form.kind = KernelKind::Columns;
    return form;
  }
  for (Value yielded : kernel.getYielded())
    if (elementsOf(yielded) == 0)
      return other("no elements");
  if (contractions.size() > 1 && onlyReduce) {
    KernelForm rows = asContractedRows(kernel);
    if (rows.kind == KernelKind::ContractedRows || !reductions.empty())
      return rows;
  }
  for (ContractOp contraction : contractions)
    if (auto prologue = findPrologue(contraction);
        !prologue || (!prologue->empty() && contractions.size() > 1))
      return other("a contraction reads plain memory");
  if (contractions.size() == 1 && reductions.empty())
    return asContraction(kernel, contractions.front());
  if (!contractions.empty())
    return other("a contraction shares no kernel with a reduction");
  if (isPointwise(kernel))
    return asPointwise(kernel);
  if (!onlyReduce)
    return other("an arg_reduce stands alone");
  KernelForm rows = asReductions(kernel, KernelKind::Rows);
  if (rows.kind == KernelKind::Rows)
    return rows;
  KernelForm sums = asReductions(kernel, KernelKind::ColumnSums);
  return sums.kind == KernelKind::ColumnSums ? sums : rows;
}

} // namespace gensyn::repro
