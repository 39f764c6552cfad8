// ONNX file -> onnx dialect.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace gensyn {
/// Why a model was not imported or exported.
struct ImportError {
  enum class Kind { None, Usage, BadModel, Unsupported, Io, TooLarge };
  Kind kind = Kind::None;
  /// One line without a full stop, "model.onnx: node 'n' (MatMul): ...".
  std::string message;

  /// The exit code of a tool that stops with this error: 0, or 2 to 6.
  int exitCode() const;
};

struct ImportOptions {
  /// Sizes of symbolic dimensions by name; a name the model lacks is a usage
  /// error.
  std::map<std::string, int64_t> dims = {};
  /// Nodes of unknown operators become `onnx.custom` instead of an error.
  bool keepUnknownOperators = false;
  /// True if conversions know an operator ("" or "ai.onnx.ml", name,
  /// since-version). Where it is given and false for some node, ONNX's version
  /// converter raises the model to the first opset whose operators are all
  /// known, if there is one.
  std::function<bool(llvm::StringRef domain, llvm::StringRef op, int since)>
      isKnown = {};
  /// True if functions are made of the model's training_info.
  bool trainingInfo = true;
  /// True if parameters get initializers of their own again that the exporter
  /// merged, as far as the file proves it.
  bool restoresParameters = true;
  /// Runs shape inference on a copy, to find nodes whose operands do not fit.
  bool checkShapes = true;
};

/// Reads the model at `path`. The module holds `func.func @main`: its arguments
/// are the graph's inputs in order, then a weight for each initializer that is
/// a float tensor or larger than 1 KiB, in the order of the file, with
/// attributes `onnx.name`, `gensyn.role` ("input", "parameter", "constant") and
/// `onnx.data` (where the elements are; no weight is copied). Smaller integer
/// and boolean initializers are `onnx.constant`.
///
/// A model with training_info gives two functions more. `@train_algorithm` is
/// one step: the main graph and then the algorithm, whose ops, arguments and
/// outputs carry `gensyn.algorithm`; results that update_binding gives to
/// initializers list them in `gensyn.updates`. `@train_initialization` is the
/// initialization, with the same attribute by initialization_binding.
///
/// Nothing in the file is
/// trusted. Returns null with `error` set; never prints. The func and onnx
/// dialects are loaded.
mlir::OwningOpRef<mlir::ModuleOp> importOnnxFile(llvm::StringRef path,
                                                 const ImportOptions &options,
                                                 mlir::MLIRContext *context,
                                                 ImportError &error);

} // namespace gensyn
