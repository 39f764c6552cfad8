// The rules of the static verifier. Each is about ops of any dialect that occur
// in the lowering of a kernel: arith, math, vector, linalg, scf, gpu, LLVM.

#include "TargetRules.h"

#include "gensyn/Machine/Cpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gensyn::emit {
namespace {

bool isFloat(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

bool touchesFloat(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

bool isNamed(Operation *op, std::initializer_list<StringRef> names) {
  return llvm::is_contained(names, op->getName().getStringRef());
}

using Symbols = SymbolTableCollection;

bool hasFastMath(Operation *op, Symbols &) {
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op))
    if (flags.getFastMathFlagsAttr() &&
        flags.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return true;
  if (auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op))
    return flags.getFastmathAttr() &&
           flags.getFastmathAttr().getValue() != LLVM::FastmathFlags::none;
  return false;
}

/// Function attributes that permit LLVM to change results.
bool hasLooseAttributes(Operation *op, Symbols &) {
  static const llvm::StringSet<> loose = {
      "unsafe-fp-math",       "no-nans-fp-math",
      "no-infs-fp-math",      "no-signed-zeros-fp-math",
      "approx-func-fp-math",  "denormal-fp-math",
      "denormal-fp-math-f32", "nvptx-f32ftz",
      "unsafe_fp_math",       "no_nans_fp_math",
      "no_infs_fp_math",      "no_signed_zeros_fp_math",
      "approx_func_fp_math",  "denormal_fp_math",
      "denormal_fp_math_f32", "fp_contract"};
  if (!isa<FunctionOpInterface>(op))
    return false;
  auto isLoose = [&](Attribute attribute) {
    auto pair = dyn_cast<ArrayAttr>(attribute);
    auto name = dyn_cast<StringAttr>(
        pair && !pair.empty() ? pair.getValue().front() : attribute);
    return name && loose.contains(name.getValue());
  };
  if (auto list = op->getAttrOfType<ArrayAttr>("passthrough"))
    if (llvm::any_of(list, isLoose))
      return true;
  return llvm::any_of(op->getAttrs(), [&](NamedAttribute attribute) {
    return loose.contains(attribute.getName().getValue());
  });
}

bool isFloatAtomic(Operation *op, Symbols &) {
  return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp, LLVM::AtomicRMWOp,
             LLVM::AtomicCmpXchgOp>(op) &&
         touchesFloat(op);
}

bool isLibraryMath(Operation *op, Symbols &) {
  return touchesFloat(op) &&
         isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isa<math::FmaOp, math::SqrtOp>(op);
}

/// LLVM lowers the floating-point remainder to a call of fmod on every target.
bool isRemainder(Operation *op, Symbols &) {
  return isa<arith::RemFOp, LLVM::FRemOp>(op);
}

/// A call of a function without a body: libm, libdevice, a compiler's runtime.
/// An intrinsic too, unless it moves data or computes with integers.
bool isExternalCall(Operation *op, Symbols &symbols) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return llvm::none_of(machine::getCpus(), [&](const machine::Cpu &cpu) {
      return llvm::is_contained(machine::intrinsicsOf(cpu.byteProducts),
                                std::string_view(call.getIntrin())) ||
             llvm::is_contained(
                 llvm::map_range(cpu.tableLookups,
                                 [](const machine::TableLookup &lookup) {
                                   return StringRef(lookup.intrinsic);
                                 }),
                 call.getIntrin());
    });
  if (isa<LLVM::InlineAsmOp>(op))
    return true;
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return false;
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  return !callee || callee.isExternal();
}

bool isSplittable(Operation *op, Symbols &) {
  return isa<vector::FMAOp, LLVM::FMulAddOp>(op) && touchesFloat(op);
}

bool isUnordered(Operation *op, Symbols &) {
  if (isNamed(op, {"gpu.all_reduce", "gpu.subgroup_reduce", "scf.reduce"}))
    return touchesFloat(op);
  if (isNamed(op, {"linalg.generic"}))
    return touchesFloat(op) &&
           llvm::any_of(op->getAttrOfType<ArrayAttr>("iterator_types"),
                        [](Attribute kind) {
                          std::string text;
                          llvm::raw_string_ostream(text) << kind;
                          return StringRef(text).contains("reduction");
                        });
  // All other linalg ops that add have an unspecified order.
  if (op->getName().getDialectNamespace() == "linalg" &&
      !isNamed(op,
               {"linalg.index", "linalg.yield", "linalg.fill", "linalg.copy",
                "linalg.transpose", "linalg.broadcast", "linalg.map"}))
    return llvm::any_of(op->getOperandTypes(), isFloat);
  return touchesFloat(op) &&
         (isa<vector::ContractionOp, vector::OuterProductOp,
              vector::ReductionOp, vector::MultiDimReductionOp, vector::ScanOp>(
              op) ||
          op->getName().getStringRef().starts_with(
              "llvm.intr.vector.reduce.f"));
}

