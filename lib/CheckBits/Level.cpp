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
  return makeInterpreter(module, known);
}

void addPorts(Unit &unit, ArrayRef<Port> ports) {
  for (const Port &port : ports) {
    unit.bytes = saturatingAdd(
        unit.bytes, countBytes(port.type, port.shape).value_or(INT64_MAX));
    unit.work =
        saturatingAdd(unit.work, countElements(port.shape).value_or(INT64_MAX));
  }
}

static std::optional<Port> portOf(MemRefType type) {
  Type element = type.getElementType();
  std::optional<ElementType> port;
  if (element.isF32())
    port = ElementType::F32;
  else if (element.isF64())
    port = ElementType::F64;
  else if (element.isInteger(8))
    port = ElementType::I8;
  else if (element.isInteger(16))
    port = ElementType::I16;
  else if (element.isInteger(32))
    port = ElementType::I32;
  else if (element.isInteger(64))
    port = ElementType::I64;
  if (!port || !type.hasStaticShape())
    return std::nullopt;
  return Port{*port, type.getShape().vec()};
}

std::optional<std::vector<Argument>> argumentsOf(TypeRange types) {
  std::vector<Argument> result;
  for (Type type : types) {
    if (type.isIndex()) {
      result.push_back({false, {}});
      continue;
    }
    auto buffer = dyn_cast<MemRefType>(type);
    auto port = buffer ? portOf(buffer) : std::nullopt;
    if (!port)
      return std::nullopt;
    result.push_back({true, *port});
  }
  return result;
}

static size_t bytesOf(const Port &port) {
  return static_cast<size_t>(countBytes(port.type, port.shape).value_or(0));
}

static size_t countBuffers(const std::vector<Argument> &arguments) {
  return static_cast<size_t>(llvm::count_if(
      arguments, [](const Argument &argument) { return argument.isBuffer; }));
}

/// The kernel from which a function of this name and these arguments was built.
static const Unit *kernelOf(StringRef function,
                            const std::vector<Argument> &arguments,
                            const RecordedFacts &known) {
  const Unit *best = nullptr;
  for (const auto &entry : known.kernels) {
    const Unit &kernel = entry.second;
    const bool isLaunch =
        function == kernel.name ||
        (function.starts_with(kernel.name) &&
         function.drop_front(kernel.name.size()).starts_with("_"));
    if (!isLaunch || (best && best->name.size() > kernel.name.size()) ||
        countBuffers(arguments) < kernel.inputs.size() + kernel.outputs.size())
      continue;
    size_t i = 0;
    bool fits = true;
    for (const auto *ports : {&kernel.inputs, &kernel.outputs})
      for (const Port &port : *ports)
        fits &= arguments[i].isBuffer &&
                bytesOf(arguments[i].port) == bytesOf(port),
            ++i;
    if (fits)
      best = &kernel;
  }
  return best;
}

std::vector<Unit> groupFunctions(ArrayRef<Operation *> functions,
                                 const RecordedFacts &known) {
  std::vector<Unit> units;
  for (Operation *op : functions) {
    StringRef name = SymbolTable::getSymbolName(op);
    auto found = known.functions.find(name);
    if (found == known.functions.end())
      continue;
    const std::vector<Argument> &arguments = found->second;
    const bool hasTiles = countBuffers(arguments) != arguments.size();
    if (hasTiles && !known.tiles.count(name))
      continue;
    if (const Unit *kernel = kernelOf(name, arguments, known)) {
      auto known = llvm::find_if(
          units, [&](const Unit &unit) { return unit.name == kernel->name; });
      if (known == units.end()) {
        units.push_back(*kernel);
        known = std::prev(units.end());
        known->op = op;
        known->functions.clear();
      }
      known->functions.push_back(name.str());
      continue;
    }
    Unit unit;
    unit.name = name.str();
    unit.op = op;
    unit.inPlace = true;
    unit.functions = {unit.name};
    for (const Argument &argument : arguments)
      if (argument.isBuffer)
        unit.inputs.push_back(argument.port);
    unit.outputs = unit.inputs;
    addPorts(unit, unit.inputs);
    units.push_back(std::move(unit));
  }
  return units;
}

UnitMemory::UnitMemory(const Unit &unit, const RecordedFacts &known,
                       ArrayRef<Tensor> inputs) {
  for (const Tensor &input : inputs) {
    blocks.emplace_back(static_cast<size_t>(input.byteSize()), 0);
    std::copy_n(reinterpret_cast<const uint8_t *>(input.data()),
                blocks.back().size(), blocks.back().data());
  }
  if (!unit.inPlace)
    for (const Port &port : unit.outputs)
      blocks.emplace_back(bytesOf(port), 0xC3);
  // Fault words start as the greatest position; other buffers are unspecified.
  for (const std::string &name : unit.functions) {
    size_t i = 0;
    for (const Argument &argument : known.functions.find(name)->second) {
      if (!argument.isBuffer)
        continue;
      if (i == blocks.size())
        blocks.emplace_back(bytesOf(argument.port), 0xFF);
      else if (blocks[i].size() < bytesOf(argument.port))
        blocks[i] = Block(bytesOf(argument.port), 0xFF);
      ++i;
    }
  }
}

std::vector<Tensor> UnitMemory::takeOutputs(const Unit &unit) const {
  std::vector<Tensor> results;
  size_t i = unit.inPlace ? 0 : unit.inputs.size();
  for (const Port &port : unit.outputs) {
    Tensor &tensor = results.emplace_back(port.type, port.shape);
    std::copy_n(blocks[i++].data(), tensor.byteSize(),
                reinterpret_cast<uint8_t *>(tensor.data()));
  }
  return results;
}

} // namespace gensyn::checkbits
