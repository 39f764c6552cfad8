// Schedules for GPUs; see Codegen/Schedule/Schedule.h. The baseline, with a
// thread per element or column, is used for all other kernels.

#ifndef GENSYN_CODEGEN_GPU_SCHEDULE_H
#define GENSYN_CODEGEN_GPU_SCHEDULE_H

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Schedule/Schedule.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <array>

namespace gensyn::gpu {

/// One launch of a kernel. Launches run one after another.
struct LaunchPlan {
  /// Distinguishes the launches of one kernel, e.g. "segments"; empty if there
  /// is only one.
  std::string suffix;
  /// Blocks, and threads of a block: x, y, z. A grid has at most 2^31 - 1 by
  /// 65535 by 65535 blocks, so blocks are numbered along x.
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  /// Bytes of shared memory of a block, at most Target::sharedBytes, 128-byte
  /// aligned, with undefined contents.
  int64_t sharedBytes = 0;
  /// Minimum resident blocks per multiprocessor (`.minnctapersm`), which limits
  /// the registers of a thread; 0: the assembler decides.
  int minBlocks = 0;
  /// Floating-point operations; if none of a kernel's launches has any, the one
  /// with the most threads gets the kernel's.
  std::optional<int64_t> flops = {};
};

/// An entry with its pointers, `!llvm.ptr<1>`. They are 64-byte aligned and
/// point to dense row-major tensors of their buffer types
/// (codegen::getBufferType): i1 as i8 (0 or 1), f16 and bf16 as i16, floats of
/// at most 8 bits as i8, unsigned integers signless. A body may use arith, math
/// (fma and sqrt only), scf, cf, vector (1-D), memref (allocas only), gpu and
/// llvm ops and those that the target emits, and may add globals to the
/// enclosing gpu.module. Values of type index have 32 bits if all tensors of
/// the kernel have fewer than 2^30 elements, else 64.
struct KernelFunction : codegen::KernelArguments {
  mlir::LLVM::LLVMFuncOp function;
  /// `!llvm.ptr<3>`; null if the launch has no shared memory.
  mlir::Value shared;
};

struct GpuMachine {
  using Target = gpu::Target;
  using Launch = LaunchPlan;
  using Function = KernelFunction;
};
using KernelPlan = codegen::KernelPlan<GpuMachine>;
using Schedule = codegen::Schedule<GpuMachine>;
using Schedules = codegen::Schedules<GpuMachine>;
using ScheduleChoice = codegen::ScheduleChoice<GpuMachine>;

/// Returns all schedules of Schedules.def.
const Schedules &getSchedules();

/// Returns the first schedule that accepts the kernel, and its plan; else null
/// and the baseline's plan.
ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target);

} // namespace gensyn::gpu

#endif
