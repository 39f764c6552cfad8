// Matrix-product view of repro.contract.

#ifndef GENSYN_CODEGEN_CONTRACTION_CONTRACTVIEW_H
#define GENSYN_CODEGEN_CONTRACTION_CONTRACTVIEW_H

#include "gensyn/Codegen/Contraction/GemmView.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <vector>

namespace gensyn::codegen {

/// A contraction as matrix products.
struct ContractView {
  GemmView gemm;
  /// True if A is the second operand.
  bool swapped = false;
};

/// Returns views for vectors of `lanes` sums, whose results are disjoint and
/// together all of C: one view, or where points are skipped (`skip`) or results
/// out of bounds, one for each box of the domain without such points. A view of
/// a box without points has the sum +0. The list is empty if the contraction
/// does not qualify: results that are neither f32, f64 nor integers of whole
/// bytes, elements of the result that nothing reaches, boxes that cannot be
/// found, orders that are neither sequential nor blocks of sequential chains.
/// Operands may be narrower than the result. Sums of integers have no order,
/// and get a single block.
/// With `joins`, runs may be joined, where that takes fewer vectors.
std::vector<ContractView> viewContract(repro::ContractOp op, int64_t lanes,
                                       bool joins = false);

/// Returns the view for tiles of rows and columns at any position of C: all
/// columns are in `columns`, the run is empty, and rows need no single stride.
/// The result is of f32, f64 or integers of whole bytes; operands may be
/// narrower; points may be skipped; and results may fall outside of C if all of
/// C is reached. Sums of integers have no order and may be split at any point;
/// the view has blocks of at least 1024. Without a view, sets `reason`, if it
/// is not null.
std::optional<ContractView>
viewContractTiles(repro::ContractOp op, llvm::StringRef *reason = nullptr);

} // namespace gensyn::codegen

#endif
