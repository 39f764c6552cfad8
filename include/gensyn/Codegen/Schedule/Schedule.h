// The interface of schedules, which generate the functions of a kernel for a
// machine.
//
// A schedule decides tiles, vectors, threads, packing and memory of a family of
// kernels. It cannot change the bits of a result, since orders belong to the
// ops. The code generator tries the registered schedules in order.
//
// CPU and GPU differ in what a launch and the arguments of a function are. A
// machine is a struct that names them: `Target`; `Launch`, whose member
// `suffix` distinguishes the launches of one kernel; and `Function`, which
// derives from KernelArguments.

#ifndef GENSYN_CODEGEN_SCHEDULE_SCHEDULE_H
#define GENSYN_CODEGEN_SCHEDULE_SCHEDULE_H

#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Executable/ScheduleName.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::codegen {

/// A schedule's plan for a kernel. Launches run one after another.
template <class Machine> struct KernelPlan {
  /// Bytes of each workspace: memory shared by all threads that lives from the
  /// first launch of the kernel to the last, 64-byte aligned, with undefined
  /// contents.
  llvm::SmallVector<int64_t> workspaces;
  llvm::SmallVector<typename Machine::Launch> launches;
  /// Results that may share the memory of operands, besides those of
  /// findInPlacePairs: the schedule reads the operand at an element before it
  /// writes the result there, in one launch.
  llvm::SmallVector<InPlacePair, 0> inPlace;

  /// Returns all such results of the kernel.
  llvm::SmallVector<InPlacePair> findInPlace(repro::KernelOp kernel) const {
    llvm::SmallVector<InPlacePair> pairs = findInPlacePairs(kernel);
    pairs.append(inPlace);
    return pairs;
  }
};

/// The buffer arguments of every function of a kernel.
struct KernelArguments {
  /// Operands of the kernel, read-only.
  llvm::SmallVector<mlir::Value> inputs;
  /// Results of the kernel. Their memory does not overlap any other argument,
  /// except that a result of a pointwise kernel may share the memory of an
  /// operand (KernelPlan::findInPlace). Therefore the thread that computes
  /// elements of the results from element e of the operand reads all operands
  /// at e before it writes the first of these results at e, and no other thread
  /// reads them.
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

  /// Returns the plan for the kernel, or std::nullopt if the schedule does not
  /// accept it. Must be cheap and depend on its arguments only: it may be
  /// called again when the kernel is compiled, in another context. The kernel's
  /// `schedule` attribute may hold sizes and flags that override the schedule's
  /// table; a schedule that supports none rejects such kernels.
  virtual std::optional<Plan> match(repro::KernelOp kernel,
                                    const Target &target) const = 0;

  /// Returns the `schedule` attributes that may be faster for a kernel that
  /// `match` accepts without one, the most promising first. With each of them
  /// `emit` succeeds.
  virtual llvm::SmallVector<mlir::DictionaryAttr>
  findAlternatives(repro::KernelOp, const Target &) const {
    return {};
  }

  /// Returns the reason why `match` does not accept a kernel of the schedule's
  /// own family, for remarks; empty for other kernels.
  virtual std::string explain(repro::KernelOp kernel,
                              const Target &target) const {
    (void)kernel, (void)target;
    return {};
  }

  /// Emits the body of launch `launch` of `plan`, with the insertion point of
  /// `builder` at the end of the entry block of `function`; the caller adds the
  /// return. Machine::Function lists the dialects. Fails after an error on the
  /// kernel.
  virtual llvm::LogicalResult emit(repro::KernelOp kernel, const Plan &plan,
                                   unsigned launch, const Target &target,
                                   const Function &function,
                                   mlir::OpBuilder &builder) const = 0;
};

/// Schedules in the order in which they are tried.
template <class Machine>
using Schedules = std::vector<std::unique_ptr<Schedule<Machine>>>;

/// A list of what each function creates, in order.
template <class Machine>
Schedules<Machine>
makeSchedules(llvm::ArrayRef<std::unique_ptr<Schedule<Machine>> (*)()> create) {
  Schedules<Machine> schedules;
  for (auto *function : create)
    schedules.push_back(function());
  return schedules;
}

/// The schedule that accepts a kernel, null for a baseline without a schedule,
/// and its plan.
template <class Machine> struct ScheduleChoice {
  const Schedule<Machine> *schedule;
  KernelPlan<Machine> plan;
};

/// Returns the name of a choice's schedule.
template <class Machine>
llvm::StringRef nameSchedule(const ScheduleChoice<Machine> &choice) {
  return choice.schedule ? choice.schedule->getName()
                         : llvm::StringRef(kBaselineSchedule);
}

/// Returns the first of `schedules` that accepts the kernel, and its plan.
template <class Machine>
std::optional<ScheduleChoice<Machine>>
findSchedule(const Schedules<Machine> &schedules, repro::KernelOp kernel,
             const typename Machine::Target &target) {
  for (const auto &schedule : schedules)
    if (auto plan = schedule->match(kernel, target))
      return ScheduleChoice<Machine>{schedule.get(), std::move(*plan)};
  return std::nullopt;
}

/// Returns the name of a kernel's function: the name of the kernel, and the
/// suffix of the launch if it has one.
std::string nameFunction(llvm::StringRef kernel, llvm::StringRef suffix);

} // namespace gensyn::codegen

#endif
