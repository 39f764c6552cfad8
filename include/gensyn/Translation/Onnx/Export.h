// onnx dialect -> ONNX file.
#pragma once

#include "gensyn/Translation/Onnx/Import.h"

#include "llvm/Support/raw_ostream.h"

namespace gensyn {
struct ExportOptions {
  /// The folder of external data; the one of the module's `onnx.path` if empty.
  std::string folder;
};

/// Writes a module of the form that `importOnnxFile` makes as a self-contained
/// ONNX model: external data is read again, and its hash compared. Failure with
/// `error` set; never prints.
mlir::LogicalResult exportOnnx(mlir::ModuleOp module,
                               const ExportOptions &options,
                               llvm::raw_ostream &os, ImportError &error);
} // namespace gensyn
