// Shape inference, symbolic dimensions and expansion of functions, as
// functions.
#pragma once

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace gensyn::onnx {
/// Sizes of dimensions by name, or by "input[dim]".
using Dimensions = std::map<std::string, int64_t>;

/// Parses "batch=32" into `dims`. False where it is not name=positive integer.
bool parseDimension(llvm::StringRef text, Dimensions &dims);

/// Names of the symbolic dimensions in a module, sorted.
std::vector<std::string> dimensionNames(mlir::ModuleOp module);

/// What dimension `dim` of an input is called: its symbolic name, or
/// "input[dim]" where it has none.
std::string dimensionKey(mlir::RankedTensorType type, llvm::StringRef input,
                         unsigned dim);

/// The dimensionKey() that a user means by a symbolic name or by "input[dim]";
/// the latter may have a name too. An error at the module, which lists what
/// there is, where it is neither.
mlir::FailureOr<std::string> resolveDimension(mlir::ModuleOp module,
                                              llvm::StringRef key);

/// Gives dimensions their sizes: symbolic ones by name in every type, and those
/// of inputs by "input[dim]". Types of results keep the names of dimensions
/// that have got a size, for inferShapes. Errors at the module are a key that
/// means nothing, two sizes for one dimension, and another size than a fixed
/// one.
mlir::LogicalResult bindDimensions(mlir::ModuleOp module,
                                   const Dimensions &dims);

/// One forward walk over each function: infers types by the schemas and, with
/// `fold`, replaces nodes of constants by constants. Errors are diagnostics at
/// the node.
mlir::LogicalResult inferShapes(mlir::ModuleOp module, bool fold = true);

/// Expands every node for which `wanted` holds and whose schema has a body,
/// again until there is none, and infers types. Nodes with subgraphs are kept.
mlir::LogicalResult
inlineFunctions(mlir::ModuleOp module,
                llvm::function_ref<bool(const ::onnx::OpSchema &)> wanted);
} // namespace gensyn::onnx
