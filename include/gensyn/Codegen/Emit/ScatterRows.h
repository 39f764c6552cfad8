// A scatter in rows: columns next to each other, walked together.

#ifndef GENSYN_CODEGEN_EMIT_SCATTERROWS_H
#define GENSYN_CODEGEN_EMIT_SCATTERROWS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// True if the last column index is the last index of updates and result, and
/// where an update goes does not depend on it otherwise: then columns that lie
/// next to each other in memory do the same, and each place is found once for
/// all of them.
bool hasScatterRows(repro::ScatterOp scatter);

/// Emits the columns at [begin, end) of the last column index, the others at
/// `column`, of a scatter that has rows. Results as ColumnModelInterface's.
llvm::LogicalResult emitScatterRows(repro::ScatterOp scatter,
                                    repro::ElementEmitter &emitter,
                                    llvm::ArrayRef<mlir::Value> column,
                                    mlir::Value begin, mlir::Value end,
                                    mlir::ValueRange results);

} // namespace gensyn::emit

#endif
