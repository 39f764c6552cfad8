// gpu.module -> LLVM IR -> NVPTX; see Ptx.h.

#include "gensyn/Translation/Ptx/Ptx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace mlir;
using namespace gensyn;

// A pair that NVPTX does not know ends the process, so pairs come from here
// only.
static constexpr ptx::GpuTarget kTargets[] = {
    {75, 63}, {80, 70}, {86, 71}, {89, 78}, {90, 78}, {100, 86}, {120, 87}};

ArrayRef<ptx::GpuTarget> ptx::getGpuTargets() { return kTargets; }

std::optional<ptx::GpuTarget> ptx::parseGpuTarget(StringRef name) {
  int sm;
  if (!name.consume_front("sm_") || name.getAsInteger(10, sm))
    return std::nullopt;
  for (GpuTarget target : kTargets)
    if (target.sm == sm)
      return target;
  return std::nullopt;
}

static std::unique_ptr<llvm::TargetMachine> createMachine(ptx::GpuTarget target,
                                                          std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const auto *backend = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, "sm_" + std::to_string(target.sm),
      "+ptx" + std::to_string(target.ptx), options, std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Default));
}

FailureOr<std::string> ptx::translateToPtx(ModuleOp module, GpuTarget target) {
  auto kernels = module.getOps<mlir::gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(kernels))
    return module.emitError("has ")
               << std::distance(kernels.begin(), kernels.end())
               << " gpu.modules, expected one",
           failure();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  llvm::LLVMContext llvmContext;
  auto llvmModule = translateModuleToLLVMIR(*kernels.begin(), llvmContext);
  if (!llvmModule)
    return failure();
  std::string error;
  auto machine = createMachine(target, error);
  if (!machine)
    return module.emitError(error), failure();
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return module.emitError("the NVPTX back end writes no text"), failure();
  passes.run(*llvmModule);
  return text.str().str();
}
