// Rejects ops whose result depends on the target. The PTX auditor (lib/Ptx)
// does the same for the assembler's input.

#include "TargetRules.h"
#include "gensyn/Codegen/Emit/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace gensyn::emit {
#define GEN_PASS_DEF_VERIFYTARGETBITSPASS
#include "gensyn/Codegen/Emit/Passes.h.inc"

namespace {
/// Returns the name of the enclosing kernel for error messages.
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
