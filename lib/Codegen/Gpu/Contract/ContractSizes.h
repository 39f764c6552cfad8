// The free choices of the contraction schedule: sizes and flags, no more.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTSIZES_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTSIZES_H

#include "gensyn/Codegen/Contraction/GemmView.h"
#include "gensyn/Codegen/Gpu/Target.h"
#include "mlir/IR/Attributes.h"

#include <optional>
#include <string>

namespace gensyn::gpu {

/// Any value that passes checkContractSizes gives the same bits.
struct ContractSizes {
  int64_t bm = 128, bn = 128; ///< rows and columns of a block's tile
  int64_t bk = 16;            ///< points in shared memory at once
  int64_t tm = 8, tn = 8;     ///< rows and columns of a thread's tile
  int64_t lanes = 4;          ///< threads of a warp along the rows
  int64_t stages = 3;         ///< tiles of points in shared memory
  bool async = true;          ///< copies beside the threads, else by registers
  bool keepA = false;         ///< A's points stay contiguous in shared memory,
  bool keepB = false;         ///< where they are in global memory; B's
  bool split = false;         ///< blocks of the order go to blocks of the grid
  int64_t minBlocks = 0;      ///< LaunchPlan::minBlocks
  /// No choice, but what the operands' points need beside a tile of them
  /// (ContractPoints.h), in bytes.
  int64_t tableBytes = 0;
  /// Of an element in shared memory and of a sum: 4 or 8.
  int64_t elementBytes = 4;

  int64_t threads() const { return bm / tm * (bn / tn); }
  /// Of the tiles of points, in bytes.
  int64_t tileBytes() const { return elementBytes * (bm + bn) * bk; }
  int64_t sharedBytes() const { return (tileBytes() + tableBytes) * stages; }
};

/// Shared memory behind the tiles, for what a block computes before the loop
/// and needs after it.
constexpr int64_t kPlaceBytes = 32;

/// The table's sizes for a contraction's shapes and sums of `elementBytes`.
ContractSizes chooseContractSizes(const codegen::GemmView &view,
                                  const Target &target,
                                  int64_t elementBytes = 4);

/// The error in sizes, if there is one.
std::optional<llvm::StringRef> checkContractSizes(const ContractSizes &sizes,
                                                  const Target &target);

/// The sizes that a kernel's `schedule` attribute asks for (a dictionary of
/// ContractSizes' fields: bm, bn, bk, tm, tn, lanes, stages, async, keep_a,
/// keep_b, split, min_blocks), over those of the table. On error nothing, with
/// the reason in `error`.
std::optional<ContractSizes> readContractSizes(mlir::Attribute schedule,
                                               const codegen::GemmView &view,
                                               const Target &target,
                                               int64_t elementBytes,
                                               std::string &error);

} // namespace gensyn::gpu

#endif
