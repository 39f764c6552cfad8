// Schedules for CPUs; see Codegen/Schedule/Schedule.h. The baseline accepts
// every kernel and comes last.

#ifndef GENSYN_CODEGEN_CPU_SCHEDULE_H
#define GENSYN_CODEGEN_CPU_SCHEDULE_H

#include "gensyn/Codegen/Cpu/Target.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Codegen/Schedule/Schedule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn::cpu {

/// One launch: the runtime distributes the tiles [0, tiles) in chunks to
/// threads, and starts the next launch when all are done.
struct LaunchPlan {
  /// Distinguishes the launches of one kernel, e.g. "pack"; empty if there is
  /// only one.
  std::string suffix;
  int64_t tiles = 1;
  /// Bytes of private memory of each thread while it runs tiles, 64-byte
  /// aligned, with undefined contents.
  int64_t scratchBytes = 0;
  /// The workspaces that it fills, if it reads nothing but lasting operands
  /// (codegen::isLastingOperand) and writes nothing else: then it runs once per
  /// set of parameters, before launches without such workspaces.
  llvm::SmallVector<unsigned> prepared = {};
  /// Of such a launch: operands that no launch of a run reads.
  llvm::SmallVector<unsigned> unread = {};
  /// The schedule of the part of the kernel that it belongs to; empty: the
  /// kernel's.
  std::string schedule = {};
  /// Floating-point operations of the part of a kernel that it completes.
  /// Nothing: those of the kernel are of its last launch.
  std::optional<int64_t> flops = {};
};

/// The arguments of a kernel's function: buffers, then the thread's scratch,
/// then its range of tiles. Buffers are dense row-major memrefs of their buffer
/// types (codegen::getBufferType), workspaces memref<bytes x i8>. A body may
/// use arith, math (fma and sqrt only), scf, cf, memref, vector (1-D) and llvm
/// ops, and may add private functions and constant globals to the enclosing
/// module.
struct KernelFunction : codegen::KernelArguments {
  mlir::func::FuncOp function;
  /// memref<bytes x i8>.
  mlir::Value scratch;
  /// The tiles to run, of type index: begin <= t < end.
  mlir::Value begin, end;
};

struct CpuMachine {
  using Target = cpu::Target;
  using Launch = LaunchPlan;
  using Function = KernelFunction;
};
using KernelPlan = codegen::KernelPlan<CpuMachine>;
using Schedule = codegen::Schedule<CpuMachine>;
using Schedules = codegen::Schedules<CpuMachine>;
using ScheduleChoice = codegen::ScheduleChoice<CpuMachine>;

/// Returns all schedules of Schedules.def, the baseline last.
const Schedules &getSchedules();

/// The baseline, which accepts every kernel and computes one element after
/// another.
std::unique_ptr<Schedule> createBaselineSchedule();

/// Returns the first of `schedules` that accepts the kernel, and its plan.
/// There must be one.
ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target);

/// Returns the memref type of a kernel's operand or result; see KernelFunction.
using codegen::getBufferType;

} // namespace gensyn::cpu

#endif
