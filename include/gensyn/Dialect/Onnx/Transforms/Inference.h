// Shape inference, symbolic dimensions and expansion of functions, as
// functions.
#pragma once

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace gensyn::onnx {
/// Sizes of symbolic dimensions by name.
using Dimensions = std::map<std::string, int64_t>;

/// Parses "batch=32" into `dims`. False where it is not name=positive integer.
bool parseDimension(llvm::StringRef text, Dimensions &dims);

/// Names of the symbolic dimensions in a module, sorted.
std::vector<std::string> dimensionNames(mlir::ModuleOp module);

/// Gives symbolic dimensions their sizes in every type. A name that no type has
/// is an error at the module that lists the names there are.
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
