// Prints the error and the smallest module that still shows it.

#include "Report.h"

#include "Runners.h"
#include "gensyn/CheckBits/Shrink.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gensyn::checkbits {

std::string nameOf(Pass &pass) {
  StringRef flag = pass.getArgument();
  return (flag.empty() ? pass.getName() : flag).str();
}

/// Runs a copy of `pass` on every op of the module like `anchor`.
static LogicalResult runCopy(Pass &pass, Operation *anchor, ModuleOp module) {
  SmallVector<StringRef> path; // from below the module to the anchor
  for (Operation *op = anchor; op && op->getParentOp(); op = op->getParentOp())
    path.insert(path.begin(), op->getName().getStringRef());
  PassManager manager(module.getContext());
  OpPassManager *nested = &manager;
  for (StringRef name : path)
    nested = &nested->nest(name);
  // Recreates the pass from its text, which includes its options: a pass's copy
  // constructor may do anything.
  std::string text;
  llvm::raw_string_ostream stream(text);
  pass.printAsTextualPipeline(stream);
  if (failed(parsePassPipeline(text, *nested, llvm::nulls())))
    return failure();
  return manager.run(module);
}

/// The function of a finding, or the one around its kernel.
static func::FuncOp functionOf(ModuleOp module, StringRef callable) {
  if (auto function = module.lookupSymbol<func::FuncOp>(callable))
    return function;
  func::FuncOp found;
  module.walk([&](repro::KernelOp kernel) {
    if (kernel.getSym() == callable)
      found = kernel->getParentOfType<func::FuncOp>();
  });
  return found;
}

static void setInputs(Case &part) {
  func::FuncOp function = part.getFunction();
  for (auto [i, input] : llvm::enumerate(part.inputs))
    function.setArgAttr(static_cast<unsigned>(i), program::kInputAttr,
                        repro::toAttribute(function.getContext(), input));
}

/// Copies the stamp of the freeze, without which the module would not be
/// checked. The digest is that of the whole program, since the reduced one was
/// never frozen.
static void setStamp(Case &part, ModuleOp whole) {
  for (StringRef name : {repro::kNumericsAttr, repro::kDigestAttr})
    if (Attribute value = whole->getAttr(name))
      (*part.module)->setAttr(name, value);
}

static std::optional<Case> cutOut(const Finding &finding, ModuleOp before,
                                  Pass &pass, Operation *anchor,
                                  const CheckOptions &options,
                                  RecordedFacts &known) {
  auto function = before.lookupSymbol<func::FuncOp>(finding.callable);
  if (!function || !isReproFunction(function))
    return std::nullopt;
  Case part = makeCase(function, finding.inputs);
  setStamp(part, before);
  if (isMapped(before)) {
    // Tasks are those of the whole function: what maps it again is on its
    // kernels.
    setInputs(part);
    return part;
  }
  Comparison comparison(options, known);
  auto fails = [&](const Case &smaller) {
    ScopedDiagnosticHandler quiet(before.getContext(),
                                  [](Diagnostic &) { return success(); });
    Case after = smaller.clone();
    if (failed(runCopy(pass, anchor, *after.module)))
      return false;
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>(smaller.module.get()->clone()));
    auto smallerFinding = comparison.compareOn(
        *copy, *after.module, finding.callable, smaller.inputs);
    return smallerFinding && smallerFinding->difference;
  };
  if (fails(part))
    shrink(part, fails);
  setInputs(part);
  return part;
}

/// The kernel of the finding as the only op of a function; null if the callable
/// is not a kernel.
static OwningOpRef<ModuleOp> cutKernel(const Finding &finding,
                                       ModuleOp before) {
  repro::KernelOp kernel;
  before.walk([&](repro::KernelOp op) {
    if (op.getSym() == finding.callable)
      kernel = op;
  });
  if (!kernel)
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(before.getLoc());
  OpBuilder builder(module->getBodyRegion());
  auto function = func::FuncOp::create(
      builder, kernel.getLoc(), "main",
      builder.getFunctionType(kernel.getInputs().getTypes(),
                              kernel.getResultTypes()));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  Operation *copy = builder.clone(*kernel);
  copy->setOperands(block->getArguments());
  func::ReturnOp::create(builder, kernel.getLoc(), copy->getResults());
  return module;
}

/// The module below repro with the finding's function and its callees only.
static OwningOpRef<ModuleOp> cutLowered(const Finding &finding,
                                        ModuleOp before) {
  OwningOpRef<ModuleOp> module(cast<ModuleOp>(before->clone()));
  SmallVector<Operation *> others;
  module->walk([&](FunctionOpInterface function) {
    StringRef name = function.getName();
    const bool isPart = name == finding.callable ||
                        name.starts_with((finding.callable + "_").c_str());
    if (!isPart && SymbolTable::symbolKnownUseEmpty(function, *module))
      others.push_back(function);
  });
  for (Operation *other : others)
    other->erase();
  return module;
}

/// The inputs as comments, for modules whose arguments cannot carry them.
static void printInputs(const Finding &finding, llvm::raw_ostream &out) {
  constexpr int64_t kMost = 64;
  for (auto [i, input] : llvm::enumerate(finding.inputs)) {
    out << "// input " << i << " (" << name(input.elementType()) << "):";
    for (int64_t j = 0; j < std::min(input.numElements(), kMost); ++j)
      out << " 0x" << llvm::utohexstr(bitsOf(input, j));
    out << (input.numElements() > kMost ? " ...\n" : "\n");
  }
}

void report(const Finding &finding, ModuleOp before, Pass &pass,
            Operation *anchor, const CheckOptions &options,
            RecordedFacts &known, llvm::raw_ostream &out) {
  const std::string name = nameOf(pass);
  Location location = before.getLoc();
  if (func::FuncOp function = functionOf(before, finding.callable))
    location = function.getLoc();
  InFlightDiagnostic error = emitError(location)
                             << "pass '" << name << "' changes bits";
  if (!finding.callable.empty())
    error << " of '" << finding.callable << "'";
  if (finding.difference)
    error << ": " << finding.difference->describe()
          << (finding.writer.empty() ? "" : "; ") << finding.writer;
  else if (!finding.fault.empty())
    error << ": " << finding.fault;
  else
    error << ", since what it leaves does not run: " << finding.error;
  error << " (seed " << std::to_string(options.seed) << ", trial "
        << finding.trial << ")";
  // The error comes first: reduction takes longer.
  error.report();
  out << "// '" << name << "' changes a bit of:\n";
  if (auto part = cutOut(finding, before, pass, anchor, options, known)) {
    part->module->print(out);
    out << "\n";
    return;
  }
  OwningOpRef<ModuleOp> part = cutKernel(finding, before);
  if (!part)
    part = cutLowered(finding, before);
  part->print(out);
  out << "\n";
  printInputs(finding, out);
}

} // namespace gensyn::checkbits
