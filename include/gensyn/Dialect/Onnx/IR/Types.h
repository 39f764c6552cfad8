// Converts between ONNX types and MLIR types.
#ifndef GENSYN_DIALECT_ONNX_IR_TYPES_H
#define GENSYN_DIALECT_ONNX_IR_TYPES_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include <optional>
#include <string>

// Of the ONNX library.
namespace onnx {
class TypeProto;
} // namespace onnx

namespace gensyn::onnx {
/// The MLIR type of a TensorProto::DataType; null if there is none.
mlir::Type elementTypeOf(mlir::MLIRContext *context, int onnxElement);
/// The TensorProto::DataType of an element type; 0 if there is none.
int onnxElementOf(mlir::Type element);
/// The name of a TensorProto::DataType in messages: "float32".
std::string elementName(int onnxElement);

/// The MLIR type of a value; `!onnx.unknown` if the proto has no type. Symbolic
/// dimensions become `?` with their names in the tensor's encoding, an array
/// with one string a dimension: tensor<?x8xf32, ["batch", ""]>.
mlir::Type importType(mlir::MLIRContext *context,
                      const ::onnx::TypeProto &type);
/// False where the type has no ONNX form (none, unknown).
bool exportType(mlir::Type type, ::onnx::TypeProto &out);

/// The schema's unique key of a type ("tensor(float)"), or null.
const std::string *dataTypeOf(mlir::Type type);
/// The form of a type in messages: "float32[2,8]".
std::string describeType(mlir::Type type);

/// The name of dimension `i` of a ranked tensor type; empty if it has none.
llvm::StringRef dimensionName(mlir::RankedTensorType type, unsigned i);
/// A ranked type whose dynamic dimensions carry names; no encoding if all are
/// empty.
mlir::RankedTensorType tensorWithNames(llvm::ArrayRef<int64_t> shape,
                                       mlir::Type element,
                                       llvm::ArrayRef<llvm::StringRef> names);

/// Bits of an element in a file: 8 for booleans; 0 for strings.
unsigned bitsOf(mlir::Type element);
/// True for types of which #onnx.symbolic has values: floats, and integers of
/// at most 8 bits, which quantized tensors have.
bool hasSymbolicValues(mlir::Type element);
/// Bytes of a tensor in a file, sub-byte elements packed; none if it is not
/// static, has a negative dimension, or overflows 2^63.
std::optional<int64_t> fileBytes(llvm::ArrayRef<int64_t> shape,
                                 mlir::Type element);
} // namespace gensyn::onnx

#endif
