// See Alternatives.h.

#include "gensyn/Codegen/Schedule/Alternatives.h"

#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;

namespace gensyn::codegen {

std::string nameOf(repro::KernelOp kernel) {
  return nameKernel(kernel, printKernel(kernel));
}

std::string printFields(DictionaryAttr fields) {
  ScheduleFields known;
  for (NamedAttribute field : fields) {
    std::variant<int64_t, bool> &value = known[field.getName().str()];
    if (auto flag = dyn_cast<BoolAttr>(field.getValue()))
      value = flag.getValue();
    else
      value = cast<IntegerAttr>(field.getValue()).getInt();
  }
  return printScheduleFields(known);
}

static DictionaryAttr toAttribute(const ScheduleFields &fields,
                                  MLIRContext *context) {
  Builder builder(context);
  NamedAttrList list;
  for (const auto &[name, value] : fields)
    if (const bool *flag = std::get_if<bool>(&value))
      list.set(name, builder.getBoolAttr(*flag));
    else
      list.set(name, builder.getI64IntegerAttr(std::get<int64_t>(value)));
  return list.getDictionary(context);
}

FailureOr<KernelSchedules>
readSchedules(StringRef text, const std::string &target, ModuleOp module) {
  try {
    ScheduleFile file =
        parseSchedules({text.data(), text.size()}, "the option 'schedules'");
    return std::move(file[target]);
  } catch (const Failure &failure) {
    return module.emitError(failure.what());
  }
}

static remark::RemarkOpts remarkOf(repro::KernelOp kernel) {
  return remark::RemarkOpts::name("ReplaceSchedule")
      .category("schedule")
      .function(kernel.getSym());
}

void setSchedules(ModuleOp module, ArrayRef<ScheduledKernel> kernels,
                  const KernelSchedules &chosen) {
  std::set<std::string> refused;
  for (const auto &[kernel, name, alternatives] : kernels) {
    repro::KernelOp op = kernel;
    std::vector<std::string> texts;
    for (DictionaryAttr fields : alternatives)
      texts.push_back(printFields(fields));
    if (!alternatives.empty())
      remark::analysis(op.getLoc(), remarkOf(op))
          << remark::metric("Kernel", name)
          << remark::metric("Alternatives", llvm::join(texts, " "));
    const auto found = chosen.find(name);
    if (found == chosen.end() || found->second.empty())
      continue;
    DictionaryAttr fields = toAttribute(found->second, op.getContext());
    if (llvm::is_contained(alternatives, fields)) {
      op.setScheduleAttr(fields);
      remark::passed(op.getLoc(), remarkOf(op))
          << remark::metric("Kernel", name)
          << remark::metric("Schedule", printFields(fields));
    } else {
      refused.insert(name);
      remark::missed(op.getLoc(), remarkOf(op))
          << remark::metric("Kernel", name)
          << remark::reason("{0} is not an alternative", printFields(fields));
    }
  }
  if (!refused.empty())
    module.emitWarning()
        << refused.size()
        << (refused.size() == 1 ? " schedule is" : " schedules are")
        << " not used, since this compiler has no such alternative for the "
           "kernel; the first one is that of '"
        << *refused.begin() << "'";
}

} // namespace gensyn::codegen
