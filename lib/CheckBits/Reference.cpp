// Runs modules of repro ops with the reference interpreter.

#include "Level.h"
#include "Runners.h"

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Reference/Interpreter.h"
#include "gensyn/Reference/Work.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gensyn::checkbits {

static std::optional<std::vector<TensorSpec>> specsOf(TypeRange types) {
  std::vector<TensorSpec> specs;
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto element = tensor && tensor.hasStaticShape()
                       ? repro::getElementType(tensor.getElementType())
                       : std::optional<ElementType>();
    if (!element)
      return std::nullopt;
    specs.push_back({*element, tensor.getShape().vec()});
  }
  return specs;
}

static std::optional<Callable> makeCallable(StringRef name, TypeRange inputs,
                                            TypeRange outputs, Operation *op) {
  auto in = specsOf(inputs), out = specsOf(outputs);
  if (!in || !out || out->empty())
    return std::nullopt;
  Callable callable;
  callable.name = name.str();
  callable.inputs = *in;
  callable.outputs = *out;
  callable.op = op;
  callable.work = reference::countWork(op);
  callable.bytes = reference::countResultBytes(op);
  for (const auto *specs : {&callable.inputs, &callable.outputs})
    addSpecs(callable, *specs);
  return callable;
}

bool isReproFunction(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return false;
  return llvm::all_of(function.getBody().front(), [](Operation &op) {
    return isa<repro::ReproDialect>(op.getDialect()) || isa<func::ReturnOp>(op);
  });
}

namespace {
class Interpreted final : public Runner {
public:
  Interpreted(ModuleOp module, RecordedFacts &known) {
    llvm::StringSet<> names;
    known.kernels.clear();
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!isReproFunction(function))
        continue;
      add(makeCallable(function.getName(), function.getArgumentTypes(),
                       function.getResultTypes(), function));
      for (auto kernel : function.getOps<repro::KernelOp>()) {
        auto callable =
            makeCallable(kernel.getSym(), kernel.getInputs().getTypes(),
                         kernel.getResultTypes(), kernel);
        // A name that two functions have does not identify the functions
        // lowered from them.
        if (!callable || !names.insert(callable->name).second)
          continue;
        known.kernels[callable->name] = *callable;
        add(std::move(callable));
      }
    }
  }

  llvm::Expected<std::vector<Tensor>> run(const Callable &callable,
                                          ArrayRef<Tensor> inputs) override {
    std::string error;
    ScopedDiagnosticHandler handler(callable.op->getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (error.empty())
                                        error = diagnostic.str();
                                      return success();
                                    });
    auto kernel = dyn_cast<repro::KernelOp>(callable.op);
    repro::FaultScope scope;
    auto results =
        kernel ? kernel.evaluate(inputs)
               : reference::interpret(cast<func::FuncOp>(callable.op), inputs);
    if (failed(results))
      return llvm::createStringError("the reference fails: " + error);
    // A kernel's slots are those of its function.
    faults.reset();
    if (!kernel)
      faults = scope.getPositions(callable.op);
    return std::vector<Tensor>(results->begin(), results->end());
  }

private:
  void add(std::optional<Callable> callable) {
    if (callable)
      callables.push_back(std::move(*callable));
  }
};
} // namespace

std::unique_ptr<Runner> makeInterpreter(ModuleOp module, RecordedFacts &known) {
  return std::make_unique<Interpreted>(module, known);
}

} // namespace gensyn::checkbits
