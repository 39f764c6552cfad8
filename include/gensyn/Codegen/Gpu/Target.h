// A GPU generation as the code generator sees it: the facts that schedules
// choose by, and the interface to the dialect of its vendor.

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
  Xor,   ///< the own number xor `lane`
  Index, ///< number `lane`
  Up     ///< the own number less `lane`; the own one where there is none
};

/// What upstream dialects do not say in the same way for all vendors. Numbers
/// of type index of threads and blocks and the barrier of a block are gpu ops,
/// accesses and atomics llvm ops, arithmetic is arith and math. A vendor is one
/// implementation; no schedule names an op of its dialect.
class GpuTarget : public machine::Gpu {
public:
  GpuTarget(const GpuTarget &) = delete;
  GpuTarget &operator=(const GpuTarget &) = delete;
  virtual ~GpuTarget() = default;

  /// Threads of a warp, a power of two.
  int64_t warpSize = 0;
  /// Shared memory that needs no size at the launch, in bytes.
  int64_t staticSharedBytes = 0;
  /// Pointers that an entry may have.
  size_t mostBuffers = 0;
  /// Blocks that a grid may have: x, y, z.
  std::array<int64_t, 3> mostBlocks = {};

  /// Registers the dialects of the ops that it emits.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;

  /// Makes a function an entry for blocks of `block` threads (x, y, z), of
  /// which a multiprocessor should hold `minBlocks` at once (0: any number).
  virtual void markEntry(mlir::LLVM::LLVMFuncOp entry,
                         llvm::ArrayRef<int64_t> block,
                         int minBlocks) const = 0;

  /// Adds the passes that lower a gpu.module, nested in `modules`, to llvm ops
  /// and those of the vendor's dialect.
  virtual void addLoweringPasses(mlir::OpPassManager &modules) const = 0;

  /// The numbers, as an i32 below `count`, of the thread in its block and of
  /// the block, in x.
  virtual mlir::Value threadNumber(mlir::OpBuilder &b, mlir::Location loc,
                                   int64_t count) const = 0;
  virtual mlir::Value blockNumber(mlir::OpBuilder &b, mlir::Location loc,
                                  int64_t count) const = 0;

  /// The float or integer of up to 64 bits that another lane has. Lanes are
  /// numbered within `width` neighbours, a power of two; `lane` is an i32. All
  /// lanes of the warp have to reach it.
  mlir::Value shuffle(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                      ShuffleKind kind, mlir::Value lane, int64_t width) const;
  /// That of the lane of the warp whose number differs by `mask`.
  mlir::Value exchange(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value value, int64_t mask) const;

  /// Waits for all lanes of the warp; what they wrote before is seen after.
  virtual void syncWarp(mlir::OpBuilder &b, mlir::Location loc) const = 0;

  /// Four of the bytes of two i32: digit i of `selector`, in base 16, is the
  /// number of byte i of the result, 0 to 3 in `low`, 4 to 7 in `high`.
  virtual mlir::Value permuteBytes(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value low, mlir::Value high,
                                   int64_t selector) const = 0;

  // Copies from global to shared memory that run beside the thread, where
  // hasAsyncCopy holds: 4, 8 or 16 bytes, of which only the first `read` (an
  // i32; null: all) are read, the others are zeros.
  virtual void copyAsync(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value shared, mlir::Value global, int64_t bytes,
                         mlir::Value read) const = 0;
  /// Ends a group of copies; waits until at most `groups` of them run.
  virtual void commitCopies(mlir::OpBuilder &b, mlir::Location loc) const = 0;
  virtual void waitForCopies(mlir::OpBuilder &b, mlir::Location loc,
                             int64_t groups) const = 0;

protected:
  explicit GpuTarget(const machine::Gpu &gpu) : machine::Gpu(gpu) {}

  /// `shuffle` of an i32.
  virtual mlir::Value shuffleWord(mlir::OpBuilder &b, mlir::Location loc,
                                  mlir::Value word, ShuffleKind kind,
                                  mlir::Value lane, int64_t width) const = 0;
};

using Target = GpuTarget;

/// The target of a generation of Gpu.def.
const Target &getTarget(const machine::Gpu &gpu);

/// Registers the dialects of all targets.
void registerTargetDialects(mlir::DialectRegistry &registry);

/// Bytes of one memory access of a thread, everywhere.
inline constexpr int64_t kAccessBytes = 16;

} // namespace gensyn::gpu

#endif
