// See Remarks.h.

#include "gensyn/Codegen/Schedule/Remarks.h"

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gensyn::codegen {

void remarkSchedule(repro::KernelOp kernel, StringRef schedule, bool isBaseline,
                    ArrayRef<StringRef> refused,
                    function_ref<std::string()> explain) {
  if (!kernel.getContext()->getRemarkEngine())
    return;
  const repro::KernelForm form = repro::getKernelForm(kernel);
  const remark::RemarkOpts options = remark::RemarkOpts::name("ChooseSchedule")
                                         .category("schedule")
                                         .function(kernel.getSym());
  auto remark = isBaseline ? remark::missed(kernel.getLoc(), options)
                           : remark::passed(kernel.getLoc(), options);
  remark << remark::metric("Schedule", schedule)
         << remark::metric("Form", toString(form.kind))
         << remark::metric("Refused", llvm::join(refused, ", "));
  const std::string reason = form.reason.empty() ? explain() : form.reason;
  if (!reason.empty())
    remark << remark::reason("{0}", reason);
}

} // namespace gensyn::codegen
