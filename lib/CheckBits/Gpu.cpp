// Lowers a gpu.module to PTX and runs it on the simulator.

#include "FirstError.h"
#include "Runners.h"

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Translation/Ptx/Ptx.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace gensyn::checkbits {

namespace {
class PtxRunner final : public Runner {
public:
  PtxRunner(ptx::Module code, const RecordedFacts &known)
      : code(std::move(code)), known(known) {}

  llvm::Expected<std::vector<Tensor>> run(const Callable &callable,
                                          ArrayRef<Tensor> inputs) override {
    CallableMemory buffers(callable, known, inputs);
    for (const std::string &name : callable.functions) {
      ptx::Memory memory;
      std::vector<uint64_t> addresses;
      for (size_t i = 0; i < known.functions.find(name)->second.size(); ++i) {
        addresses.push_back(reinterpret_cast<uint64_t>(buffers.get(i)));
        if (buffers.bytes(i))
          memory.add(buffers.get(i), buffers.bytes(i));
      }
      auto [blocks, threads] = known.grids.lookup(name);
      ptx::Launch launch;
      launch.kernel = name;
      launch.grid.x = static_cast<uint32_t>(blocks);
      launch.block.x = static_cast<uint32_t>(threads);
      launch.parameters = std::as_bytes(std::span(addresses));
      if (auto fault = code.launch(launch, memory))
        return llvm::createStringError(fault->message);
    }
    return buffers.takeOutputs(callable);
  }

private:
  ptx::Module code;
  const RecordedFacts &known;
};
} // namespace

static void learnGrid(mlir::gpu::GPUFuncOp function, RecordedFacts &known) {
  auto grid = function.getKnownGridSize(), block = function.getKnownBlockSize();
  if (grid && block)
    known.grids[function.getName()] = {(*grid)[0], (*block)[0]};
  if (auto arguments = argumentsOf(function.getArgumentTypes()))
    known.functions[function.getName()] = *arguments;
}

llvm::Expected<std::unique_ptr<Runner>> makePtxRunner(ModuleOp module,
                                                      RecordedFacts &known) {
  SmallVector<Operation *> functions;
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<mlir::gpu::GPUFuncOp>(op))
      learnGrid(function, known);
    if (isa<mlir::gpu::GPUFuncOp, LLVM::LLVMFuncOp>(op) &&
        known.grids.count(SymbolTable::getSymbolName(op)))
      functions.push_back(op);
  });
  std::vector<Callable> callables = groupFunctions(functions, known);
  if (callables.empty())
    return nullptr;
  FirstError error(module.getContext());
  auto fail = [&](const std::string &otherwise) {
    return llvm::createStringError(error.get().empty() ? otherwise
                                                       : error.get());
  };
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  PassManager passes(module.getContext());
  const machine::Gpu &gpu = *machine::findGpu(80);
  auto &nested = passes.nest<mlir::gpu::GPUModuleOp>();
  gensyn::gpu::getTarget(gpu).addLoweringPasses(nested);
  nested.addPass(createCanonicalizerPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(*copy)))
    return fail("it does not lower to the LLVM dialect");
  auto text = ptx::translateToPtx(*copy, gpu);
  if (failed(text))
    return fail("no PTX is written for it");
  auto code = ptx::Module::parse(*text);
  if (!code)
    return fail(code.error().message);
  auto runner = std::make_unique<PtxRunner>(*code, known);
  runner->callables = std::move(callables);
  return runner;
}

} // namespace gensyn::checkbits
