// A model's file with other values in its initializers.
#pragma once

#include "gensyn/Translation/Onnx/Import.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {
/// The elements of an initializer, row-major, dense and little end first: a
/// range of a file.
struct TrainedTensor {
  std::string name;
  /// As MLIR writes it: "f32", "i64", "ui8", "i1".
  std::string element;
  std::vector<int64_t> shape;
  std::string file;
  uint64_t offset = 0, length = 0;
};

struct TrainedModel {
  std::string path;
  std::vector<TrainedTensor> tensors;
  /// The recipe whose step training_info shall be, as JSON text; empty: the
  /// model keeps the training_info that it has.
  std::string recipe;
  /// Bytes that the file may have before its initializers go into a file beside
  /// it, called as it is with ".data" behind; 0: what a protobuf may have.
  uint64_t inlineLimit = 0;
  /// True if batch normalizations and dropouts in training mode stay so. Those
  /// of a model with a recipe do.
  bool keepsTrainingForm = false;
};

/// The outcome.
struct TrainedFiles {
  unsigned replaced = 0;
  /// Nodes that were put into inference mode.
  unsigned inferenceNodes = 0;
  /// Empty where all is in the model's file.
  std::string data;
};

/// Writes `model` to `output`: initializers get the tensors' values, those that
/// the exporter merged after they were given back (see restoreParameters);
/// external data comes along, and nodes are put into inference mode. Everything
/// else is what it is in the file. Both files appear whole, and neither
/// replaces a file that was read (FilesRead.h). Failure with `error` set: a
/// tensor that is no initializer of that type and shape, a recipe that ONNX's
/// training operators cannot express, files that cannot be read or written. The
/// func, onnx and train dialects are loaded.
mlir::LogicalResult exportTrained(const TrainedModel &model,
                                  llvm::StringRef output,
                                  mlir::MLIRContext *context,
                                  TrainedFiles &files, ImportError &error);
} // namespace gensyn
