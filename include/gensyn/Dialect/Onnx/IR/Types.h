// ONNX types <-> MLIR types.
#pragma once

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

namespace gensyn::onnx {
/// The MLIR type of a TensorProto::DataType; null where it has none.
mlir::Type elementTypeOf(mlir::MLIRContext *context, int onnxElement);
/// The TensorProto::DataType of an element type; 0 where it has none.
int onnxElementOf(mlir::Type element);
/// "float32": how messages to users call a TensorProto::DataType.
std::string elementName(int onnxElement);

/// The MLIR type of a value; `!onnx.unknown` where the proto says nothing.
/// Symbolic dimensions become `?` with their names in the tensor's encoding, an
/// array with one string a dimension: tensor<?x8xf32, ["batch", ""]>.
mlir::Type importType(mlir::MLIRContext *context,
                      const ::onnx::TypeProto &type);
/// False where the type has no ONNX form (none, unknown).
bool exportType(mlir::Type type, ::onnx::TypeProto &out);

/// The schema's unique key of a type ("tensor(float)"), or null.
::onnx::DataType dataTypeOf(mlir::Type type);
/// "float32[2,8]": how messages to users write a type.
std::string describeType(mlir::Type type);

/// The name of dimension `i` of a ranked tensor type, empty where it has none.
llvm::StringRef dimensionName(mlir::RankedTensorType type, unsigned i);
/// A ranked type whose dynamic dimensions carry names; no encoding if all are
/// empty.
mlir::RankedTensorType tensorWithNames(llvm::ArrayRef<int64_t> shape,
                                       mlir::Type element,
                                       llvm::ArrayRef<llvm::StringRef> names);

/// Bits of an element in a file: 8 for booleans; 0 for strings.
unsigned bitsOf(mlir::Type element);
/// Bytes of a tensor in a file, sub-byte elements packed; none if it is not
/// static, has a negative dimension, or overflows 2^63.
std::optional<int64_t> fileBytes(llvm::ArrayRef<int64_t> shape,
                                 mlir::Type element);
} // namespace gensyn::onnx
