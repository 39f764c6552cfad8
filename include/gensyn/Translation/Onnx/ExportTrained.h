// Writes a model's file with new values in its initializers.
#ifndef GENSYN_TRANSLATION_ONNX_EXPORTTRAINED_H
#define GENSYN_TRANSLATION_ONNX_EXPORTTRAINED_H

#include "gensyn/Translation/Onnx/Import.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {
/// The elements of an initializer: row-major, dense and little-endian, a range
/// of a file.
struct TrainedTensor {
  std::string name;
  /// The element type as MLIR prints it: "f32", "i64", "ui8", "i1".
  std::string element;
  std::vector<int64_t> shape;
  std::string file;
  uint64_t offset = 0, length = 0;
};

struct TrainedModel {
  std::string path;
  std::vector<TrainedTensor> tensors;
  /// The recipe whose step is written as training_info, as JSON text. If empty,
  /// the model keeps its training_info.
  std::string recipe;
  /// The file's size limit in bytes; above it the initializers go into a second
  /// file with the suffix ".data". 0: the limit of a protobuf.
  uint64_t inlineLimit = 0;
  /// True if batch normalizations and dropouts in training mode stay so. With a
  /// recipe they always do.
  bool keepsTrainingForm = false;
};

/// The result of an export.
struct TrainedFiles {
  unsigned replaced = 0;
  /// Number of nodes that were put into inference mode.
  unsigned inferenceNodes = 0;
  /// Empty if all data is in the model's file.
  std::string data;
};

/// Writes `model` to `output`. Initializers get the tensors' values, after
/// merged ones are restored (see restoreParameters); external data is copied,
/// and nodes are put into inference mode. Everything else is as in the input
/// file. Both files are written atomically, and neither replaces a file that
/// was read (FilesRead.h). Fails with `error` set for a tensor that is not an
/// initializer of that type and shape, a recipe that ONNX's training operators
/// cannot express, and files that cannot be read or written. The func, onnx and
/// train dialects are loaded.
mlir::LogicalResult exportTrained(const TrainedModel &model,
                                  llvm::StringRef output,
                                  mlir::MLIRContext *context,
                                  TrainedFiles &files, ImportError &error);
} // namespace gensyn

#endif
