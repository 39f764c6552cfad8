// Runs modules of repro ops with the reference interpreter.

#include "Level.h"
#include "Runners.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Reference/Interpreter.h"
#include "gensyn/Reference/Work.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gensyn::checkbits {

static std::optional<std::vector<Port>> portsOf(TypeRange types) {
  std::vector<Port> ports;
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto element = tensor && tensor.hasStaticShape()
                       ? repro::getElementType(tensor.getElementType())
                       : std::optional<ElementType>();
    if (!element)
      return std::nullopt;
    ports.push_back({*element, tensor.getShape().vec()});
  }
  return ports;
}

static std::optional<Unit> makeUnit(StringRef name, TypeRange inputs,
                                    TypeRange outputs, Operation *op) {
  auto in = portsOf(inputs), out = portsOf(outputs);
  if (!in || !out || out->empty())
    return std::nullopt;
  Unit unit;
  unit.name = name.str();
  unit.inputs = *in;
  unit.outputs = *out;
  unit.op = op;
  unit.work = reference::countWork(op);
  unit.bytes = reference::countResultBytes(op);
  for (const auto *ports : {&unit.inputs, &unit.outputs})
    addPorts(unit, *ports);
  return unit;
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
      add(makeUnit(function.getName(), function.getArgumentTypes(),
                   function.getResultTypes(), function));
      for (auto kernel : function.getOps<repro::KernelOp>()) {
        auto unit = makeUnit(kernel.getSym(), kernel.getInputs().getTypes(),
                             kernel.getResultTypes(), kernel);
        // A name that two functions have does not identify the functions
        // lowered from them.
        if (!unit || !names.insert(unit->name).second)
          continue;
        known.kernels[unit->name] = *unit;
        add(std::move(unit));
      }
    }
  }

  llvm::Expected<std::vector<Tensor>> run(const Unit &unit,
                                          ArrayRef<Tensor> inputs) override {
    std::string error;
    ScopedDiagnosticHandler handler(unit.op->getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (error.empty())
                                        error = diagnostic.str();
                                      return success();
                                    });
    auto kernel = dyn_cast<repro::KernelOp>(unit.op);
    auto results =
        kernel ? kernel.evaluate(inputs)
               : reference::interpret(cast<func::FuncOp>(unit.op), inputs);
    if (failed(results))
      return llvm::createStringError("the reference fails: " + error);
    return std::vector<Tensor>(results->begin(), results->end());
  }

private:
  void add(std::optional<Unit> unit) {
    if (unit)
      units.push_back(std::move(*unit));
  }
};
} // namespace

std::unique_ptr<Runner> makeInterpreter(ModuleOp module, RecordedFacts &known) {
  return std::make_unique<Interpreted>(module, known);
}

} // namespace gensyn::checkbits
