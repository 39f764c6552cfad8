// Converts between ONNX tensors and attributes and MLIR attributes.
#ifndef GENSYN_DIALECT_ONNX_IR_TENSORS_H
#define GENSYN_DIALECT_ONNX_IR_TENSORS_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include <string>

// Of the ONNX library.
namespace onnx {
class AttributeProto;
// NOLINTNEXTLINE(readability-identifier-naming)
enum AttributeProto_AttributeType : int;
class TensorProto;
} // namespace onnx

namespace gensyn::onnx {
/// The value of a tensor that is stored in the message itself; null with
/// `error` set if the message is inconsistent. Values up to `maxConstantBytes`
/// are DenseElementsAttr, larger ones resources, whose blob takes ownership of
/// `raw_data`.
mlir::ElementsAttr importTensor(mlir::MLIRContext *context,
                                ::onnx::TensorProto &tensor,
                                std::string &error);
/// Writes type, shape and elements (as raw_data) of `value`.
void exportTensor(mlir::ElementsAttr value, ::onnx::TensorProto &out);

/// Null with `error` set for a kind that is not supported.
mlir::Attribute importAttribute(mlir::MLIRContext *context,
                                ::onnx::AttributeProto &attribute,
                                std::string &error);
/// Writes an attribute whose MLIR form is that of `kind`.
void exportAttribute(llvm::StringRef name, mlir::Attribute value,
                     ::onnx::AttributeProto_AttributeType kind,
                     ::onnx::AttributeProto &out);

/// The reason why the elements of a value cannot be written ("has a resource of
/// 0 bytes, expected 16"); empty if they can. Verifiers check this, so that no
/// other code has to.
std::string whyNotElements(mlir::ElementsAttr value);

/// Little-endian bytes of a value, with a byte for each i1 and each narrower
/// element; fails if it is not plain data.
mlir::FailureOr<std::string> rawBytes(mlir::ElementsAttr value);
} // namespace gensyn::onnx

#endif
