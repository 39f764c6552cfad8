// Registration of one op for each ONNX schema.
#ifndef GENSYN_LIB_DIALECT_ONNX_IR_SCHEMAOP_H
#define GENSYN_LIB_DIALECT_ONNX_IR_SCHEMAOP_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "onnx/defs/schema.h"

namespace gensyn::onnx {
/// Registers the op of a schema in the dialect's context. `id` must be unique:
/// the context maps ops by it as well as by name.
mlir::OperationName registerSchemaOp(OnnxDialect &dialect, mlir::TypeID id,
                                     const ::onnx::OpSchema &schema);

/// Checks a node against its schema: counts, absent operands, types with their
/// bindings, attributes, regions.
mlir::LogicalResult verifyNode(mlir::Operation *op,
                               const ::onnx::OpSchema &schema);
} // namespace gensyn::onnx

#endif
