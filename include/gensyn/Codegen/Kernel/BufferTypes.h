// The types of the buffers that kernels read and write.

#ifndef GENSYN_CODEGEN_KERNEL_BUFFERTYPES_H
#define GENSYN_CODEGEN_KERNEL_BUFFERTYPES_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gensyn::codegen {

/// Returns the dense row-major memref type that stores a tensor: i1 as i8 (0 or
/// 1), floats of 16 bits and less and integers of 4 bits and less as bit
/// patterns in i16 or i8, whose upper bits are 0; unsigned integers signless.
mlir::MemRefType getBufferType(mlir::RankedTensorType type);

/// Returns the scalar type of an element in ElementEmitter: as in its buffer,
/// except that i1 is i1.
mlir::Type getScalarType(mlir::Type element);

/// Returns the types of a kernel's buffers: those of its operands, then of its
/// results, then a memref<1xi64> for each of its ops that may fault.
llvm::SmallVector<mlir::Type> getBufferTypes(repro::KernelOp kernel);

} // namespace gensyn::codegen

#endif
