// Tunable parameters of the contraction schedule: sizes and flags.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTSIZES_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTSIZES_H

#include "ContractAccess.h"
#include "gensyn/Codegen/Gpu/Target.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <optional>
#include <string>
#include <vector>

namespace gensyn::gpu {

/// Any value that passes checkContractSizes gives the same bits.
struct ContractSizes {
  int64_t bm = 128, bn = 128; ///< rows and columns of a block's tile
  int64_t bk = 16;            ///< points in shared memory at once
  int64_t tm = 8, tn = 8;     ///< rows and columns of a thread's tile
  int64_t lanes = 4;          ///< threads of a warp along the rows
  int64_t stages = 3;         ///< tiles of points in shared memory
  bool async = true;          ///< cp.async, else through registers
  bool keepA = false;         ///< layout Rows (ContractSide.h) for A if its
  bool keepB = false;         ///< points are contiguous; the same for B
  bool split = false;         ///< one block of the grid per block of the order
  bool matrix = false;        ///< matrix units multiply elements of 8 bits
  bool wide = false;          ///< all offsets have 64 bits, else where needed
  int64_t minBlocks = 0;      ///< LaunchPlan::minBlocks
  /// Not tunable: bytes of the point tables of one stage (ContractPoints.h).
  int64_t tableBytes = 0;
  /// Bytes of an accumulator: 4 or 8.
  int64_t elementBytes = 4;

  int64_t threads() const { return bm / tm * (bn / tn); }
  /// Returns the sums of a thread in an access to the workspace: 16 bytes, if
  /// it has so many.
  int64_t vectorOfSums() const { return std::min(16 / elementBytes, tm * tn); }
  /// Returns the bytes of an element in shared memory.
  int64_t unitBytes() const { return matrix ? 1 : elementBytes; }
  /// Returns the bytes of the tiles of both operands in one stage.
  int64_t tileBytes() const { return unitBytes() * (bm + bn) * bk; }
  int64_t sharedBytes() const { return (tileBytes() + tableBytes) * stages; }
  /// True if offsets of elements of the tensor have 64 bits.
  bool isWide(const codegen::GemmView &view, codegen::GemmTensor tensor) const {
    return wide || hasWideOffsets(view, tensor);
  }
};

/// Bytes of shared memory after the tiles, for values that a block computes
/// before the loop and needs after it.
constexpr int64_t kPlaceBytes = 32;

/// With matrix units: points of a tile, and of the rows and columns that an
/// instruction multiplies, also the least rows and columns of a warp's tile.
constexpr int64_t kMatrixTilePoints = 64, kMatrixPoints = 32, kMatrixRows = 16;

/// How the elements of operands become those of the sums.
enum class ContractKind {
  Plain,     ///< they have the type of the sums
  Converted, ///< an operand's are converted
  Matrix     ///< 8-bit integers, which matrix units multiply
};

/// Returns the sizes of all rows of the table for the shapes of a contraction
/// whose sums have `elementBytes`, those with the shortest estimated time
/// first.
std::vector<ContractSizes> rankContractSizes(const codegen::GemmView &view,
                                             const Target &target,
                                             int64_t elementBytes,
                                             ContractKind kind);

/// Returns the first of them.
ContractSizes chooseContractSizes(const codegen::GemmView &view,
                                  const Target &target,
                                  int64_t elementBytes = 4,
                                  ContractKind kind = ContractKind::Plain);

/// Returns the reason why sizes are invalid, or std::nullopt if they are valid.
std::optional<llvm::StringRef> checkContractSizes(const ContractSizes &sizes,
                                                  const Target &target);

/// Returns the `schedule` attribute that sets these sizes.
mlir::DictionaryAttr toAttribute(const ContractSizes &sizes,
                                 mlir::MLIRContext *context);

/// Returns the table's sizes, overridden by a kernel's `schedule` attribute: a
/// dictionary of the fields of ContractSizes (bm, bn, bk, tm, tn, lanes,
/// stages, async, keep_a, keep_b, split, wide, min_blocks). With `matrix =
/// false`, 8-bit integers are converted. Returns std::nullopt with the reason
/// in `error` if the attribute is invalid.
std::optional<ContractSizes>
readContractSizes(mlir::Attribute schedule, const codegen::GemmView &view,
                  const Target &target, int64_t elementBytes, ContractKind kind,
                  std::string &error);

} // namespace gensyn::gpu

#endif
