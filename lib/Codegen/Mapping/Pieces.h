// Functions of the pieces of kernels.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_PIECES_H
#define GENSYN_LIB_CODEGEN_MAPPING_PIECES_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <vector>

namespace gensyn::mapping {

/// A piece of a kernel.
struct Piece {
  /// The function, which is one kernel on tiles.
  mlir::FlatSymbolRefAttr function;
  /// Tiles of operands, then of results.
  llvm::SmallVector<repro::Tile> tiles;
  /// task.compute's `faults`; null: none.
  mlir::ArrayAttr faults;
};

/// Adds the functions of pieces at the end of a module, each once.
class PieceTable {
public:
  explicit PieceTable(mlir::ModuleOp module) : module(module) {}

  /// `inPlace` has a flag for each operand: the function gets the whole of it.
  /// Fails after an error if the piece cannot be built.
  mlir::FailureOr<Piece> find(repro::KernelOp kernel,
                              llvm::ArrayRef<repro::IndexRange> piece,
                              llvm::ArrayRef<bool> inPlace);

private:
  mlir::FailureOr<Piece> make(repro::KernelOp kernel,
                              llvm::ArrayRef<repro::IndexRange> piece,
                              llvm::ArrayRef<bool> inPlace);
  /// A number that kernels share whose pieces are equal: layers of one form.
  unsigned formOf(repro::KernelOp kernel);
  /// The piece itself, at the end of a block with the function's arguments.
  mlir::FailureOr<repro::KernelOp>
  build(repro::KernelOp kernel, llvm::ArrayRef<repro::IndexRange> piece,
        llvm::ArrayRef<repro::Tile> operands, llvm::ArrayRef<bool> inPlace,
        mlir::Block &block);
  mlir::FlatSymbolRefAttr addFunction(repro::KernelOp part);

  struct Known {
    repro::KernelOp part;
    mlir::FlatSymbolRefAttr function;
  };
  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Operation *, unsigned> forms;
  llvm::StringMap<unsigned> formNumbers;
  /// By form, operands in place, and the piece's begins and sizes.
  std::map<std::vector<int64_t>, Piece> made;
  /// By a hash of the kernel.
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<Known, 1>> known;
};

/// The kernel of a piece's function.
repro::KernelOp getPieceKernel(mlir::func::FuncOp function);

} // namespace gensyn::mapping

#endif
