// Refuses ops whose result a target is free to choose.

#include "gensyn/Codegen/Emit/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::emit {
#define GEN_PASS_DEF_VERIFYTARGETBITSPASS
#include "gensyn/Codegen/Emit/Passes.h.inc"

namespace {
bool isFloat(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

bool touchesFloat(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

/// What is wrong with the op; empty where nothing is.
StringRef complaint(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op))
    if (flags.getFastMathFlagsAttr() &&
        flags.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return "has fast-math flags";
  if (auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op))
    if (flags.getFastmathAttr() &&
        flags.getFastmathAttr().getValue() != LLVM::FastmathFlags::none)
      return "has fast-math flags";
  if (!touchesFloat(op))
    return {};
  StringRef name = op->getName().getStringRef();
  if (isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp, LLVM::AtomicRMWOp,
          LLVM::AtomicCmpXchgOp>(op))
    return "is an atomic operation on floats, whose order is open";
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
      !isa<math::FmaOp, math::SqrtOp>(op))
    return "may become a call of a math library";
  if (isa<vector::FMAOp, LLVM::FMulAddOp>(op))
    return "may be split into a product and a sum";
  if (isa<vector::ContractionOp, vector::OuterProductOp, vector::ReductionOp,
          vector::MultiDimReductionOp, vector::ScanOp>(op) ||
      name.starts_with("llvm.intr.vector.reduce.f"))
    return "adds in an order that it does not state";
  if (name.starts_with("llvm.intr.") &&
      !isa<LLVM::FMAOp, LLVM::SqrtOp, LLVM::FAbsOp, LLVM::CopySignOp,
           LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::masked_gather,
           LLVM::masked_scatter>(op))
    return "is an intrinsic with no exact result";
  return {};
}

struct VerifyTargetBits final
    : impl::VerifyTargetBitsPassBase<VerifyTargetBits> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      StringRef what = complaint(op);
      if (what.empty())
        return WalkResult::advance();
      op->emitError() << "'" << op->getName() << "' " << what;
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace gensyn::emit