/// The target chooses the sign of a zero and the handling of a NaN.
bool isLooseExtremum(Operation *op, Symbols &) {
  return isa<arith::MaxNumFOp, arith::MinNumFOp, LLVM::MaxNumOp,
             LLVM::MinNumOp>(op);
}

bool isInexactIntrinsic(Operation *op, Symbols &) {
  StringRef name = op->getName().getStringRef();
  return name.starts_with("llvm.intr.") && touchesFloat(op) &&
         !isa<LLVM::FMAOp, LLVM::SqrtOp, LLVM::FAbsOp, LLVM::CopySignOp,
              LLVM::MaximumOp, LLVM::MinimumOp, LLVM::MaskedLoadOp,
              LLVM::MaskedStoreOp, LLVM::masked_gather, LLVM::masked_scatter>(
             op);
}

/// Approximations and matrix units: NVIDIA's own floating-point ops; the exact
/// ones only move data.
bool isVendorArithmetic(Operation *op, Symbols &) {
  if (!touchesFloat(op))
    return false;
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef name = op->getName().stripDialect();
  if (dialect == "amx" || dialect == "arm_sme" || dialect == "rocdl" ||
      dialect == "xegpu" || dialect == "nvgpu")
    return true;
  return (dialect == "nvvm" && !name.starts_with("shfl") &&
          !name.starts_with("cp.async")) ||
         (dialect == "gpu" && name.starts_with("subgroup_mma"));
}

bool isOtherwiseRounded(Operation *op, Symbols &) {
  auto mode = op->getAttrOfType<arith::RoundingModeAttr>("roundingmode");
  return mode && mode.getValue() != arith::RoundingMode::to_nearest_even;
}

/// Targets compute narrow floats in whatever width they have and round at
/// different places; in memory they are integers here.
bool isNarrowArithmetic(Operation *op, Symbols &) {
  auto isNarrow = [](Type type) {
    auto real = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return real && real.getWidth() < 32;
  };
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, math::FmaOp,
             math::SqrtOp, arith::TruncFOp, LLVM::FAddOp, LLVM::FSubOp,
             LLVM::FMulOp, LLVM::FDivOp, LLVM::FNegOp, LLVM::FMAOp,
             LLVM::SqrtOp, LLVM::FPTruncOp>(op) &&
         (llvm::any_of(op->getOperandTypes(), isNarrow) ||
          llvm::any_of(op->getResultTypes(), isNarrow));
}

constexpr TargetRule rules[] = {
    {"fast-math", "has fast-math flags", hasFastMath},
    {"function-attributes",
     "has an attribute that lets a compiler change arithmetic",
     hasLooseAttributes},
    {"float-atomic", "is an atomic operation on floats, whose order is open",
     isFloatAtomic},
    {"math-library", "may become a call of a math library", isLibraryMath},
    {"remainder", "becomes a call of fmod", isRemainder},
    {"external-call", "leaves the module: what it computes is not known here",
     isExternalCall},
    {"split-fma", "may be split into a product and a sum", isSplittable},
    {"unstated-order", "adds in an order that it does not state", isUnordered},
    {"loose-extremum", "leaves the sign of a zero to the target",
     isLooseExtremum},
    {"inexact-intrinsic", "is an intrinsic with no exact result",
     isInexactIntrinsic},
    {"vendor-arithmetic", "computes floats by an instruction of one vendor",
     isVendorArithmetic},
    {"other-rounding", "rounds otherwise than to nearest even",
     isOtherwiseRounded},
    {"narrow-arithmetic",
     "computes in a type narrower than f32, which targets widen as they like",
     isNarrowArithmetic},
};

} // namespace

ArrayRef<TargetRule> getTargetRules() { return rules; }

const TargetRule *findBrokenRule(Operation *op, Symbols &symbols) {
  const auto *found = llvm::find_if(rules, [&](const TargetRule &rule) {
    return rule.isBroken(op, symbols);
  });
  return found == std::end(rules) ? nullptr : found;
}

} // namespace gensyn::emit
