// The tiles that pieces of kernels need, kept while a context lives.

#ifndef GENSYN_LIB_DIALECT_REPRO_IR_KERNELTILES_H
#define GENSYN_LIB_DIALECT_REPRO_IR_KERNELTILES_H

#include "gensyn/Dialect/Repro/IR/SplitOp.h"

#include "mlir/IR/DialectInterface.h"
#include "mlir/Support/ThreadLocalCache.h"

#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gensyn::repro {

/// Of a piece of a kernel.
struct KernelTiles {
  /// Of each argument, all that the piece reads.
  llvm::SmallVector<Tile> arguments;
  /// By the number of an op in the kernel's block, the pieces of it that are
  /// computed, in the order of the ops.
  llvm::SmallVector<std::pair<unsigned, Tile>> pieces;
};

/// Looks up what was found before for a kernel with the same ops: mapping a
/// program asks for the same pieces again and again, and so does each machine
/// to which it is mapped. Threads share nothing.
class KernelTilesCache : public mlir::DialectInterface::Base<KernelTilesCache> {
public:
  KernelTilesCache(mlir::Dialect *dialect) : Base(dialect) {}

  using Find = llvm::function_ref<KernelTiles()>;
  static std::shared_ptr<const KernelTiles>
  get(KernelOp kernel, llvm::ArrayRef<IndexRange> piece, Find find);

private:
  using Words = std::vector<uint64_t>;
  struct Hash {
    size_t operator()(const Words &words) const;
  };
  using Pieces =
      std::unordered_map<Words, std::shared_ptr<const KernelTiles>, Hash>;
  using Kernels = std::unordered_map<Words, Pieces, Hash>;
  struct Table {
    /// Of the kernel that is looked up; they are made often.
    Words words;
    Kernels kernels;
    /// The kernel that was looked up last.
    Kernels::value_type *last = nullptr;
    size_t entries = 0;
  };
  mutable mlir::ThreadLocalCache<Table> tables;
};

} // namespace gensyn::repro

#endif
