// See StatedInputs.h.

#include "gensyn/Reference/StatedInputs.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;

namespace gensyn::reference {

std::optional<std::vector<Tensor>> getStatedInputs(func::FuncOp function,
                                                   unsigned &missing) {
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto elements =
        function.getArgAttrOfType<DenseElementsAttr>(i, program::kInputAttr);
    if (!elements || elements.getType() != function.getArgumentTypes()[i]) {
      missing = i;
      return std::nullopt;
    }
    inputs.push_back(repro::toTensor(elements));
  }
  return inputs;
}

} // namespace gensyn::reference
