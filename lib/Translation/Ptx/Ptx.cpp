// Translates gpu.module -> LLVM IR -> NVPTX; see Ptx.h. Each module is
// translated on its own, with any number of threads, so the text does not
// depend on their number.

#include "gensyn/Translation/Ptx/Ptx.h"

#include "NegateInWords.h"
#include "SelectByBits.h"
#include "SplitCompares.h"
#include "WidenExtrema.h"
#include "gensyn/Ptx/Audit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace mlir;
using namespace gensyn;

static std::unique_ptr<llvm::TargetMachine>
createMachine(const machine::Gpu &target, std::string &error) {
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
      triple, target.name(), "+ptx" + std::to_string(target.ptxVersion),
      options, std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
}

namespace {
/// Reports errors of the back end as errors of the module: a context without a
/// handler aborts the process.
class BackEndErrors {
public:
  BackEndErrors(llvm::LLVMContext &context, mlir::gpu::GPUModuleOp module)
      : module(module) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *self) {
          static_cast<BackEndErrors *>(self)->report(*info);
        },
        this);
  }
  bool hasErrors() const { return isWrong; }

private:
  void report(const llvm::DiagnosticInfo &info) {
    if (info.getSeverity() != llvm::DS_Error)
      return;
    isWrong = true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    module.emitError("the NVPTX back end refuses it: ") << text;
  }

  mlir::gpu::GPUModuleOp module;
  bool isWrong = false;
};
} // namespace

/// Applies the auditor's rules. The verifier of target bits saw the ops that
/// LLVM selected instructions for, but not the instructions.
static LogicalResult checkText(mlir::gpu::GPUModuleOp kernels, StringRef text) {
  auto findings = ptx::audit(text.str());
  if (!findings)
    return kernels.emitError("the NVPTX back end writes what is no PTX: ")
           << findings.error().message;
  for (const ptx::Finding &finding : *findings)
    kernels.emitError("its PTX can give other bits: ")
        << finding.rule << ": '" << finding.text << "'";
  return success(findings->empty());
}

/// The text of one gpu.module.
static FailureOr<std::string> translate(mlir::gpu::GPUModuleOp kernels,
                                        const machine::Gpu &target) {
  std::string error;
  auto machine = createMachine(target, error);
  if (!machine)
    return kernels.emitError(error), failure();
  const llvm::DataLayout layout = machine->createDataLayout();
  // Accesses that state no alignment get that of their type when they are
  // translated. By LLVM's own layout, an i64 is aligned to 4 bytes only.
  kernels->setDiscardableAttr(
      LLVM::LLVMDialect::getDataLayoutAttrName(),
      StringAttr::get(kernels.getContext(), layout.getStringRepresentation()));
  llvm::LLVMContext llvmContext;
  BackEndErrors errors(llvmContext, kernels);
  auto llvmModule = translateModuleToLLVMIR(kernels, llvmContext);
  if (!llvmModule)
    return failure();
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(layout);
  ptx::negateInWords(*llvmModule);
  ptx::widenExtrema(*llvmModule);
  ptx::selectByBits(*llvmModule);
  ptx::splitCompares(*llvmModule);

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return kernels.emitError("the NVPTX back end writes no text"), failure();
  passes.run(*llvmModule);
  if (errors.hasErrors() || failed(checkText(kernels, text)))
    return failure();
  return text.str().str();
}

/// Checks that no name is defined in two texts.
static LogicalResult checkNames(ArrayRef<mlir::gpu::GPUModuleOp> modules) {
  llvm::StringSet<> names;
  for (mlir::gpu::GPUModuleOp module : modules)
    for (Operation &op : *module.getBody()) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      auto global = dyn_cast<LLVM::GlobalOp>(op);
      if (!symbol || symbol.isDeclaration() ||
          (global && global.getLinkage() == LLVM::Linkage::External))
        continue;
      if (!names.insert(symbol.getName()).second)
        return op.emitError("'")
               << symbol.getName() << "' is defined in two gpu.modules";
    }
  return success();
}

/// Checks types in attributes of LLVM ops against LLVM's types, which the
/// verifiers do not, such as a float of four bits.
static LogicalResult checkTypes(mlir::gpu::GPUModuleOp kernels) {
  const WalkResult result = kernels.walk([](Operation *op) {
    if (!isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    for (NamedAttribute attribute : op->getAttrs())
      if (auto type = dyn_cast<TypeAttr>(attribute.getValue());
          type && !LLVM::isCompatibleType(type.getValue())) {
        op->emitOpError() << attribute.getName() << " is " << type
                          << ", expected a type that LLVM has";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Appends a text and renumbers its functions from `first` on, as in a single
/// module: the back end uses these numbers in names.
static void appendNumbered(StringRef text, unsigned first, std::string &out) {
  constexpr StringRef prefixes[] = {"$L__BB", "__local_depot"};
  while (!text.empty()) {
    size_t end = text.size();
    for (StringRef prefix : prefixes)
      if (size_t found = text.find(prefix); found != StringRef::npos)
        end = std::min(end, found + prefix.size());
    out += text.take_front(end);
    text = text.drop_front(end);
    unsigned number = 0;
    if (!text.consumeInteger(10, number))
      out += std::to_string(first + number);
  }
}

/// Joins texts with equal headers. Declarations outside of kernels, such as
/// shared memory, occur once.
static std::string join(ArrayRef<std::string> texts,
                        ArrayRef<mlir::gpu::GPUModuleOp> modules) {
  constexpr StringRef endOfHead = ".address_size 64\n";
  std::string joined;
  unsigned functions = 0;
  llvm::StringSet<> declared;
  for (auto [text, module] : llvm::zip_equal(texts, modules)) {
    StringRef rest = text;
    if (joined.empty()) {
      const size_t end = rest.find(endOfHead) + endOfHead.size();
      joined = rest.take_front(end);
      rest = rest.drop_front(end);
    } else {
      rest = rest.split(endOfHead).second;
    }
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
      const StringRef line = rest.take_front(end);
      rest = rest.drop_front(end);
      if (!line.starts_with(".extern ") || declared.insert(line).second)
        appendNumbered(line, functions, joined);
    }
    mlir::gpu::GPUModuleOp kernels = module;
    for (auto function : kernels.getOps<LLVM::LLVMFuncOp>())
      functions += !function.isExternal();
  }
  return joined;
}

FailureOr<std::string> ptx::translateToPtx(ModuleOp module,
                                           const machine::Gpu &target) {
  SmallVector<mlir::gpu::GPUModuleOp> modules;
  module.walk([&](mlir::gpu::GPUModuleOp kernels) {
    modules.push_back(kernels);
    return WalkResult::skip();
  });
  if (modules.empty())
    return module.emitError("has no gpu.module"), failure();
  if (failed(checkNames(modules)) || llvm::any_of(modules, [](auto kernels) {
        return failed(checkTypes(kernels));
      }))
    return failure();
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  context->appendDialectRegistry(registry);

  std::vector<std::string> texts(modules.size());
  if (failed(failableParallelForEachN(
          context, 0, modules.size(), [&](size_t number) {
            FailureOr<std::string> text = translate(modules[number], target);
            if (succeeded(text))
              texts[number] = std::move(*text);
            return LogicalResult(text);
          })))
    return failure();
  return join(texts, modules);
}
