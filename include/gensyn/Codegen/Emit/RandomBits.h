// Words of random bits, for schedules that lay out elements themselves.

#ifndef GENSYN_CODEGEN_EMIT_RANDOMBITS_H
#define GENSYN_CODEGEN_EMIT_RANDOMBITS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// Returns the words of `op` at `position`, the row-major indices of elements:
/// an i64, or a vector of them if `emitter` works on vectors. Null after an
/// error.
mlir::Value emitRandomBits(repro::RandomBitsOp op,
                           repro::ElementEmitter &emitter,
                           mlir::Value position);

/// Returns the four words of each block at `block`, a vector of i64 with the
/// indices of blocks. Empty after an error.
llvm::SmallVector<mlir::Value> emitRandomBlocks(repro::RandomBitsOp op,
                                                repro::ElementEmitter &emitter,
                                                mlir::Value block);

} // namespace gensyn::emit

#endif
