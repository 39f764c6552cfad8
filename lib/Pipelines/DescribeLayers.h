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
  /// The module of the source program that the node was exported from, as
  /// PyTorch names it: "layer1.0.conv1". Empty if the file does not say it.
  std::string scope;
  /// The type of its first result; null if that is not a tensor.
  mlir::Type result;
  /// The elements of the parameters that this node is the first to read, itself
  /// or through nodes that only move data.
  int64_t parameters = 0;
  /// The names of these parameters.
  std::vector<std::string> parameterNames;
  /// The earlier layers whose results it reads, as indices in ascending order.
  std::vector<size_t> reads;
};

/// The nodes of a model in the order of the file, without those in nested
/// graphs.
std::vector<Layer> getLayers(mlir::ModuleOp module);

/// Returns the module of the source program that an op's node was exported
/// from, as PyTorch's exporter names it; see Layer::scope.
std::string readScope(mlir::Operation *op);

/// Floating-point operations (CostOpInterface) of each node's ops in a module
/// of repro ops, by the node's name; an empty name has those without a node.
llvm::StringMap<int64_t> countFlops(mlir::ModuleOp module);

} // namespace gensyn

#endif
