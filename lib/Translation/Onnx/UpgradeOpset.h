// Raises older operator sets with ONNX's version converter.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_UPGRADEOPSET_H
#define GENSYN_LIB_TRANSLATION_ONNX_UPGRADEOPSET_H

#include "ModelFolder.h"
#include "onnx/onnx_pb.h"

namespace gensyn {
/// Raises the model to the first opset whose operators are all supported.
/// Leaves it unchanged if all are supported already, or no opset helps. Weights
/// keep their locations in the file, since they are references.
mlir::LogicalResult upgradeOpset(
    ::onnx::ModelProto &model, ModelFolder &folder,
    const std::function<bool(llvm::StringRef, llvm::StringRef, int)> &isKnown,
    ImportError &error);
} // namespace gensyn

#endif
