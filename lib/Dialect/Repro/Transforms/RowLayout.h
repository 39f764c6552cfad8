// Operands of contractions in the layout whose rows the rows of the result
// read.

#ifndef GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_ROWLAYOUT_H
#define GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_ROWLAYOUT_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::repro {

/// Cycles for 16 elements of 32 bits: what a contraction takes longer to read
/// or copy them transposed than row by row, and what a transpose takes.
/// Measured on AVX-512, with matrices of 650 x 650 and 650 x 2600 in the last
/// cache.
constexpr int64_t kCyclesOfRead = 2, kCyclesOfTranspose = 20;

/// Returns the dimension of an operand that the last dimension of the result
/// runs along, if it is another one than its last and all dimensions are plain
/// iterators.
std::optional<unsigned> findRowDim(ContractOp contract, unsigned operand);

/// Transposes a value, so that a dimension becomes its last.
mlir::Value moveToEnd(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value value, unsigned dim);

/// Makes the contraction read `value`, moveToEnd of the operand and `dim`.
void readMovedToEnd(ContractOp contract, unsigned operand, unsigned dim,
                    mlir::Value value);

} // namespace gensyn::repro

#endif
