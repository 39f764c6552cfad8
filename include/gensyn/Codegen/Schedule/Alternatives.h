// The schedules that a kernel may have instead of its own, and the choice among
// them by a file.

#ifndef GENSYN_CODEGEN_SCHEDULE_ALTERNATIVES_H
#define GENSYN_CODEGEN_SCHEDULE_ALTERNATIVES_H

#include "gensyn/Codegen/Schedule/Schedule.h"
#include "gensyn/Executable/ScheduleFile.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn::codegen {

/// A kernel, its name by what it computes (nameKernel), and the `schedule`
/// attributes that it may have.
struct ScheduledKernel {
  repro::KernelOp kernel;
  std::string name;
  llvm::SmallVector<mlir::DictionaryAttr> alternatives;
};

/// Returns the name of a kernel by what it computes.
std::string nameOf(repro::KernelOp kernel);

/// Returns the alternatives that the kernel's schedule names, without those
/// with which it would not accept the kernel.
template <class Machine>
llvm::SmallVector<mlir::DictionaryAttr>
findAlternatives(const Schedules<Machine> &schedules, repro::KernelOp kernel,
                 const typename Machine::Target &target) {
  const auto own = findSchedule(schedules, kernel, target);
  if (!own)
    return {};
  auto alternatives = own->schedule->findAlternatives(kernel, target);
  llvm::erase_if(alternatives, [&](mlir::DictionaryAttr fields) {
    kernel.setScheduleAttr(fields);
    const auto other = findSchedule(schedules, kernel, target);
    kernel.removeScheduleAttr();
    return !other || other->schedule != own->schedule;
  });
  return alternatives;
}

/// Returns the kernels of a module that have no `schedule` attribute.
template <class Machine>
std::vector<ScheduledKernel>
listScheduledKernels(mlir::ModuleOp module, const Schedules<Machine> &schedules,
                     const typename Machine::Target &target) {
  std::vector<ScheduledKernel> kernels;
  module.walk([&](repro::KernelOp kernel) {
    if (!kernel.getScheduleAttr())
      kernels.push_back({kernel, nameOf(kernel),
                         findAlternatives(schedules, kernel, target)});
  });
  return kernels;
}

/// Prints the fields of a `schedule` attribute as JSON.
std::string printFields(mlir::DictionaryAttr fields);

/// Reads the schedules of a target from the text of a file. Fails after an
/// error on the module.
llvm::FailureOr<KernelSchedules> readSchedules(llvm::StringRef text,
                                               const std::string &target,
                                               mlir::ModuleOp module);

/// Sets the `schedule` attributes of the kernels that are in `chosen`, with
/// remarks. A schedule that is not an alternative of its kernel is not used; a
/// warning on the module says how many there are.
void setSchedules(mlir::ModuleOp module,
                  llvm::ArrayRef<ScheduledKernel> kernels,
                  const KernelSchedules &chosen);

} // namespace gensyn::codegen

#endif
