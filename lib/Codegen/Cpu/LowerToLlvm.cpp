// Lowers kernel functions to the LLVM dialect and to the ABI of the runtime.

#include "KernelCode.h"
#include "gensyn/Codegen/Emit/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace gensyn::cpu {

void addLoweringPasses(OpPassManager &passes, const Target &target) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createLoopInvariantCodeMotionPass());
  passes.addPass(emit::createVerifyTargetBitsPass());
  if (!target.hasFma) {
    passes.addPass(emit::createSpeculateFmaPass());
    passes.addPass(emit::createExpandFmaPass());
    passes.addPass(createCSEPass());
  }
  passes.addPass(createConvertVectorToSCFPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions pointers;
  pointers.useBarePtrCallConv = true;
  passes.addPass(createConvertFuncToLLVMPass(pointers));
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(emit::createVerifyTargetBitsPass());
}

/// Renames `body`, whose arguments are one pointer per buffer, scratch and two
/// numbers, and adds a function with its old name that takes the buffers as an
/// array.
static void addEntry(LLVM::LLVMFuncOp body) {
  OpBuilder builder(body);
  Location location = body.getLoc();
  const std::string name = body.getName().str();
  body.setName(name + ".body");
  body.setLinkage(LLVM::Linkage::Internal);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto entry = LLVM::LLVMFuncOp::create(
      builder, location, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer, i64, i64}));
  entry.setNoUnwind(true);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(block);
  const unsigned buffers = body.getNumArguments() - 3;
  SmallVector<Value> arguments;
  // Set all at once: setting each one would copy the list.
  SmallVector<DictionaryAttr> attributes;
  for (unsigned i = 0; i < body.getNumArguments(); ++i) {
    // No memory is reached through two of the pointers, except for results that
    // are written in place.
    NamedAttrList own(body.getArgAttrDict(i));
    if (!own.erase(kInPlaceAttr) && i <= buffers)
      own.set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    attributes.push_back(own.getDictionary(builder.getContext()));
  }
  body.setAllArgAttrs(attributes);
  for (unsigned i = 0; i < buffers; ++i) {
    Value slot = LLVM::GEPOp::create(builder, location, pointer, pointer,
                                     block->getArgument(0),
                                     LLVM::GEPArg(static_cast<int32_t>(i)));
    arguments.push_back(LLVM::LoadOp::create(builder, location, pointer, slot));
  }
  for (unsigned i = 1; i < 4; ++i)
    arguments.push_back(block->getArgument(i));
  LLVM::CallOp::create(builder, location, body, arguments);
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

KernelLowering::KernelLowering(MLIRContext *context, const Target &target,
                               const std::function<void(PassManager &)> &watch)
    : passes(context, ModuleOp::getOperationName(),
             OpPassManager::Nesting::Implicit) {
  passes.enableVerifier(false);
  if (watch)
    watch(passes);
  addLoweringPasses(passes, target);
}

LogicalResult KernelLowering::run(ModuleOp module,
                                  ArrayRef<std::string> entries) {
  if (failed(passes.run(module)))
    return failure();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    function.setNoUnwind(true);
  for (const std::string &name : entries)
    addEntry(module.lookupSymbol<LLVM::LLVMFuncOp>(name));
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!llvm::is_contained(entries, function.getName()))
      function.setLinkage(LLVM::Linkage::Internal);
  return success();
}

} // namespace gensyn::cpu
