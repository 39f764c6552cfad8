// Refuses ops whose result a target is free to choose. The auditor of the PTX
// text (lib/Ptx) asks the same of what the assembler is given.

#include "TargetRules.h"
#include "gensyn/Codegen/Emit/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace gensyn::emit {
#define GEN_PASS_DEF_VERIFYTARGETBITSPASS
#include "gensyn/Codegen/Emit/Passes.h.inc"

namespace {
/// The kernel that an op is in, as an error names it.
std::string whereabouts(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return function ? (" in '" + function.getName() + "'").str() : "";
}

struct VerifyTargetBits final
    : impl::VerifyTargetBitsPassBase<VerifyTargetBits> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      const TargetRule *rule = findBrokenRule(op, symbols);
      if (!rule)
        return WalkResult::advance();
      op->emitError() << "'" << op->getName() << "'" << whereabouts(op) << " "
                      << rule->meaning << " [" << rule->name << "]";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace gensyn::emit
