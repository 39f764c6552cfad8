// Reads a repro.contract as matrix products.

#ifndef GENSYN_CODEGEN_CONTRACTION_CONTRACTVIEW_H
#define GENSYN_CODEGEN_CONTRACTION_CONTRACTVIEW_H

#include "gensyn/Codegen/Contraction/GemmView.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::codegen {

/// A contraction as products, with the operand whose iterators run along the
/// result's innermost dimension as B.
struct ContractView {
  GemmView gemm;
  /// True if A is the second operand.
  bool swapped = false;
};

/// The view for vectors of `lanes` f32, or nothing where the contraction is not
/// fit for it: other types than f32, points left out (`skip`), a result that is
/// not covered or not contiguous along B's iterators, orders that are neither
/// sequential nor blocks of sequential chains.
std::optional<ContractView> viewContract(repro::ContractOp op, int64_t lanes);

/// The view for tiles of rows and columns that may stand anywhere in C: all
/// columns are in `columns`, the run is empty, and rows need no single stride.
/// The result is of f32, f64 or integers of whole bytes, operands may be
/// narrower, points may be left out, and results may fall outside of C as long
/// as all of C is reached. Sums of integers, which have no order, may be parted
/// at any point; the view has blocks of at least 1024.
std::optional<ContractView> viewContractTiles(repro::ContractOp op);

} // namespace gensyn::codegen

#endif
