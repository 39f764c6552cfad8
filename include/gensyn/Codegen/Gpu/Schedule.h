// The interface of schedules, which make functions for a GPU of a kernel.
//
// A schedule decides tiles, threads, vectors and shared memory of a family of
// kernels. It cannot change a bit of a result, since orders belong to the ops.
// The code generator asks the registered schedules in turn; the baseline, a
// thread per element (or column), takes whatever none of them does.

#ifndef GENSYN_CODEGEN_GPU_SCHEDULE_H
#define GENSYN_CODEGEN_GPU_SCHEDULE_H

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::gpu {

/// One launch of a kernel. Launches run one after another.
struct LaunchPlan {
  /// Tells the launches of one kernel apart, e.g. "segments"; empty where there
  /// is only one.
  std::string suffix;
  /// Blocks, and threads of a block: x, y, z. A grid has at most 2^31 - 1 by
  /// 65535 by 65535 blocks; whoever needs more counts them in x.
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  /// Shared memory of a block, 128-byte aligned; nothing is known of what is in
  /// it. At most Target::sharedBytes.
  int64_t sharedBytes = 0;
  /// Blocks that a multiprocessor should hold at once (`.minnctapersm`), which
  /// bounds the registers of a thread; 0: the assembler decides.
  int minBlocks = 0;
};

/// A kernel as a schedule made it.
struct KernelPlan {
  /// Bytes of each workspace: global memory that lives from the first launch of
  /// the kernel to the last, 64-byte aligned, with no promise about what is in
  /// it.
  llvm::SmallVector<int64_t> workspaces;
  llvm::SmallVector<LaunchPlan> launches;
};

/// One entry of the PTX, with its pointers: `!llvm.ptr<1>`, to memory that is
/// 64-byte aligned and holds dense row-major tensors in their buffer types
/// (codegen::getBufferType): i1 as i8 (0 or 1), f16 and bf16 as i16, floats of
/// 8 bits and less as i8, unsigned integers signless.
struct KernelFunction {
  mlir::LLVM::LLVMFuncOp function;
  /// Operands of the kernel. Never written.
  llvm::SmallVector<mlir::Value> inputs;
  /// Its results. No memory of one overlaps any other argument, except that a
  /// result of a pointwise kernel may lie exactly where an operand does
  /// (codegen::findInPlacePairs): whoever computes elements of the results that
  /// need element e of the operand reads all operands at e before writing the
  /// first of these results at e, and nobody else reads them.
  llvm::SmallVector<mlir::Value> outputs;
  /// One i64 for each op of the kernel that may fault: the smallest position of
  /// a fault, as unsigned; updated by integer minimum (g7).
  llvm::SmallVector<mlir::Value> faults;
  llvm::SmallVector<mlir::Value> workspaces;
  /// `!llvm.ptr<3>`, null where the launch asked for none.
  mlir::Value shared;
};

class Schedule {
public:
  virtual ~Schedule() = default;

  /// A short name for dumps and tests: "contract", "rows", ...
  virtual llvm::StringRef getName() const = 0;

  /// The plan for the kernel, or nothing where the schedule does not take it.
  /// Cheap, and a function of its arguments only. The kernel's `schedule`
  /// attribute may hold sizes and flags that override the schedule's table; a
  /// schedule that knows none refuses such kernels.
  virtual std::optional<KernelPlan> match(repro::KernelOp kernel,
                                          const Target &target) const = 0;

  /// Emits the body of launch `launch` of `plan`, with the insertion point of
  /// `builder` at the end of the entry block of `function`; the return is added
  /// by the caller. May use arith, math (fma and sqrt only), scf, cf, vector
  /// (1-D), memref (allocas only), gpu, nvvm and llvm ops, and may add globals
  /// to the gpu.module around. Values of type index have 32 bits where no
  /// tensor of the kernel has 2^30 elements, else 64. Fails after an error on
  /// the kernel.
  virtual llvm::LogicalResult emit(repro::KernelOp kernel,
                                   const KernelPlan &plan, unsigned launch,
                                   const Target &target,
                                   const KernelFunction &function,
                                   mlir::OpBuilder &builder) const = 0;
};

/// Schedules in the order in which they are asked.
using Schedules = std::vector<std::unique_ptr<Schedule>>;

/// Every schedule there is. Schedules.cpp lists them.
const Schedules &getSchedules();

/// The first schedule that takes the kernel, and its plan; no schedule, and the
/// plan of the flat grid, where the baseline has to.
struct ScheduleChoice {
  const Schedule *schedule;
  KernelPlan plan;
};
ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target);

} // namespace gensyn::gpu

#endif
