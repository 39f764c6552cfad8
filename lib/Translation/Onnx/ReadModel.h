// Parses the bytes of an ONNX file.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_READMODEL_H
#define GENSYN_LIB_TRANSLATION_ONNX_READMODEL_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace gensyn {
/// The limit on nesting of subgraphs.
inline constexpr int maxGraphDepth = 64;

/// Parses `bytes`, the content of the file `self`. The elements of weights are
/// not copied. A tensor becomes external data in `self` if it is an initializer
/// or larger than 1 KiB and the file has its elements in memory layout
/// (raw_data, packed float_data or double_data). Initializers of integers up to
/// 1 KiB are kept. Fails with `error` set if the bytes are not a model.
llvm::LogicalResult readModel(llvm::StringRef bytes, llvm::StringRef self,
                              ::onnx::ModelProto &model, std::string &error);
} // namespace gensyn

#endif
