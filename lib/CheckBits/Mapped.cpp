// Runs a mapped module on the simulator of its machine.

#include "Runners.h"

#include "gensyn/CheckBits/Compiled.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;

namespace gensyn::checkbits {

static StringAttr getMachine(ModuleOp module) {
  return module->getAttrOfType<StringAttr>(task::kMachineAttr);
}

bool isMapped(ModuleOp module) {
  return getMachine(module) && !module.getOps<task::SegmentOp>().empty();
}

namespace {
class MachineRunner final : public Runner {
public:
  explicit MachineRunner(Compiled program) : program(std::move(program)) {}

  llvm::Expected<std::vector<Tensor>> run(const Callable &,
                                          ArrayRef<Tensor> inputs) override {
    return program.run(inputs, /*pieces=*/1, &faults.emplace());
  }

  std::string describeWriter(const Difference &difference) const override {
    return program.describeWriter(difference);
  }

  std::string describeCounters(uint32_t slot, uint64_t element) const override {
    return program.describeCounters(slot, element);
  }

private:
  Compiled program;
};
} // namespace

llvm::Expected<std::unique_ptr<Runner>>
makeMachineRunner(ModuleOp module, RecordedFacts &known) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return nullptr;
  std::unique_ptr<Runner> interpreter = makeInterpreter(module, known);
  const Callable *callable = interpreter->find("main");
  if (!callable)
    return nullptr;
  auto program =
      Compiled::compile(main, ("machine:" + getMachine(module).strref()).str());
  if (!program)
    return program.takeError();
  auto runner = std::make_unique<MachineRunner>(std::move(*program));
  runner->callables.push_back(*callable);
  return runner;
}

} // namespace gensyn::checkbits
