// Row-wise scatter: adjacent columns are processed together.

#ifndef GENSYN_CODEGEN_EMIT_SCATTERROWS_H
#define GENSYN_CODEGEN_EMIT_SCATTERROWS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// True if the last column index is the last index of updates and result, and
/// the position of an update does not depend on it otherwise. Then columns that
/// are adjacent in memory behave the same, and each position is computed once
/// for all of them.
bool hasScatterRows(repro::ScatterOp scatter);

/// Emits columns [begin, end) of the last column index, with the other column
/// indices in `column`, of a scatter for which hasScatterRows holds. Results as
/// in ColumnModelInterface. The base is copied only if `copies`, an i1, is true
/// or null: it need not be where base and result are one buffer.
llvm::LogicalResult emitScatterRows(repro::ScatterOp scatter,
                                    repro::ElementEmitter &emitter,
                                    llvm::ArrayRef<mlir::Value> column,
                                    mlir::Value begin, mlir::Value end,
                                    mlir::ValueRange results,
                                    mlir::Value copies = {});

} // namespace gensyn::emit

#endif
