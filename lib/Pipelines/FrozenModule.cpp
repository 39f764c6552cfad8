// See FrozenModule.h.

#include "FrozenModule.h"

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Pipelines/TextFacts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace gensyn {

/// Checks for one function of one block with ops that the interpreter supports.
static LogicalResult checkProgram(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || !llvm::hasSingleElement(*module.getBody()))
    return module.emitError("expected one function, 'main'");
  if (!main.getBody().hasOneBlock())
    return main.emitError("expected a body of one block");
  WalkResult result = main.getBody().walk([](Operation *op) {
    if (!op->hasTrait<OpTrait::IsTerminator>() &&
        !isa<repro::ReferenceOpInterface>(op)) {
      op->emitOpError("has no reference meaning");
      return WalkResult::interrupt();
    }
    // The number of a fault is its position in the program, and not part of any
    // digest.
    if (op->hasAttr(repro::kFaultSlotAttr)) {
      op->emitOpError("has a ")
          << repro::kFaultSlotAttr << ", which only ops of kernels have";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

std::string printFrozenModule(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](DenseResourceElementsAttr resource) -> Attribute {
    return repro::toAttribute(resource.getContext(), repro::toTensor(resource));
  });
  OwningOpRef<ModuleOp> copy = module.clone();
  replacer.recursivelyReplaceElementsIn(*copy);
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream);
  return text;
}

OwningOpRef<ModuleOp> readFrozenModule(StringRef text, MLIRContext *context) {
  // Resources have a parser of their own; printFrozenModule() writes none.
  const TextFacts facts = lookAtText(text);
  if (std::string reason = facts.hasResources ? "has resources" : facts.problem;
      !reason.empty()) {
    emitError(UnknownLoc::get(context)) << reason;
    return nullptr;
  }
  auto module = parseSourceString<ModuleOp>(text, context);
  if (!module || failed(checkProgram(*module)))
    return nullptr;
  return module;
}

} // namespace gensyn
