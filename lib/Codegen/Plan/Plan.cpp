// From a function of kernels to buffers and launches.

#include "gensyn/Codegen/Plan/Plan.h"

#include "gensyn/Codegen/Plan/Arena.h"
#include "gensyn/Conversion/ReproToLinalg/KernelEmitter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

namespace gensyn::codegen {

static uint64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  std::optional<ElementType> element =
      repro::getElementType(tensor.getElementType());
  return static_cast<uint64_t>(tensor.getNumElements()) *
         static_cast<uint64_t>(byteWidth(*element));
}

/// The node an op came from: the name in its location.
static std::string describe(Location location) {
  std::string name;
  location->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part)) {
      name = named.getName().str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

namespace {
class PlanBuilder {
public:
  PlanBuilder(plan::Plan &plan) : plan(plan) {}

  LogicalResult
  build(func::FuncOp function,
        function_ref<FailureOr<KernelLaunches>(repro::KernelOp)> launchesOf) {
    Block &block = function.getBody().front();
    for (BlockArgument argument : block.getArguments()) {
      plan::Buffer buffer;
      buffer.set_input(argument.getArgNumber());
      add(argument, buffer);
    }
    for (auto [number, result] :
         llvm::enumerate(block.getTerminator()->getOperands())) {
      Value storage = storageOf(result);
      if (!storage.getDefiningOp<repro::KernelOp>() || buffers.count(storage))
        return block.getTerminator()->emitOpError("result ")
               << number << " has no kernel of its own";
      plan::Buffer buffer;
      buffer.set_output(static_cast<uint32_t>(number));
      add(storage, buffer);
    }
    for (Operation &op : block.without_terminator())
      if (failed(visit(&op, launchesOf)))
        return failure();
    finishArena();
    return success();
  }

private:
  static Value storageOf(Value value) {
    while (auto reshape = value.getDefiningOp<repro::ReshapeOp>())
      value = reshape.getOperand();
    return value;
  }

  uint32_t addBuffer(plan::Buffer buffer, uint64_t bytes) {
    buffer.set_bytes(bytes);
    *plan.add_buffers() = std::move(buffer);
    return static_cast<uint32_t>(plan.buffers_size() - 1);
  }
  void add(Value value, plan::Buffer buffer) {
    buffers[value] = addBuffer(std::move(buffer), bytesOf(value.getType()));
  }
  /// A buffer in the arena, in use from launch `now` on.
  uint32_t addArena(uint64_t bytes, int64_t now) {
    const uint32_t number = addBuffer(plan::Buffer(), bytes);
    blockOf[number] = blocks.size();
    blocks.push_back({bytes, now, now, 0});
    return number;
  }
  void use(uint32_t buffer, int64_t now) {
    if (auto found = blockOf.find(buffer); found != blockOf.end())
      blocks[found->second].last = std::max(blocks[found->second].last, now);
  }

  LogicalResult
  visit(Operation *op,
        function_ref<FailureOr<KernelLaunches>(repro::KernelOp)> launchesOf) {
    if (isa<repro::ReshapeOp>(op))
      return success();
    if (auto constant = dyn_cast<repro::ConstantOp>(op)) {
      Tensor tensor = repro::toTensor(cast<ElementsAttr>(constant.getValue()));
      plan.add_constants(
          reinterpret_cast<const char *>(std::as_const(tensor).data()),
          static_cast<size_t>(tensor.byteSize()));
      plan::Buffer buffer;
      buffer.set_constant(static_cast<uint32_t>(plan.constants_size() - 1));
      add(constant.getResult(), buffer);
      return success();
    }
    auto kernel = dyn_cast<repro::KernelOp>(op);
    if (!kernel)
      return op->emitOpError("is not in a kernel");
    FailureOr<KernelLaunches> made = launchesOf(kernel);
    if (failed(made))
      return failure();
    const int64_t first = plan.launches_size();
    SmallVector<uint32_t> used;
    for (Value input : kernel.getInputs())
      used.push_back(buffers.lookup(storageOf(input)));
    for (Value result : kernel.getResults()) {
      if (!buffers.count(result))
        buffers[result] = addArena(bytesOf(result.getType()), first);
      used.push_back(buffers.lookup(result));
    }
    for (int64_t bytes : made->workspaces)
      used.push_back(addArena(static_cast<uint64_t>(bytes), first));
    for (plan::Launch &launch : made->launches) {
      const int64_t now = plan.launches_size();
      for (uint32_t buffer : used) {
        launch.add_buffers(buffer);
        use(buffer, now);
      }
      launch.set_operation(describe(kernel.getLoc()));
      *plan.add_launches() = std::move(launch);
    }
    return success();
  }

  void finishArena() {
    plan.set_arena_bytes(packArena(blocks));
    for (auto [buffer, block] : blockOf)
      plan.mutable_buffers(static_cast<int>(buffer))
          ->set_arena(blocks[block].offset);
  }

  plan::Plan &plan;
  llvm::DenseMap<Value, uint32_t> buffers;
  llvm::DenseMap<uint32_t, size_t> blockOf;
  std::vector<ArenaBlock> blocks;
};
} // namespace

LogicalResult
buildPlan(func::FuncOp function,
          function_ref<FailureOr<KernelLaunches>(repro::KernelOp)> launchesOf,
          plan::Plan &plan) {
  return PlanBuilder(plan).build(function, launchesOf);
}

std::string printKernel(repro::KernelOp kernel) {
  OpBuilder builder(kernel.getContext());
  Location location = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, location, "kernel",
      builder.getFunctionType(kernel.getInputs().getTypes(),
                              kernel.getResultTypes()));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  mapping.map(kernel.getInputs(), entry->getArguments());
  auto copy = cast<repro::KernelOp>(builder.clone(*kernel, mapping));
  copy.setSym("kernel");
  func::ReturnOp::create(builder, location, copy.getResults());
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

std::string nameKernel(repro::KernelOp kernel, StringRef text) {
  llvm::BLAKE3 hasher;
  hasher.update(text);
  std::string digest = llvm::toHex(hasher.final(), /*LowerCase=*/true);
  Operation *last = kernel.getYielded().front().getDefiningOp();
  StringRef what = last ? last->getName().stripDialect() : StringRef("copy");
  return (what + "_" + StringRef(digest).take_front(12)).str();
}

} // namespace gensyn::codegen
