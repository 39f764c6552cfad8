// Older operator sets, through ONNX's version converter.
#pragma once

#include "ModelFolder.h"
#include "onnx/onnx_pb.h"

namespace gensyn {
/// Raises the model to the first opset whose operators are all known; leaves it
/// where they are known already, or none is better. Weights keep their places
/// in the file: they are given by reference before and after.
mlir::LogicalResult upgradeOpset(
    ::onnx::ModelProto &model, ModelFolder &folder,
    const std::function<bool(llvm::StringRef, llvm::StringRef, int)> &isKnown,
    ImportError &error);
} // namespace gensyn
