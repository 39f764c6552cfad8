// Parses the bytes of an ONNX file.
#pragma once

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace gensyn {
/// Subgraphs may be nested this deep.
inline constexpr int maxGraphDepth = 64;

/// Parses `bytes`, the content of the file `self`. The elements of weights are
/// not copied: a tensor that is an initializer, or larger than 1 KiB, and whose
/// elements lie in the file as in memory (raw_data, packed float_data or
/// double_data) gets them as external data in `self`. Initializers of integers
/// up to 1 KiB are kept. Failure with `error` set where the bytes are not a
/// model.
llvm::LogicalResult readModel(llvm::StringRef bytes, llvm::StringRef self,
                              ::onnx::ModelProto &model, std::string &error);
} // namespace gensyn
