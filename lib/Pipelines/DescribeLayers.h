// The table of layers of "info": nodes, shapes, parameters and operations.

#ifndef GENSYN_LIB_PIPELINES_DESCRIBELAYERS_H
#define GENSYN_LIB_PIPELINES_DESCRIBELAYERS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {

/// A node of a model whose shapes are known.
struct Layer {
  std::string node, operation;
  /// The type of its first result; null if that is not a tensor.
  mlir::Type result;
  /// The elements of the parameters that this node is the first to read, itself
  /// or through nodes that only move data.
  int64_t parameters = 0;
};

/// The nodes of a model in the order of the file, without those in nested
/// graphs.
std::vector<Layer> getLayers(mlir::ModuleOp module);

/// Floating-point operations (CostOpInterface) of each node's ops in a module
/// of repro ops, by the node's name; an empty name has those without a node.
llvm::StringMap<int64_t> countFlops(mlir::ModuleOp module);

} // namespace gensyn

#endif
