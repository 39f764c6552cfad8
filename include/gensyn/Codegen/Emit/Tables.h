// Small tables, looked up in all lanes of a vector by a machine's permutation
// of one or two registers.

#ifndef GENSYN_CODEGEN_EMIT_TABLES_H
#define GENSYN_CODEGEN_EMIT_TABLES_H

#include "mlir/IR/Builders.h"

namespace gensyn::emit {

/// A module's attributes: the intrinsics that machine::Cpu::tablePermutation,
/// wordPermutation, wordTablePermutation and octetPermutation name, for code of
/// a machine that has them.
inline constexpr llvm::StringLiteral kTablePermutationAttr =
    "gensyn.table_permutation";
inline constexpr llvm::StringLiteral kWordPermutationAttr =
    "gensyn.word_permutation";
inline constexpr llvm::StringLiteral kWordTablePermutationAttr =
    "gensyn.word_table_permutation";
inline constexpr llvm::StringLiteral kOctetPermutationAttr =
    "gensyn.octet_permutation";

/// Returns the intrinsic of the module of the builder's insertion point; null
/// if it has none.
mlir::StringAttr findTablePermutation(mlir::OpBuilder &builder);
mlir::StringAttr findWordPermutation(mlir::OpBuilder &builder);
mlir::StringAttr findWordTablePermutation(mlir::OpBuilder &builder);
mlir::StringAttr findOctetPermutation(mlir::OpBuilder &builder);

/// True if `lookUp` takes vectors of `lanes` elements.
bool canLookUp(int64_t lanes);

/// Emits table[i mod 16] for every element of `numbers`, a vector of i64.
mlir::Value lookUp(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::StringAttr permutation, llvm::ArrayRef<uint64_t> table,
                   mlir::Value numbers);

/// True if `lookUpWords` and `lookUpWordTable` take vectors of `lanes`
/// elements.
bool canLookUpWords(int64_t lanes);

/// The same for vectors of i32 and tables of 16 words.
mlir::Value lookUpWords(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::StringAttr permutation,
                        llvm::ArrayRef<uint32_t> table, mlir::Value numbers);

/// The same for tables of 32 words.
mlir::Value lookUpWordTable(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::StringAttr permutation,
                            llvm::ArrayRef<uint32_t> table,
                            mlir::Value numbers);

/// True if `lookUpOctet` takes vectors of `lanes` elements.
bool canLookUpOctet(int64_t lanes);

/// The same for tables of 8 words.
mlir::Value lookUpOctet(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::StringAttr permutation,
                        llvm::ArrayRef<uint32_t> table, mlir::Value numbers);

} // namespace gensyn::emit

#endif
