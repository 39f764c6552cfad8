// Compiles the LLVM dialect to a relocatable object with LLVM's code generator,
// without IR passes.

#include "KernelCode.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace mlir;

namespace gensyn::cpu {

static std::unique_ptr<llvm::TargetMachine>
createMachine(const Target &target, bool optimize, std::string &error) {
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
  // A program for a core has only what it calls, and a stack for that.
  options.FunctionSections = options.DataSections = target.isBare;
  options.EmitStackSizeSection = target.isBare;
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, target.processor, target.features, options,
      target.isBare ? llvm::Reloc::Static : llvm::Reloc::PIC_,
      llvm::CodeModel::Small,
      optimize ? llvm::CodeGenOptLevel::Aggressive
               : llvm::CodeGenOptLevel::None));
}

/// Tells the code generator the length of vector registers, in units of 128
/// bits: vectors of a fixed size then take whole registers.
static void fixVectorLength(llvm::Module &code, const Target &target) {
  const auto units = unsigned(target.vectorBytes / 16);
  for (llvm::Function &function : code)
    function.addFnAttr(llvm::Attribute::getWithVScaleRangeArgs(
        code.getContext(), units, units));
}

/// Gives each truncated vector of a masked store a second use. The x86 code
/// generator joins a truncation of one use with its store, and where the mask
/// turns out to be constant with one lane it then stores that lane at its full
/// width, over the elements behind it (llvm/llvm-project#179489, in LLVM 22.1.8
/// still).
static void keepTruncations(llvm::Module &code) {
  for (llvm::Function &function : code)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *store = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store)
        continue;
      llvm::Value *value = store->getArgOperand(0);
      if (llvm::isa<llvm::TruncInst>(value))
        llvm::IRBuilder<>(store->getNextNode())
            .CreateIntrinsic(llvm::Type::getVoidTy(code.getContext()),
                             llvm::Intrinsic::fake_use, {value});
    }
}

/// Hides divisors from the code generator, which takes the quotient of lanes
/// that are both known to be 0 for 0 and not for NaN, and then leaves out a
/// select of zeros in these lanes (TargetLowering::SimplifyDemandedVectorElts,
/// LLVM 22). Lanes past the end of a row are such lanes.
static void hideDivisors(llvm::Module &code) {
  for (llvm::Function &function : code)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const unsigned opcode = instruction.getOpcode();
      if ((opcode != llvm::Instruction::FDiv &&
           opcode != llvm::Instruction::FRem) ||
          !instruction.getType()->isVectorTy() ||
          llvm::isa<llvm::Constant>(instruction.getOperand(1)))
        continue;
      llvm::IRBuilder<> b(&instruction);
      instruction.setOperand(1,
                             b.CreateArithmeticFence(instruction.getOperand(1),
                                                     instruction.getType()));
    }
}

/// Replaces gathers of elements of less than 32 bits by a load for each lane.
/// The code generator for SVE cannot select those whose elements are converted
/// to a width other than the lanes' ("Cannot select: ... masked_gather ... from
/// nxv4i8", LLVM 22.1.8).
static void expandNarrowGathers(llvm::Module &code) {
  for (llvm::Function &function : code)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *gather = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!gather || gather->getIntrinsicID() != llvm::Intrinsic::masked_gather)
        continue;
      auto *type = llvm::cast<llvm::FixedVectorType>(gather->getType());
      llvm::Type *element = type->getElementType();
      if (element->getScalarSizeInBits() >= 32)
        continue;
      llvm::BasicBlock &entry = function.getEntryBlock();
      llvm::IRBuilder<> b(&entry, entry.begin());
      // Inactive lanes read this instead of a branch around their load.
      llvm::Value *unused = b.CreateAlloca(element);
      b.SetInsertPoint(gather);
      llvm::Value *mask = gather->getArgOperand(1);
      llvm::Value *pointers =
          b.CreateSelect(mask, gather->getArgOperand(0),
                         b.CreateVectorSplat(type->getNumElements(), unused));
      llvm::Value *lanes = llvm::PoisonValue::get(type);
      for (unsigned lane = 0; lane < type->getNumElements(); ++lane)
        lanes = b.CreateInsertElement(
            lanes,
            b.CreateAlignedLoad(element, b.CreateExtractElement(pointers, lane),
                                gather->getParamAlign(0)),
            lane);
      gather->replaceAllUsesWith(
          b.CreateSelect(mask, lanes, gather->getArgOperand(2)));
      gather->eraseFromParent();
    }
}

static std::optional<std::string> emitFile(llvm::TargetMachine &machine,
                                           llvm::Module &code) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return std::nullopt;
  passes.run(code);
  return std::string(object.data(), object.size());
}

static constexpr StringLiteral kNoObjects = "this target emits no objects";

FailureOr<std::string> emitData(llvm::Module &data, const Target &target,
                                std::string &error) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createMachine(target, true, error);
  if (!machine)
    return failure();
  data.setTargetTriple(machine->getTargetTriple());
  data.setDataLayout(machine->createDataLayout());
  if (auto object = emitFile(*machine, data))
    return std::move(*object);
  error = kNoObjects;
  return failure();
}

FailureOr<std::string> emitObject(ModuleOp module, const Target &target,
                                  bool optimize) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine =
      createMachine(target, optimize, error);
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
  if (target.hasVectorLength) {
    fixVectorLength(*code, target);
    expandNarrowGathers(*code);
  }
  if (machine->getTargetTriple().isX86())
    keepTruncations(*code);
  hideDivisors(*code);
  if (auto object = emitFile(*machine, *code))
    return std::move(*object);
  return module.emitError(kNoObjects);
}

} // namespace gensyn::cpu
