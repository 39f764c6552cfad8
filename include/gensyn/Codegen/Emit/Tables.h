// Lookups in tables that are in vector registers.

#ifndef GENSYN_CODEGEN_EMIT_TABLES_H
#define GENSYN_CODEGEN_EMIT_TABLES_H

#include "gensyn/Machine/Cpu.h"

#include "mlir/IR/Builders.h"

namespace gensyn::emit {

/// A module's attribute: the name of the machine::Cpu that its code is for.
inline constexpr llvm::StringLiteral kInstructionSetAttr =
    "gensyn.instruction_set";

/// Returns how the machine of the builder's insertion point looks up vectors of
/// `lanes` numbers in a table; null if that is not one fast instruction for
/// each register, or there is no such machine.
const machine::TableLookup *findTableLookup(mlir::OpBuilder &builder,
                                            int64_t bits, int64_t entries,
                                            int64_t lanes);

/// Emits the entries of a constant table at `numbers`, a vector of integers of
/// the entries' width, modulo the number of entries.
mlir::Value lookUp(mlir::OpBuilder &builder, mlir::Location location,
                   const machine::TableLookup &lookup,
                   llvm::ArrayRef<uint32_t> table, mlir::Value numbers);
mlir::Value lookUp(mlir::OpBuilder &builder, mlir::Location location,
                   const machine::TableLookup &lookup,
                   llvm::ArrayRef<uint64_t> table, mlir::Value numbers);

} // namespace gensyn::emit

#endif
