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
  /// Empty before orders are assigned; then `roundings` is not valid. Of a
  /// contraction that sums integers now, what stands for an order there
  /// (IR/ReplacedSum.h).
  std::string order;
  /// The largest number h of roundings of a point: see Numerics/ErrorBound.h.
  int64_t roundings = 0;
  /// The base of h u: "terms" (the sum of their absolute values) or
  /// "result".
  std::string relativeTo;
  /// What each point adds to that, relative to the product of the largest
  /// absolute values of the rows that are multiplied.
  double pointError = 0;
};

/// All ops in `root`, a module or a kernel, that need an order, and
/// contractions that needed one before a pass made them sums of integers, in
/// program order.
std::vector<OrderedReduction> getOrderedReductions(mlir::Operation *root);

/// Keys: function, operation, node, operator, type, elements, points, order,
/// roundings, relative_to; point_error, if it is not 0.
llvm::json::Object toJson(const OrderedReduction &reduction);

/// A line of text: "'fc' (Gemm): contract f32, 4096 points, blocked<...>:
/// within 1027 u of the terms' absolute sum".
std::string describe(const OrderedReduction &reduction);

} // namespace gensyn::repro

#endif
