// The interface of schedules, which make functions of a kernel for a machine.
//
// A schedule decides tiles, vectors, threads, packing and memory of a family of
// kernels. It cannot change a bit of a result, since orders belong to the ops.
// The code generator asks the registered schedules in turn.
//
// CPU and GPU differ in what a launch and the arguments of a function are. A
// machine is a struct that names them: `Target`, `Launch`, with a member
// `suffix` that tells the launches of one kernel apart, and `Function`, which
// derives from KernelArguments.

#ifndef GENSYN_CODEGEN_SCHEDULE_SCHEDULE_H
#define GENSYN_CODEGEN_SCHEDULE_SCHEDULE_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::codegen {

/// A kernel as a schedule made it. Launches run one after another.
template <class Machine> struct KernelPlan {
  /// Bytes of each workspace: memory shared by all threads that lives from the
  /// first launch of the kernel to the last, 64-byte aligned, with undefined
  /// contents.
  llvm::SmallVector<int64_t> workspaces;
  llvm::SmallVector<typename Machine::Launch> launches;
};

/// The buffers that every function of a kernel is given.
struct KernelArguments {
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

  /// Fills the lists from the front of `values`, and returns the rest.
  llvm::ArrayRef<mlir::Value> take(repro::KernelOp kernel, size_t workspaces,
                                   llvm::ArrayRef<mlir::Value> values);
};

template <class Machine> class Schedule {
public:
  using Target = typename Machine::Target;
  using Function = typename Machine::Function;
  using Plan = KernelPlan<Machine>;

  virtual ~Schedule() = default;

  /// A short name for dumps and tests: "baseline", "contract", ...
  virtual llvm::StringRef getName() const = 0;

  /// The plan for the kernel, or nothing where the schedule does not take it.
  /// Cheap, and a function of its arguments only (it may be asked again when
  /// the kernel is compiled, in another context). The kernel's `schedule`
  /// attribute may hold sizes and flags that override the schedule's table; a
  /// schedule that knows none refuses such kernels.
  virtual std::optional<Plan> match(repro::KernelOp kernel,
                                    const Target &target) const = 0;

  /// Emits the body of launch `launch` of `plan`, with the insertion point of
  /// `builder` at the end of the entry block of `function`; the return is added
  /// by the caller. Machine::Function lists the dialects. Fails after an error
  /// on the kernel.
  virtual llvm::LogicalResult emit(repro::KernelOp kernel, const Plan &plan,
                                   unsigned launch, const Target &target,
                                   const Function &function,
                                   mlir::OpBuilder &builder) const = 0;
};

/// Schedules in the order in which they are asked.
template <class Machine>
using Schedules = std::vector<std::unique_ptr<Schedule<Machine>>>;

/// The schedule that takes a kernel, null for a baseline that is none, and its
/// plan.
template <class Machine> struct ScheduleChoice {
  const Schedule<Machine> *schedule;
  KernelPlan<Machine> plan;
};

/// The first of `schedules` that takes the kernel, and its plan.
template <class Machine>
std::optional<ScheduleChoice<Machine>>
findSchedule(const Schedules<Machine> &schedules, repro::KernelOp kernel,
             const typename Machine::Target &target) {
  for (const auto &schedule : schedules)
    if (auto plan = schedule->match(kernel, target))
      return ScheduleChoice<Machine>{schedule.get(), std::move(*plan)};
  return std::nullopt;
}

/// The name of a function of a kernel: that of the kernel, and the suffix of
/// the launch where it has one.
std::string nameFunction(llvm::StringRef kernel, llvm::StringRef suffix);

} // namespace gensyn::codegen

#endif
