// A GPU generation for the code generator: the properties on which schedules
// depend, and the interface to the dialect of its vendor.

#ifndef GENSYN_CODEGEN_GPU_TARGET_H
#define GENSYN_CODEGEN_GPU_TARGET_H

#include "gensyn/Machine/Gpu.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <array>
#include <cstdint>

namespace gensyn::gpu {

/// The lane that a shuffle reads.
enum class ShuffleKind {
  Xor,   ///< the own index xor `lane`
  Index, ///< index `lane`
  Up     ///< the own index minus `lane`; the own lane if that is negative
};

/// Emits what upstream dialects do not express for all vendors. Thread and
/// block indices and the barrier of a block are gpu ops, accesses and atomics
/// are llvm ops, and arithmetic is arith and math. Each vendor is an
/// implementation; no schedule names an op of its dialect.
class GpuTarget : public machine::Gpu {
public:
  GpuTarget(const GpuTarget &) = delete;
  GpuTarget &operator=(const GpuTarget &) = delete;
  virtual ~GpuTarget() = default;

  /// Threads of a warp, a power of two.
  int64_t warpSize = 0;
  /// Maximum bytes of statically sized shared memory.
  int64_t staticSharedBytes = 0;
  /// Maximum number of pointer parameters of an entry.
  size_t mostBuffers = 0;
  /// Maximum blocks of a grid: x, y, z.
  std::array<int64_t, 3> mostBlocks = {};

  /// True if arith.maximumf and arith.minimumf of f32 are one instruction.
  bool hasFloatExtrema = false;

  /// Registers the dialects of the ops that it emits.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;

  /// Makes a function an entry for blocks of `block` threads (x, y, z). At
  /// least `minBlocks` of them should be resident per multiprocessor (0: any
  /// number).
  virtual void markEntry(mlir::LLVM::LLVMFuncOp entry,
                         llvm::ArrayRef<int64_t> block,
                         int minBlocks) const = 0;

  /// Adds the passes that lower a gpu.module, nested in `modules`, to llvm ops
  /// and those of the vendor's dialect.
  virtual void addLoweringPasses(mlir::OpPassManager &modules) const = 0;

  /// Return the index of the thread in its block, and of the block, along x: an
  /// i32 below `count`.
  virtual mlir::Value threadNumber(mlir::OpBuilder &b, mlir::Location loc,
                                   int64_t count) const = 0;
  virtual mlir::Value blockNumber(mlir::OpBuilder &b, mlir::Location loc,
                                  int64_t count) const = 0;

  /// Returns the float or integer of up to 64 bits of another lane. Lanes are
  /// numbered within groups of `width` adjacent ones, a power of two; `lane` is
  /// an i32. All lanes of the warp must reach it.
  mlir::Value shuffle(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                      ShuffleKind kind, mlir::Value lane, int64_t width) const;
  /// Returns the value of the lane whose index in the warp is the own one xor
  /// `mask`.
  mlir::Value exchange(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value value, int64_t mask) const;

  /// Synchronizes the lanes of the warp, and makes their writes visible to each
  /// other.
  virtual void syncWarp(mlir::OpBuilder &b, mlir::Location loc) const = 0;

  /// Selects four bytes of two i32. Hexadecimal digit i of `selector` selects
  /// byte i of the result: 0 to 3 from `low`, 4 to 7 from `high`.
  virtual mlir::Value permuteBytes(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value low, mlir::Value high,
                                   int64_t selector) const = 0;

  // Asynchronous copies from global to shared memory of 4, 8 or 16 bytes, if
  // hasAsyncCopy is true. Only the first `read` bytes (an i32; null: all) are
  // read; the others become zeros.
  virtual void copyAsync(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value shared, mlir::Value global, int64_t bytes,
                         mlir::Value read) const = 0;
  /// End a group of copies, and wait until at most `groups` of them are
  /// incomplete.
  virtual void commitCopies(mlir::OpBuilder &b, mlir::Location loc) const = 0;
  virtual void waitForCopies(mlir::OpBuilder &b, mlir::Location loc,
                             int64_t groups) const = 0;

  // Matrix units of 8-bit integers, if matrixPoints is not 0. All lanes of the
  // warp must reach them.
  /// Loads four matrices of 8 rows of 16 bytes from shared memory. Lane 8 i + j
  /// passes the address of row j of matrix i. Word i of lane 4 j + q is bytes 4
  /// q to 4 q + 3 of row j of matrix i.
  virtual std::array<mlir::Value, 4> loadMatrices(mlir::OpBuilder &b,
                                                  mlir::Location loc,
                                                  mlir::Value shared) const = 0;
  /// Adds products of 16 rows of x and 8 rows of y, of 32 points each, to the
  /// sums, modulo 2^32. `x` is what loadMatrices returns for rows 0 to 7 and 8
  /// to 15 of points 0 to 15, then for those of points 16 to 31; `y` are the
  /// words of both halves of the points. Sums 2 i + j of lane 4 r + q are of
  /// rows r + 8 i of x and 2 q + j of y. `isUnsigned` is about both.
  virtual void multiplyMatrices(mlir::OpBuilder &b, mlir::Location loc,
                                llvm::ArrayRef<mlir::Value> x,
                                llvm::ArrayRef<mlir::Value> y, bool isUnsigned,
                                std::array<mlir::Value, 4> &sums) const = 0;

protected:
  explicit GpuTarget(const machine::Gpu &gpu) : machine::Gpu(gpu) {}

  /// Emits `shuffle` of an i32.
  virtual mlir::Value shuffleWord(mlir::OpBuilder &b, mlir::Location loc,
                                  mlir::Value word, ShuffleKind kind,
                                  mlir::Value lane, int64_t width) const = 0;
};

using Target = GpuTarget;

/// Returns the target of a generation of Gpu.def.
const Target &getTarget(const machine::Gpu &gpu);

/// Registers the dialects of all targets.
void registerTargetDialects(mlir::DialectRegistry &registry);

/// Bytes of a thread's widest memory access, on all targets.
inline constexpr int64_t kAccessBytes = 16;

} // namespace gensyn::gpu

#endif
