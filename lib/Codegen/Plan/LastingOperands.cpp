// See LastingOperands.h.

#include "gensyn/Codegen/Plan/LastingOperands.h"

using namespace mlir;

namespace gensyn::codegen {

void setLastingOperands(repro::KernelOp kernel, ArrayRef<int64_t> operands) {
  kernel->removeDiscardableAttr(kLastingAttr);
  if (!operands.empty())
    kernel->setDiscardableAttr(
        kLastingAttr, DenseI64ArrayAttr::get(kernel.getContext(), operands));
}

bool isLastingOperand(repro::KernelOp kernel, unsigned operand) {
  auto lasting = dyn_cast_if_present<DenseI64ArrayAttr>(
      kernel->getDiscardableAttr(kLastingAttr));
  return lasting && llvm::is_contained(lasting.asArrayRef(), operand);
}

} // namespace gensyn::codegen
