// Functions over buffers: lowers them to this processor's code and runs them.

#include "FirstError.h"
#include "Runners.h"

#include "gensyn/CheckBits/Compiled.h"
#include "gensyn/CheckBits/RunPlan.h"
#include "gensyn/Codegen/Cpu/Lower.h"
#include "gensyn/Codegen/Cpu/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace gensyn::checkbits {

/// The name of a function's entry that takes an array of slots.
static std::string entryName(StringRef function) {
  return (function + ".checked").str();
}

/// Adds a function that takes its arguments from an array: pointers and
/// indices.
static void addEntry(LLVM::LLVMFuncOp body) {
  OpBuilder builder(body);
  Location location = body.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = LLVM::LLVMFuncOp::create(
      builder, location, entryName(body.getName()),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer}));
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> arguments;
  for (auto [i, type] : llvm::enumerate(body.getArgumentTypes())) {
    Value slot = LLVM::GEPOp::create(builder, location, pointer, pointer,
                                     block->getArgument(0),
                                     LLVM::GEPArg(static_cast<int32_t>(i)));
    arguments.push_back(LLVM::LoadOp::create(builder, location, type, slot));
  }
  LLVM::CallOp::create(builder, location, body, arguments);
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

namespace {
class NativeRunner final : public Runner {
public:
  NativeRunner(runtime::SharedObject code, const RecordedFacts &known)
      : code(std::move(code)), known(known) {}

  llvm::Expected<std::vector<Tensor>> run(const Callable &callable,
                                          ArrayRef<Tensor> inputs) override {
    CallableMemory memory(callable, known, inputs);
    for (const std::string &name : callable.functions) {
      using Entry = void (*)(uint64_t *);
      auto entry = reinterpret_cast<Entry>(code.find(entryName(name)));
      if (!entry)
        return llvm::createStringError("there is no function " + name);
      std::vector<uint64_t> slots;
      size_t buffers = 0;
      // Indices are a range of tiles: the first tile, then the number of tiles.
      int64_t index = 0;
      for (const Argument &argument : known.functions.find(name)->second) {
        if (argument.isBuffer) {
          slots.push_back(reinterpret_cast<uint64_t>(memory.get(buffers++)));
        } else {
          slots.push_back(uint64_t(index));
          index = known.tiles.lookup(name);
        }
      }
      entry(slots.data());
    }
    return memory.takeOutputs(callable);
  }

private:
  runtime::SharedObject code;
  const RecordedFacts &known;
};
} // namespace

/// Adds the facts in attributes of the module's functions to `known`.
static SmallVector<Operation *> learn(ModuleOp module, RecordedFacts &known) {
  SmallVector<Operation *> functions;
  for (Operation &op : module.getOps()) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || function.isExternal())
      continue;
    functions.push_back(&op);
    StringRef name = function.getName();
    if (isa<func::FuncOp>(op))
      if (auto arguments = argumentsOf(function.getArgumentTypes()))
        if (function.getNumResults() == 0)
          known.functions[name] = *arguments;
    if (auto tiles = op.getAttrOfType<IntegerAttr>(cpu::kTilesAttr))
      known.tiles[name] = tiles.getInt();
  }
  return functions;
}

llvm::Expected<std::unique_ptr<Runner>> makeNativeRunner(ModuleOp module,
                                                         RecordedFacts &known) {
  SmallVector<Operation *> functions = learn(module, known);
  std::vector<Callable> callables = groupFunctions(functions, known);
  if (callables.empty())
    return nullptr;
  FirstError error(module.getContext());
  auto fail = [&](const char *otherwise) {
    return llvm::createStringError(error.get().empty() ? otherwise
                                                       : error.get());
  };
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  for (auto function : llvm::make_early_inc_range(copy->getOps<func::FuncOp>()))
    if (isReproFunction(function))
      function.erase();
    else
      function->removeAttr(cpu::kTilesAttr);
  const cpu::Target &target = *machine::getNativeCpus().back();
  PassManager passes(module.getContext(), ModuleOp::getOperationName(),
                     OpPassManager::Nesting::Implicit);
  passes.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  cpu::addLoweringPasses(passes, target);
  if (failed(passes.run(*copy)))
    return fail("it does not lower to LLVM's dialect");
  for (const Callable &callable : callables)
    for (const std::string &name : callable.functions) {
      auto function = copy->lookupSymbol<LLVM::LLVMFuncOp>(name);
      if (!function || function.getNumArguments() !=
                           known.functions.find(name)->second.size())
        return nullptr; // lowered by another pipeline
      addEntry(function);
    }
  auto object = cpu::emitObject(*copy, target);
  if (failed(object))
    return fail("no code is generated for it");
  std::string linkError;
  auto library = cpu::linkObjects({*object}, linkError);
  if (failed(library))
    return llvm::createStringError("it does not link: " + linkError);
  auto code = loadCode(*library);
  if (!code)
    return code.takeError();
  auto runner = std::make_unique<NativeRunner>(std::move(*code), known);
  runner->callables = std::move(callables);
  return runner;
}

} // namespace gensyn::checkbits
