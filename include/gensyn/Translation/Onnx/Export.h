// Exports a module of the onnx dialect as an ONNX file.
#ifndef GENSYN_TRANSLATION_ONNX_EXPORT_H
#define GENSYN_TRANSLATION_ONNX_EXPORT_H

#include "gensyn/Translation/Onnx/Import.h"

#include "llvm/Support/raw_ostream.h"

namespace gensyn {
struct ExportOptions {
  /// The folder of external data; if empty, that of the module's `onnx.path`.
  std::string folder;
};

/// Writes a module of the form that `importOnnxFile` returns as a
/// self-contained ONNX model. External data is read again, and its hash
/// compared. Fails with `error` set; never prints.
mlir::LogicalResult exportOnnx(mlir::ModuleOp module,
                               const ExportOptions &options,
                               llvm::raw_ostream &os, ImportError &error);
} // namespace gensyn

#endif
