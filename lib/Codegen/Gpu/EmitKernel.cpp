// See EmitKernel.h.

#include "EmitKernel.h"

#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Codegen/Kernel/EmitLoops.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Dialect/Repro/IR/IndexMap.h"

using namespace mlir;

namespace gensyn::gpu {

/// Tensors of at least as many elements need 64-bit index arithmetic. It is
/// half the range of an i32, since positions may exceed the end.
static constexpr int64_t kMostElements = int64_t(1) << 30;

/// True if an index expression without its data-dependent part may exceed that.
static bool hasFarPlaces(ArrayAttr maps, Type points) {
  auto map = repro::readIndexMap(cast<AffineMapAttr>(maps[0]).getValue());
  return failed(map) || llvm::any_of(*map, [&](const repro::IndexExpr &expr) {
           auto range = expr.range(cast<ShapedType>(points).getShape());
           return !range || range->first <= -kMostElements ||
                  range->second >= kMostElements;
         });
}

static bool needsWideIndices(repro::KernelOp kernel) {
  auto isLarge = [](Type type) {
    return cast<ShapedType>(type).getNumElements() >= kMostElements;
  };
  for (Operation &op : kernel.getBlock()) {
    if (auto gather = dyn_cast<repro::GatherOp>(op);
        gather && hasFarPlaces(gather.getMaps(), gather.getType()))
      return true;
    if (auto scatter = dyn_cast<repro::ScatterOp>(op);
        scatter &&
        hasFarPlaces(scatter.getMaps(), scatter.getUpdates().getType()))
      return true;
  }
  return llvm::any_of(kernel->getOperandTypes(), isLarge) ||
         kernel
             .walk([&](Operation *op) {
               return llvm::any_of(op->getResultTypes(), isLarge)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// Returns the shared memory of an entry: its own global or, beyond the static
/// limit, the external global of the module, whose size the launch states.
static Value makeShared(const LaunchPlan &launch, StringRef entry,
                        const Target &target, OpBuilder &builder,
                        mlir::gpu::GPUModuleOp module) {
  if (launch.sharedBytes == 0)
    return {};
  const bool isStatic = launch.sharedBytes <= target.staticSharedBytes;
  std::string name = isStatic ? (entry + "_shared").str() : "dynamic_shared";
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    global = LLVM::GlobalOp::create(
        builder, module.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(),
                                 isStatic ? launch.sharedBytes : 0),
        /*isConstant=*/false,
        isStatic ? LLVM::Linkage::Internal : LLVM::Linkage::External, name,
        Attribute(), /*alignment=*/128, /*addrSpace=*/3);
  }
  return LLVM::AddressOfOp::create(builder, module.getLoc(), global);
}

/// Returns the number of inputs, results, fault words and workspaces.
static size_t countBuffers(repro::KernelOp kernel, const KernelPlan &plan) {
  return kernel.getInputs().size() + kernel.getNumResults() +
         kernel.getFaultingOps().size() + plan.workspaces.size();
}

/// Creates an entry without a body. It has a pointer for each buffer; results,
/// fault words and workspaces are written. No two pointers alias, except for
/// results that may be written in place.
static LLVM::LLVMFuncOp createEntry(repro::KernelOp kernel, StringRef name,
                                    const KernelPlan &plan,
                                    const LaunchPlan &launch,
                                    const Target &target, OpBuilder &builder) {
  const unsigned inputs = kernel.getInputs().size();
  const size_t count = countBuffers(kernel, plan);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  SmallVector<Type>(count, pointer));
  auto entry = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), name, type);
  llvm::DenseSet<unsigned> inPlace;
  for (auto [operand, result] : codegen::findInPlacePairs(kernel))
    inPlace.insert_range(
        std::initializer_list<unsigned>{operand, inputs + result});
  for (unsigned i = 0; i < count; ++i) {
    entry.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                     builder.getI64IntegerAttr(64));
    if (inPlace.contains(i))
      continue;
    entry.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                     builder.getUnitAttr());
    if (i < inputs)
      entry.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                       builder.getUnitAttr());
  }
  target.markEntry(entry, launch.block, launch.minBlocks);
  if (!needsWideIndices(kernel))
    entry->setAttr(kIndexBitsAttr, builder.getI32IntegerAttr(32));
  return entry;
}

static LogicalResult emitEntry(repro::KernelOp kernel, StringRef name,
                               const ScheduleChoice &choice, unsigned number,
                               const Target &target,
                               mlir::gpu::GPUModuleOp module) {
  const LaunchPlan &launch = choice.plan.launches[number];
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  KernelFunction function;
  const std::string symbol = codegen::nameFunction(name, launch.suffix);
  function.function =
      createEntry(kernel, symbol, choice.plan, launch, target, builder);
  Block *block = function.function.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  // All pointers are cast to global memory first, so that no access is generic.
  auto global = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  SmallVector<Value> pointers;
  for (Value argument : block->getArguments())
    pointers.push_back(LLVM::AddrSpaceCastOp::create(builder, kernel.getLoc(),
                                                     global, argument));
  (void)function.take(kernel, choice.plan.workspaces.size(), pointers);
  function.shared = makeShared(launch, symbol, target, builder, module);
  if (failed(choice.schedule->emit(kernel, choice.plan, number, target,
                                   function, builder)))
    return failure();
  builder.setInsertionPointToEnd(block);
  LLVM::ReturnOp::create(builder, kernel.getLoc(), ValueRange());
  return success();
}

static LogicalResult checkBuffers(repro::KernelOp kernel,
                                  const KernelPlan &plan,
                                  const Target &target) {
  const size_t count = countBuffers(kernel, plan);
  if (count > target.mostBuffers)
    return kernel.emitOpError("has ")
           << count << " buffers, a GPU kernel has at most "
           << target.mostBuffers;
  return success();
}

static LogicalResult checkGrid(repro::KernelOp kernel, const LaunchPlan &launch,
                               const Target &target) {
  for (auto [extent, limit] : llvm::zip_equal(launch.grid, target.mostBlocks))
    if (extent > limit)
      return kernel.emitOpError("needs a grid of ")
             << extent << " blocks, a GPU has at most " << limit;
  return success();
}

LogicalResult emitKernel(repro::KernelOp kernel, StringRef name,
                         const ScheduleChoice &choice, const Target &target,
                         ModuleOp module, mlir::gpu::GPUModuleOp entries) {
  if (failed(checkBuffers(kernel, choice.plan, target)))
    return failure();
  for (unsigned i = 0; i < choice.plan.launches.size(); ++i)
    if (failed(checkGrid(kernel, choice.plan.launches[i], target)) ||
        (choice.schedule &&
         failed(emitEntry(kernel, name, choice, i, target, entries))))
      return failure();
  if (choice.schedule)
    return success();
  auto function = codegen::convertKernelToLinalg(kernel, module);
  if (failed(function))
    return failure();
  function->setName(name);
  return success();
}

} // namespace gensyn::gpu
