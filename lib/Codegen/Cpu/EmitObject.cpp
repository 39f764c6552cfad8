// Compiles the LLVM dialect to a relocatable object with LLVM's code generator,
// without IR passes.

#include "KernelCode.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace mlir;

namespace gensyn::cpu {

static std::unique_ptr<llvm::TargetMachine> createMachine(const Target &target,
                                                          std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  });
  llvm::Triple triple{StringRef(target.triple)};
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return nullptr;
  llvm::TargetOptions options;
  // Only explicit fma operations are fused.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, target.processor, target.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
}

/// Tells the code generator the length of vector registers, in units of 128
/// bits: vectors of a fixed size then take whole registers.
static void fixVectorLength(llvm::Module &code, const Target &target) {
  const auto units = unsigned(target.vectorBytes / 16);
  for (llvm::Function &function : code)
    function.addFnAttr(llvm::Attribute::getWithVScaleRangeArgs(
        code.getContext(), units, units));
}

FailureOr<std::string> emitObject(ModuleOp module, const Target &target) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target, error);
  if (!machine)
    return module.emitError(error);
  llvm::LLVMContext context;
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, "kernel");
  if (!code)
    return module.emitError("translation to LLVM IR failed");
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  if (target.hasVectorLength)
    fixVectorLength(*code, target);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return module.emitError("this target emits no objects");
  passes.run(*code);
  return std::string(object.data(), object.size());
}

} // namespace gensyn::cpu
