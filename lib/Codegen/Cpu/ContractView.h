// Reads a repro.contract as matrix products.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACTVIEW_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACTVIEW_H

#include "GemmView.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::cpu {

/// A contraction as products, with the operand whose iterators run along the
/// result's innermost dimension as B.
struct ContractView {
  GemmView gemm;
  /// Whether A is the second operand.
  bool swapped = false;
};

/// The view for vectors of `lanes` f32, or nothing where the contraction is not
/// fit for it: other types than f32, points left out (`skip`), a result that is
/// not covered or not contiguous along B's iterators, orders that are neither
/// sequential nor blocks of sequential chains.
std::optional<ContractView> viewContract(repro::ContractOp op, int64_t lanes);

} // namespace gensyn::cpu

#endif
