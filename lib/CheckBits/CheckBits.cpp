// Captures the module before and after each pass.

#include "gensyn/CheckBits/CheckBits.h"

#include "Level.h"
#include "Report.h"
#include "gensyn/CheckBits/Difference.h"
#include "gensyn/CheckBits/Inputs.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;

namespace gensyn::checkbits {

static ModuleOp outermostModule(Operation *op) {
  ModuleOp module = dyn_cast<ModuleOp>(op);
  for (; op; op = op->getParentOp())
    if (auto around = dyn_cast<ModuleOp>(op))
      module = around;
  return module;
}

/// True for passes that only run other passes. (Their class is private to
/// MLIR.)
static bool isAdaptor(Pass *pass) {
  return pass->getName().contains("OpToOpPassAdaptor");
}

namespace {

/// Fails if a difference was found, so that the pipeline fails.
class FailIfFound final : public PassWrapper<FailIfFound, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailIfFound)
  explicit FailIfFound(const CheckResult &result) : result(result) {}
  void runOnOperation() override {
    if (result.found)
      signalPassFailure();
  }

private:
  const CheckResult &result;
};

/// True for passes that have nothing to do with the module: those that run
/// others, and ours.
bool isOurs(Pass *pass) {
  return isAdaptor(pass) || pass->getTypeID() == TypeID::get<FailIfFound>();
}

class Instrumentation final : public PassInstrumentation {
public:
  Instrumentation(const CheckOptions &options, CheckResult &result,
                  llvm::raw_ostream &out)
      : options(options), result(result), out(out), comparison(options, known) {
  }

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isOurs(pass))
      return;
    // The stack has one entry per running pass.
    OwningOpRef<ModuleOp> before;
    ModuleOp module = outermostModule(op);
    if (!result.found && module && isChecked(module))
      before = cast<ModuleOp>(module->clone());
    stack.push_back(std::move(before));
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (isOurs(pass))
      return;
    OwningOpRef<ModuleOp> before = std::move(stack.back());
    stack.pop_back();
    if (result.found || !before)
      return;
    ModuleOp after = outermostModule(op);
    if (OperationEquivalence::isEquivalentTo(
            *before, after, OperationEquivalence::IgnoreLocations)) {
      ++result.compared;
      return;
    }
    std::optional<Finding> finding = comparison.compare(*before, after);
    ++result.compared;
    if (!finding) {
      // Reports functions that were not checked, since silence would suggest
      // that they were.
      if (!comparison.getLeftOut().empty() && !std::exchange(isLeftOut, true))
        after.emitWarning("not compared before and after pass '")
            << nameOf(*pass)
            << "', nor what is as large later: " << comparison.getLeftOut()
            << " (--check-bits-work)";
      if (comparison.getNumCompared() == 0)
        after.emitWarning("nothing was compared before and after pass '")
            << nameOf(*pass) << "'";
      return;
    }
    result.found = true;
    report(*finding, *before, *pass, op, options, known, out);
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (!isOurs(pass))
      stack.pop_back();
  }

private:
  bool isChecked(ModuleOp module) const {
    return options.everything || module->hasAttr(repro::kDigestAttr);
  }

  CheckOptions options;
  CheckResult &result;
  llvm::raw_ostream &out;
  std::vector<OwningOpRef<ModuleOp>> stack;
  RecordedFacts known;
  Comparison comparison;
  bool isLeftOut = false;
};

} // namespace

void checkBits(PassManager &passes, const CheckOptions &options,
               CheckResult &result, llvm::raw_ostream &out) {
  passes.getContext()->disableMultithreading();
  passes.addInstrumentation(
      std::make_unique<Instrumentation>(options, result, out));
  passes.addPass(std::make_unique<FailIfFound>(result));
}

} // namespace gensyn::checkbits
