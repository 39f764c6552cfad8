// The interface of schedules, which make functions for the CPU of a kernel.
//
// A schedule decides tiles, vectors, packing and threads of a family of
// kernels. It cannot change a bit of a result, since orders belong to the ops.
// The code generator asks the registered schedules in turn; the baseline, which
// takes every kernel, is the last.

#ifndef GENSYN_CODEGEN_CPU_SCHEDULE_H
#define GENSYN_CODEGEN_CPU_SCHEDULE_H

#include "gensyn/Codegen/Cpu/Target.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::cpu {

/// One launch: the runtime hands the tiles [0, tiles) in chunks to threads, and
/// starts the next launch when all are done.
struct LaunchPlan {
  /// Tells the launches of one kernel apart, e.g. "pack"; empty where there is
  /// only one.
  std::string suffix;
  int64_t tiles = 1;
  /// Private memory of each thread while it runs tiles, 64-byte aligned, with
  /// no promise about what is in it.
  int64_t scratchBytes = 0;
};

/// A kernel as a schedule made it.
struct KernelPlan {
  /// Bytes of each workspace: memory shared by all threads that lives from the
  /// first launch of the kernel to the last, 64-byte aligned, with no promise
  /// about what is in it.
  llvm::SmallVector<int64_t> workspaces;
  llvm::SmallVector<LaunchPlan> launches;
};

/// The arguments of one function of a kernel: buffers, then thread's scratch,
/// then its range of tiles.
struct KernelFunction {
  mlir::func::FuncOp function;
  /// Operands of the kernel: dense row-major memrefs; i1 as i8 (0 or 1), f16
  /// and bf16 as i16, unsigned integers signless. Never written.
  llvm::SmallVector<mlir::Value> inputs;
  /// Its results. No memory of one overlaps any other argument, except that a
  /// result of a pointwise kernel may lie exactly where an operand does
  /// (codegen::findInPlacePairs): whoever computes elements of the results that
  /// need element e of the operand reads all operands at e before writing the
  /// first of these results at e, and nobody else reads them.
  llvm::SmallVector<mlir::Value> outputs;
  /// memref<1xi64>, one per op of the kernel that may fault: the smallest
  /// position of a fault, as unsigned; updated by integer minimum (g7).
  llvm::SmallVector<mlir::Value> faults;
  /// memref<bytes x i8>, one per workspace.
  llvm::SmallVector<mlir::Value> workspaces;
  /// memref<bytes x i8>.
  mlir::Value scratch;
  /// The tiles to run, of type index: begin <= t < end.
  mlir::Value begin, end;
};

class Schedule {
public:
  virtual ~Schedule() = default;

  /// A short name for dumps and tests: "baseline", "contract", ...
  virtual llvm::StringRef getName() const = 0;

  /// The plan for the kernel, or nothing where the schedule does not take it.
  /// Cheap, and a function of its arguments only (it is asked again when the
  /// kernel is compiled, in another context). The kernel's `schedule`
  /// attribute may hold sizes and flags that override the schedule's table.
  virtual std::optional<KernelPlan> match(repro::KernelOp kernel,
                                          const Target &target) const = 0;

  /// Emits the body of launch `launch` of `plan`, with the insertion point of
  /// `builder` at the end of the empty entry block of `function`; the return is
  /// added by the caller. May use arith, math (fma and sqrt only), scf, cf,
  /// memref, vector (1-D) and llvm ops, and may add private functions and
  /// constant globals to the module around. Fails after an error on the kernel.
  virtual llvm::LogicalResult emit(repro::KernelOp kernel,
                                   const KernelPlan &plan, unsigned launch,
                                   const Target &target,
                                   const KernelFunction &function,
                                   mlir::OpBuilder &builder) const = 0;
};

/// Schedules in the order in which they are asked.
using Schedules = std::vector<std::unique_ptr<Schedule>>;

/// Every schedule there is, the baseline last. Schedules.cpp lists them.
const Schedules &getSchedules();

/// The baseline, which takes every kernel: elements one after another.
std::unique_ptr<Schedule> createBaselineSchedule();

/// The first of `schedules` that takes the kernel, and its plan.
struct ScheduleChoice {
  const Schedule *schedule;
  KernelPlan plan;
};
ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target);

/// The memref type of a kernel's operand or result; see KernelFunction.
using codegen::getBufferType;

} // namespace gensyn::cpu

#endif
