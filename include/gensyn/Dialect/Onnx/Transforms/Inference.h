// Shape inference, symbolic dimensions and expansion of functions, as C++
// functions.
#ifndef GENSYN_DIALECT_ONNX_TRANSFORMS_INFERENCE_H
#define GENSYN_DIALECT_ONNX_TRANSFORMS_INFERENCE_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace gensyn::onnx {
/// Sizes of dimensions by name, or by "input[dim]".
using Dimensions = std::map<std::string, int64_t>;

/// Parses "batch=32" into `dims`. False if it is not name=positive integer.
bool parseDimension(llvm::StringRef text, Dimensions &dims);

/// Names of the symbolic dimensions in a module, sorted.
std::vector<std::string> dimensionNames(mlir::ModuleOp module);

/// The key of dimension `dim` of an input: its symbolic name, or "input[dim]"
/// if it has none.
std::string dimensionKey(mlir::RankedTensorType type, llvm::StringRef input,
                         unsigned dim);

/// The dimensionKey() for a symbolic name or for "input[dim]" from the user;
/// the latter dimension may have a name too. An error at the module, which
/// lists the valid keys, if it is neither.
mlir::FailureOr<std::string> resolveDimension(mlir::ModuleOp module,
                                              llvm::StringRef key);

/// Binds dimensions to sizes: symbolic ones by name in every type, and those of
/// inputs by "input[dim]". Types of results keep the names of bound dimensions,
/// for inferShapes. Errors at the module are an unknown key, two sizes for one
/// dimension, and a size that differs from a fixed one.
mlir::LogicalResult bindDimensions(mlir::ModuleOp module,
                                   const Dimensions &dims);

/// One forward walk over each function: infers types by the schemas and, with
/// `fold`, replaces nodes with constant operands by constants. Errors are
/// diagnostics at the node.
mlir::LogicalResult inferShapes(mlir::ModuleOp module, bool fold = true);

/// Expands every node for which `wanted` holds and whose schema has a body,
/// repeatedly until there is none, and infers types. Nodes with subgraphs are
/// kept.
mlir::LogicalResult
inlineFunctions(mlir::ModuleOp module,
                llvm::function_ref<bool(const ::onnx::OpSchema &)> wanted);
} // namespace gensyn::onnx

#endif
