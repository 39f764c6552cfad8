// repro.kernel to linalg.generic on buffers.

#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"

#include "gensyn/Conversion/ReproToLinalg/KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn {
#define GEN_PASS_DEF_CONVERTREPROTOLINALGPASS
#include "gensyn/Conversion/ReproToLinalg/Passes.h.inc"

LogicalResult emitKernelAsLinalg(repro::KernelOp kernel, ValueRange inputs,
                                 ValueRange outputs, OpBuilder &builder) {
  Location location = kernel.getLoc();
  auto type = cast<RankedTensorType>(kernel.getResult(0).getType());
  if (type.getNumElements() == 0)
    return success();
  const auto rank = static_cast<unsigned>(type.getRank());
  SmallVector<AffineMap> maps(outputs.size(),
                              builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  bool failed = false;
  linalg::GenericOp::create(
      builder, location, ValueRange(), outputs, maps, iterators,
      [&](OpBuilder &body, Location at, ValueRange) {
        repro::KernelEmitter emitter(body, at);
        for (auto [argument, buffer] :
             llvm::zip_equal(kernel.getBlock().getArguments(), inputs))
          emitter.bind(argument, buffer);
        SmallVector<Value> indices;
        for (unsigned dim = 0; dim < rank; ++dim)
          indices.push_back(linalg::IndexOp::create(body, at, dim));
        SmallVector<Value> results;
        for (auto [yielded, output] :
             llvm::zip_equal(kernel.getYielded(), outputs)) {
          Value value = emitter.element(yielded, indices);
          if (!value) { // a well formed body, to be thrown away
            failed = true;
            value = arith::ConstantOp::create(
                body, at,
                body.getZeroAttr(cast<MemRefType>(output.getType())
                                     .getElementType()));
          }
          value = emitter.canonical(value);
          if (value.getType().isInteger(1))
            value = arith::ExtUIOp::create(body, at, body.getI8Type(), value);
          results.push_back(value);
        }
        linalg::YieldOp::create(body, at, results);
      });
  return failure(failed);
}

FailureOr<func::FuncOp> convertKernelToLinalg(repro::KernelOp kernel,
                                              ModuleOp module) {
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types;
  for (Type type : llvm::concat<const Type>(
           SmallVector<Type>(kernel.getInputs().getTypes()),
           SmallVector<Type>(kernel.getResultTypes())))
    types.push_back(repro::getBufferType(cast<RankedTensorType>(type)));
  auto function = func::FuncOp::create(builder, kernel.getLoc(), kernel.getSym(),
                                       builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  ValueRange arguments(function.getArguments());
  LogicalResult emitted =
      emitKernelAsLinalg(kernel, arguments.take_front(kernel.getInputs().size()),
                         arguments.drop_front(kernel.getInputs().size()),
                         builder);
  builder.setInsertionPointToEnd(&function.getBody().front());
  func::ReturnOp::create(builder, kernel.getLoc());
  if (failed(emitted)) {
    function.erase();
    return failure();
  }
  return function;
}

namespace {
struct ConvertReproToLinalg final
    : impl::ConvertReproToLinalgPassBase<ConvertReproToLinalg> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<repro::KernelOp> kernels;
    module.walk([&](repro::KernelOp kernel) { kernels.push_back(kernel); });
    llvm::SetVector<Operation *> holders;
    for (repro::KernelOp kernel : kernels) {
      holders.insert(kernel->getParentOfType<func::FuncOp>());
      if (failed(convertKernelToLinalg(kernel, module)))
        return signalPassFailure();
    }
    for (Operation *holder : holders)
      holder->erase();
  }
};
} // namespace

} // namespace gensyn
