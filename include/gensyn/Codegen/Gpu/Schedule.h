// Schedules for GPUs; see Codegen/Schedule/Schedule.h. The baseline, a thread
// per element (or column), takes whatever none of them does.

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

/// One entry of the PTX, with its pointers: `!llvm.ptr<1>`, to memory that is
/// 64-byte aligned and holds dense row-major tensors in their buffer types
/// (codegen::getBufferType): i1 as i8 (0 or 1), f16 and bf16 as i16, floats of
/// 8 bits and less as i8, unsigned integers signless. A body may use arith,
/// math (fma and sqrt only), scf, cf, vector (1-D), memref (allocas only), gpu
/// and llvm ops and what the target emits, and may add globals to the
/// gpu.module around. Values of type index have 32 bits where no tensor of the
/// kernel has 2^30 elements, else 64.
struct KernelFunction : codegen::KernelArguments {
  mlir::LLVM::LLVMFuncOp function;
  /// `!llvm.ptr<3>`, null where the launch asked for none.
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

/// Every schedule of Schedules.def.
const Schedules &getSchedules();

/// The first schedule that takes the kernel, and its plan; no schedule, and the
/// plan of the flat grid, where the baseline has to.
ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target);

} // namespace gensyn::gpu

#endif
