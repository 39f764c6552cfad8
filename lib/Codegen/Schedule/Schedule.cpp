// See Schedule.h.

#include "gensyn/Codegen/Schedule/Schedule.h"

using namespace mlir;

namespace gensyn::codegen {

ArrayRef<Value> KernelArguments::take(repro::KernelOp kernel,
                                      size_t workspaceCount,
                                      ArrayRef<Value> values) {
  auto next = [&](size_t count) {
    SmallVector<Value> taken(values.take_front(count));
    values = values.drop_front(count);
    return taken;
  };
  inputs = next(kernel.getInputs().size());
  outputs = next(kernel.getNumResults());
  faults = next(kernel.getFaultingOps().size());
  workspaces = next(workspaceCount);
  return values;
}

std::string nameFunction(StringRef kernel, StringRef suffix) {
  return suffix.empty() ? kernel.str() : (kernel + "_" + suffix).str();
}

} // namespace gensyn::codegen
