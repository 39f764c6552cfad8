// Determines a module's level of abstraction and its comparable functions.

#include "Level.h"
#include "Runners.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace gensyn::checkbits {

llvm::Expected<std::unique_ptr<Runner>> makeRunner(ModuleOp module,
                                                   RecordedFacts &known) {
  if (!module.getOps<mlir::gpu::GPUModuleOp>().empty())
    return makePtxRunner(module, known);
  const bool isLowered = llvm::any_of(module.getOps(), [](Operation &op) {
    auto function = dyn_cast<func::FuncOp>(op);
    return isa<LLVM::LLVMFuncOp>(op) ||
           (function && !function.isExternal() && !isReproFunction(function));
  });
  if (isLowered)
    return makeNativeRunner(module, known);
  if (isMapped(module))
    return makeMachineRunner(module, known);
  return makeInterpreter(module, known);
}

void addSpecs(Callable &callable, ArrayRef<TensorSpec> specs) {
  for (const TensorSpec &spec : specs) {
    callable.bytes = saturatingAdd(
        callable.bytes, countBytes(spec.type, spec.shape).value_or(INT64_MAX));
    callable.work = saturatingAdd(
        callable.work, countElements(spec.shape).value_or(INT64_MAX));
  }
}

static std::optional<TensorSpec> specOf(MemRefType type) {
  Type element = type.getElementType();
  std::optional<ElementType> spec;
  if (element.isF32())
    spec = ElementType::F32;
  else if (element.isF64())
    spec = ElementType::F64;
  else if (element.isInteger(8))
    spec = ElementType::I8;
  else if (element.isInteger(16))
    spec = ElementType::I16;
  else if (element.isInteger(32))
    spec = ElementType::I32;
  else if (element.isInteger(64))
    spec = ElementType::I64;
  if (!spec || !type.hasStaticShape())
    return std::nullopt;
  return TensorSpec{*spec, type.getShape().vec()};
}

std::optional<std::vector<Argument>> argumentsOf(TypeRange types) {
  std::vector<Argument> result;
  for (Type type : types) {
    if (type.isIndex()) {
      result.push_back({false, {}});
      continue;
    }
    auto buffer = dyn_cast<MemRefType>(type);
    auto spec = buffer ? specOf(buffer) : std::nullopt;
    if (!spec)
      return std::nullopt;
    result.push_back({true, *spec});
  }
  return result;
}

static size_t bytesOf(const TensorSpec &spec) {
  return static_cast<size_t>(countBytes(spec.type, spec.shape).value_or(0));
}

static size_t countBuffers(const std::vector<Argument> &arguments) {
  return static_cast<size_t>(llvm::count_if(
      arguments, [](const Argument &argument) { return argument.isBuffer; }));
}

/// The kernel from which a function of this name and these arguments was built.
static const Callable *kernelOf(StringRef function,
                                const std::vector<Argument> &arguments,
                                const RecordedFacts &known) {
  const Callable *best = nullptr;
  for (const auto &entry : known.kernels) {
    const Callable &kernel = entry.second;
    const bool isLaunch =
        function == kernel.name ||
        (function.starts_with(kernel.name) &&
         function.drop_front(kernel.name.size()).starts_with("_"));
    if (!isLaunch || (best && best->name.size() > kernel.name.size()) ||
        countBuffers(arguments) < kernel.inputs.size() + kernel.outputs.size())
      continue;
    size_t i = 0;
    bool fits = true;
    for (const auto *specs : {&kernel.inputs, &kernel.outputs})
      for (const TensorSpec &spec : *specs)
        fits &= arguments[i].isBuffer &&
                bytesOf(arguments[i].spec) == bytesOf(spec),
            ++i;
    if (fits)
      best = &kernel;
  }
  return best;
}

std::vector<Callable> groupFunctions(ArrayRef<Operation *> functions,
                                     const RecordedFacts &known) {
  std::vector<Callable> callables;
  for (Operation *op : functions) {
    StringRef name = SymbolTable::getSymbolName(op);
    auto found = known.functions.find(name);
    if (found == known.functions.end())
      continue;
    const std::vector<Argument> &arguments = found->second;
    const bool hasTiles = countBuffers(arguments) != arguments.size();
    if (hasTiles && !known.tiles.count(name))
      continue;
    if (const Callable *kernel = kernelOf(name, arguments, known)) {
      auto known = llvm::find_if(callables, [&](const Callable &callable) {
        return callable.name == kernel->name;
      });
      if (known == callables.end()) {
        callables.push_back(*kernel);
        known = std::prev(callables.end());
        known->op = op;
        known->functions.clear();
      }
      known->functions.push_back(name.str());
      continue;
    }
    Callable callable;
    callable.name = name.str();
    callable.op = op;
    callable.inPlace = true;
    callable.functions = {callable.name};
    for (const Argument &argument : arguments)
      if (argument.isBuffer)
        callable.inputs.push_back(argument.spec);
    callable.outputs = callable.inputs;
    addSpecs(callable, callable.inputs);
    callables.push_back(std::move(callable));
  }
  return callables;
}

CallableMemory::CallableMemory(const Callable &callable,
                               const RecordedFacts &known,
                               ArrayRef<Tensor> inputs) {
  for (const Tensor &input : inputs) {
    blocks.emplace_back(static_cast<size_t>(input.byteSize()), 0);
    std::copy_n(reinterpret_cast<const uint8_t *>(input.data()),
                blocks.back().size(), blocks.back().data());
  }
  if (!callable.inPlace)
    for (const TensorSpec &spec : callable.outputs)
      blocks.emplace_back(bytesOf(spec), 0xC3);
  // Fault words start as the greatest position; other buffers are unspecified.
  for (const std::string &name : callable.functions) {
    size_t i = 0;
    for (const Argument &argument : known.functions.find(name)->second) {
      if (!argument.isBuffer)
        continue;
      if (i == blocks.size())
        blocks.emplace_back(bytesOf(argument.spec), 0xFF);
      else if (blocks[i].size() < bytesOf(argument.spec))
        blocks[i] = Block(bytesOf(argument.spec), 0xFF);
      ++i;
    }
  }
}

std::vector<Tensor>
CallableMemory::takeOutputs(const Callable &callable) const {
  std::vector<Tensor> results;
  size_t i = callable.inPlace ? 0 : callable.inputs.size();
  for (const TensorSpec &spec : callable.outputs) {
    Tensor &tensor = results.emplace_back(spec.type, spec.shape);
    std::copy_n(blocks[i++].data(), tensor.byteSize(),
                reinterpret_cast<uint8_t *>(tensor.data()));
  }
  return results;
}

} // namespace gensyn::checkbits
