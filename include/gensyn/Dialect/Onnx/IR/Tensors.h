// ONNX tensors and attributes <-> MLIR attributes.
#pragma once

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include <string>

namespace gensyn::onnx {
/// The value of a tensor that is stored in the message itself; null with
/// `error` set where the message is not consistent. Values up to
/// `maxConstantBytes` are DenseElementsAttr, larger ones resources, whose blob
/// takes `raw_data` over.
mlir::ElementsAttr importTensor(mlir::MLIRContext *context,
                                ::onnx::TensorProto &tensor,
                                std::string &error);
/// Writes type, shape and elements (as raw_data) of `value`.
void exportTensor(mlir::ElementsAttr value, ::onnx::TensorProto &out);

/// Null with `error` set for a kind that is not supported.
mlir::Attribute importAttribute(mlir::MLIRContext *context,
                                ::onnx::AttributeProto &attribute,
                                std::string &error);
/// Writes an attribute whose MLIR form is the one of `kind`.
void exportAttribute(llvm::StringRef name, mlir::Attribute value,
                     ::onnx::AttributeProto::AttributeType kind,
                     ::onnx::AttributeProto &out);

/// Why the elements of a value cannot be written out ("has a resource of 0
/// bytes, expected 16"); empty where they can. Verifiers ask, so that nothing
/// else has to.
std::string whyNotElements(mlir::ElementsAttr value);

/// Little-endian bytes of a value, i1 and narrower elements a byte each;
/// failure where it is not plain data.
mlir::FailureOr<std::string> rawBytes(mlir::ElementsAttr value);
} // namespace gensyn::onnx
