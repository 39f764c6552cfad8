// The static part of the onnx dialect: the dialect, its types, attributes and
// the ops that are not ONNX operators. NodeOp.h is the view of operators.
#ifndef GENSYN_DIALECT_ONNX_IR_ONNX_H
#define GENSYN_DIALECT_ONNX_IR_ONNX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

// Of the ONNX library.
namespace onnx {
class OpSchema;
} // namespace onnx

#include "gensyn/Dialect/Onnx/IR/OnnxDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "gensyn/Dialect/Onnx/IR/OnnxTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Onnx/IR/OnnxAttributes.h.inc"

#define GET_OP_CLASSES
#include "gensyn/Dialect/Onnx/IR/OnnxOps.h.inc"

namespace gensyn::onnx {
/// Names of attributes on the module and on arguments and results of `@main`.
namespace names {
/// Argument and result: the value's name in the file (string).
inline constexpr llvm::StringLiteral name = "onnx.name";
/// Argument: its elements, an ExternalAttr or an ElementsAttr.
inline constexpr llvm::StringLiteral data = "onnx.data";
/// Identity: its result must not be replaced by its operand, since derivatives
/// are taken with respect to it (unit).
inline constexpr llvm::StringLiteral variable = "onnx.variable";
/// Gather: the row of the table that gets no gradient (integer).
inline constexpr llvm::StringLiteral paddingRow = "gensyn.padding_row";
/// Min and Max: all operands but the first one are scalar bounds. They get no
/// gradient, and no gradient flows through an element at a bound (any
/// attribute).
inline constexpr llvm::StringLiteral isBounded = "gensyn.is_bounded";
/// Identity: derivatives treat the result as a constant (any attribute).
inline constexpr llvm::StringLiteral stopsGradient = "gensyn.stops_gradient";
/// Module: the number of entries in training_info (i64), and whether the first
/// one assigns other values to initializers before training (unit).
inline constexpr llvm::StringLiteral trainingInfo = "onnx.training_info";
inline constexpr llvm::StringLiteral initializes = "onnx.initializes";
/// Functions built from training_info.
inline constexpr llvm::StringLiteral algorithmFunction = "train_algorithm";
inline constexpr llvm::StringLiteral initializationFunction =
    "train_initialization";
/// Module: the operator sets, a dictionary of domain ("ai.onnx", ...) to
/// version (i64).
inline constexpr llvm::StringLiteral opsets = "onnx.opsets";
/// Module: the path of the model's file as the user gave it (string).
inline constexpr llvm::StringLiteral path = "onnx.path";
} // namespace names

/// The largest tensor in bytes that an attribute holds; larger ones are
/// arguments.
inline constexpr int64_t maxConstantBytes = 1024;
} // namespace gensyn::onnx

#endif
