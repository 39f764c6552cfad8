// Imports an ONNX file into the onnx dialect.
#ifndef GENSYN_TRANSLATION_ONNX_IMPORT_H
#define GENSYN_TRANSLATION_ONNX_IMPORT_H

#include "gensyn/Executable/Support/Failure.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace gensyn {
/// The reason why a model was not imported or exported.
struct ImportError {
  enum class Kind { None, Usage, BadModel, Unsupported, Io, TooLarge };
  Kind kind = Kind::None;
  /// One line without a full stop: "model.onnx: node 'n' (MatMul): ...".
  std::string message;

  /// The tool's exit code for this error.
  ExitCode exitCode() const;
};

struct ImportOptions {
  /// Sizes of symbolic dimensions by name; a name that the model lacks is a
  /// usage error.
  std::map<std::string, int64_t> dims = {};
  /// Nodes of unknown operators become `onnx.custom` instead of an error.
  bool keepUnknownOperators = false;
  /// Returns true if conversions support an operator ("" or "ai.onnx.ml", name,
  /// since-version). If it is set and returns false for some node, ONNX's
  /// version converter raises the model to the first opset whose operators are
  /// all supported, if there is one.
  std::function<bool(llvm::StringRef domain, llvm::StringRef op, int since)>
      isKnown = {};
  /// True if the model's training_info is imported as functions.
  bool trainingInfo = true;
  /// True if merged parameters get their own initializers again, as far as the
  /// file proves which they are.
  bool restoresParameters = true;
  /// Runs shape inference on a copy, to find nodes with operands of wrong types
  /// or shapes.
  bool checkShapes = true;
  /// If set, a tensor whose external data is in an absent file has symbolic
  /// values of this seed (#onnx.symbolic); otherwise that is an error.
  std::optional<uint64_t> symbolicSeed = {};
};

/// Reads the model at `path`. The module holds `func.func @main`: its arguments
/// are the graph's inputs in order, then a weight for each initializer that is
/// a float tensor or larger than 1 KiB, in the order of the file, with
/// attributes `onnx.name`, `gensyn.role` ("input", "parameter", "constant") and
/// `onnx.data` (the location of the elements; no weight is copied). Smaller
/// integer and boolean initializers are `onnx.constant`; their values are
/// needed, also where those of others may be symbolic.
///
/// A model with training_info has two more functions. `@train_algorithm` is one
/// step: the main graph and then the algorithm, whose ops, arguments and
/// outputs carry `gensyn.algorithm`; results that update_binding gives to
/// initializers list them in `gensyn.updates`. `@train_initialization` is the
/// initialization, with the same attribute by initialization_binding.
///
/// The file is untrusted input. Returns null with `error` set; never prints.
/// The func and onnx dialects are loaded.
mlir::OwningOpRef<mlir::ModuleOp> importOnnxFile(llvm::StringRef path,
                                                 const ImportOptions &options,
                                                 mlir::MLIRContext *context,
                                                 ImportError &error);

} // namespace gensyn

#endif
