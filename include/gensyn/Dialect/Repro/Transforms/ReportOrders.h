// Reports the order of each float reduction of a program and its error bound.

#ifndef GENSYN_DIALECT_REPRO_TRANSFORMS_REPORTORDERS_H
#define GENSYN_DIALECT_REPRO_TRANSFORMS_REPORTORDERS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::repro {

struct OrderedReduction {
  std::string function;
  /// "contract", "reduce sum", "scan product".
  std::string operation;
  /// Name and operator of the node it comes from; empty where it has none.
  std::string node, nodeOperator;
  /// "f32" or "f64", which determines u.
  std::string type;
  /// Elements of the result, and points that one of them combines.
  int64_t elements = 0, points = 0;
  /// Empty before orders are assigned; then `roundings` is not valid.
  std::string order;
  /// The largest number h of roundings of a point: see Numerics/ErrorBound.h.
  int64_t roundings = 0;
  /// The base of h u: "terms" (the sum of their absolute values) or
  /// "result".
  std::string relativeTo;
};

/// All ops in `root`, a module or a kernel, that need an order, in program
/// order.
std::vector<OrderedReduction> getOrderedReductions(mlir::Operation *root);

/// Keys: function, operation, node, operator, type, elements, points, order,
/// roundings, relative_to.
llvm::json::Object toJson(const OrderedReduction &reduction);

/// A line of text: "'fc' (Gemm): contract f32, 4096 points, blocked<...>:
/// within 1027 u of the terms' absolute sum".
std::string describe(const OrderedReduction &reduction);

} // namespace gensyn::repro

#endif
