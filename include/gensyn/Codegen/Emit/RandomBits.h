// Words of a draw, for schedules that place elements in their own way.

#ifndef GENSYN_CODEGEN_EMIT_RANDOMBITS_H
#define GENSYN_CODEGEN_EMIT_RANDOMBITS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// The words of `op` at `position`, the row-major numbers of elements: an i64,
/// or a vector of them where `emitter` works on vectors. Null after an error.
mlir::Value emitRandomBits(repro::RandomBitsOp op,
                           repro::ElementEmitter &emitter,
                           mlir::Value position);

/// The four words of each block at `block`, the numbers of blocks: a vector of
/// i64. Nothing after an error.
llvm::SmallVector<mlir::Value> emitRandomBlocks(repro::RandomBitsOp op,
                                                repro::ElementEmitter &emitter,
                                                mlir::Value block);

} // namespace gensyn::emit

#endif
