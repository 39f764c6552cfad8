// The repro dialect: ops, attributes and small queries on them.

#ifndef GENSYN_DIALECT_REPRO_IR_REPRO_H
#define GENSYN_DIALECT_REPRO_IR_REPRO_H

#include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.h"
#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Numerics/NarrowFloat.h"
#include "gensyn/Numerics/Order.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "gensyn/Dialect/Repro/IR/ReproDialect.h.inc"
#include "gensyn/Dialect/Repro/IR/ReproEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Repro/IR/ReproAttributes.h.inc"

namespace gensyn::repro {
// The text form of an order inside an op, without a prefix: `lanes<32>`.
mlir::ParseResult parseOrder(mlir::OpAsmParser &parser, OrderAttr &order);
void printOrder(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                OrderAttr order);
// The text form of `bounds`: `[in, zero]`.
mlir::ParseResult parseBounds(mlir::OpAsmParser &parser,
                              mlir::DenseI32ArrayAttr &bounds);
void printBounds(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                 mlir::DenseI32ArrayAttr bounds);
} // namespace gensyn::repro

#define GET_OP_CLASSES
#include "gensyn/Dialect/Repro/IR/ReproOps.h.inc"

namespace gensyn::repro {

/// The element type of lib/Numerics for an MLIR type; nothing if the type is
/// not in the closed set.
std::optional<ElementType> getElementType(mlir::Type type);

/// The MLIR type of an element type.
mlir::Type getMlirType(mlir::MLIRContext *context, ElementType type);

/// The treatment of values that a conversion's result type cannot represent.
Narrowing getNarrowing(ConvertOp op);
ScaleRounding getScaleRounding(PowerRounding rounding);

/// Evaluates the ops of a block in order and returns the operands of its
/// terminator. `arguments` are the block arguments' values. Tensors are
/// released after their last use. Fails, after an error on the op, if an op has
/// no reference meaning.
llvm::FailureOr<llvm::SmallVector<Tensor>>
evaluateBlock(mlir::Block &block, llvm::ArrayRef<Tensor> arguments);

/// True if the op's result has elements and needs each element of its operands.
bool readsWholeOperands(mlir::Operation *op);

/// True if the op is a constant whose elements are equal.
bool isSplatConstant(mlir::Operation *op);

/// The value that has the memory of a value: the source of its reshapes.
mlir::Value getStorage(mlir::Value value);

/// The cost of an element; ElementCost::Several if the op does not specify it.
ElementCost getElementCost(mlir::Operation *op);

/// The elements of a dense attribute as a tensor.
Tensor toTensor(mlir::ElementsAttr attribute);

/// A tensor as a dense attribute of its shape and element type.
mlir::DenseElementsAttr toAttribute(mlir::MLIRContext *context,
                                    const Tensor &tensor);

/// A constant tensor of `type` filled with `value`, rounded to the element
/// type.
mlir::Value createFilled(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::RankedTensorType type, double value);

/// `value` with its dimensions placed at `dims` of `type`, the others repeated;
/// the value itself if nothing changes.
mlir::Value createBroadcast(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value value, mlir::RankedTensorType type,
                            llvm::ArrayRef<int64_t> dims);

/// `value` in another shape; the value itself if nothing changes.
mlir::Value createReshape(mlir::OpBuilder &builder, mlir::Location location,
                          mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// A reduction of `value` over adjacent dimensions [first, last] in row form
/// (reduce_c2), which are dropped from the result. Without an order.
mlir::Value createReduce(mlir::OpBuilder &builder, mlir::Location location,
                         ReduceKind kind, mlir::Value value, int64_t first,
                         int64_t last);

/// Reductions over any set of dimensions: one per run of adjacent ones,
/// innermost first. The dimensions are dropped from the result.
mlir::Value createReduceDims(mlir::OpBuilder &builder, mlir::Location location,
                             ReduceKind kind, mlir::Value value,
                             llvm::ArrayRef<int64_t> dims);

/// A matrix product of rank-2 tensors, each transposed or not.
/// lhs is [m, k] (or [k, m]), rhs [k, n] (or [n, k]); the result is [m, n].
mlir::Value createMatmul(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::Value lhs, mlir::Value rhs,
                         bool transposeLhs = false, bool transposeRhs = false);

} // namespace gensyn::repro

#endif
