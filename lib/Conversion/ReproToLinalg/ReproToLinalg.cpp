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
  auto generic = linalg::GenericOp::create(
      builder, location, TypeRange(), ValueRange(), outputs, maps, iterators);
  // The body is filled once the op stands in its function: what it needs
  // besides, such as the lanes of a reduction, is allocated at the function's
  // entry.
  SmallVector<Type> elements;
  for (Value output : outputs)
    elements.push_back(cast<MemRefType>(output.getType()).getElementType());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&generic.getRegion(), {}, elements,
                      SmallVector<Location>(elements.size(), location));
  repro::KernelEmitter emitter(builder, location);
  for (auto [argument, buffer] :
       llvm::zip_equal(kernel.getBlock().getArguments(), inputs))
    emitter.bind(argument, buffer);
  SmallVector<Value> indices;
  for (unsigned dim = 0; dim < rank; ++dim)
    indices.push_back(linalg::IndexOp::create(builder, location, dim));
  SmallVector<Value> results;
  for (Value yielded : kernel.getYielded()) {
    Value value = emitter.element(yielded, indices);
    if (!value) {
      generic.erase();
      return failure();
    }
    value = emitter.canonical(value);
    if (value.getType().isInteger(1))
      value =
          arith::ExtUIOp::create(builder, location, builder.getI8Type(), value);
    results.push_back(value);
  }
  linalg::YieldOp::create(builder, location, results);
  return success();
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
  auto function =
      func::FuncOp::create(builder, kernel.getLoc(), kernel.getSym(),
                           builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  ValueRange arguments(function.getArguments());
  LogicalResult emitted = emitKernelAsLinalg(
      kernel, arguments.take_front(kernel.getInputs().size()),
      arguments.drop_front(kernel.getInputs().size()), builder);
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
