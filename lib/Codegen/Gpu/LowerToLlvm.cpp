// See LowerToLlvm.h.

#include "LowerToLlvm.h"

#include "gensyn/Codegen/Gpu/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace gensyn::gpu {

namespace {
/// Converts an i64 to an index of 32 bits with saturation: values that do not
/// fit stay out of bounds of every tensor.
struct SaturateIndex final : ConvertOpToLLVMPattern<arith::IndexCastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(arith::IndexCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!op.getType().isIndex() || !op.getIn().getType().isInteger(64) ||
        !type.isInteger(32))
      return failure();
    Location location = op.getLoc();
    auto limit = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, location,
                                      rewriter.getI64IntegerAttr(value));
    };
    Value value = LLVM::SMaxOp::create(rewriter, location, adaptor.getIn(),
                                       limit(INT32_MIN));
    value = LLVM::SMinOp::create(rewriter, location, value, limit(INT32_MAX));
    rewriter.replaceOpWithNewOp<LLVM::TruncOp>(op, type, value);
    return success();
  }
};
} // namespace

/// Lowers structured control flow first, since the patterns to LLVM support
/// only branches.
static LogicalResult lowerControlFlow(Operation *op) {
  RewritePatternSet patterns(op->getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*op->getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(op, target, std::move(patterns));
}

/// Lowers one function, with its own width of index.
static LogicalResult lowerFunction(Operation *function,
                                   const VendorLowering &vendor) {
  MLIRContext *context = function->getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  if (auto bits = function->getAttrOfType<IntegerAttr>(kIndexBitsAttr))
    options.overrideIndexBitwidth(static_cast<unsigned>(bits.getInt()));
  function->removeAttr(kIndexBitsAttr);
  LLVMTypeConverter converter(context, options);
  vendor.configure(converter);

  LLVMConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addLegalDialect(vendor.dialect);
  target.addIllegalDialect<mlir::gpu::GPUDialect>();

  RewritePatternSet patterns(context);
  // A vendor's patterns may include calls to its math library, so these must be
  // tried first.
  constexpr unsigned exact = 10;
  patterns.add<SaturateIndex>(converter, PatternBenefit(exact));
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(
      converter, patterns, /*approximateLog1p=*/false, PatternBenefit(exact));
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  vendor.populate(converter, patterns);
  return applyPartialConversion(function, target, std::move(patterns));
}

LogicalResult lowerToLlvm(mlir::gpu::GPUModuleOp module,
                          const VendorLowering &vendor) {
  WalkResult foreign = module.walk([](Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
        isa<math::FmaOp, math::SqrtOp>(op))
      return WalkResult::advance();
    op->emitOpError("has no exact instruction on the target");
    return WalkResult::interrupt();
  });
  if (foreign.wasInterrupted() || failed(lowerControlFlow(module)))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<FunctionOpInterface>(op) && failed(lowerFunction(&op, vendor)))
      return failure();
  return success();
}

} // namespace gensyn::gpu
