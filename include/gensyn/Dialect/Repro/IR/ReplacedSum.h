// A float contraction that a pass wrote as other ops, for reports.

#ifndef GENSYN_DIALECT_REPRO_IR_REPLACEDSUM_H
#define GENSYN_DIALECT_REPRO_IR_REPLACEDSUM_H

#include "mlir/IR/Location.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gensyn::repro {

/// What is known of a float contraction whose sums are integers now. It is kept
/// in the location of the op with the contraction's result, so it changes
/// neither the program nor its digest.
struct ReplacedSum {
  /// In place of an order: "integers", "slices<4>".
  std::string form;
  /// Points that an element combines.
  int64_t points = 0;
  /// The error of an element is at most `roundings` u of the result and, for
  /// each point, `pointError` times the product of the largest absolute values
  /// of the rows that the element combines. It is 0 where sums of integers are
  /// all there is.
  int64_t roundings = 0;
  double pointError = 0;
};

/// `location` with these facts.
mlir::Location withReplacedSum(mlir::Location location, const ReplacedSum &sum);

/// The facts in a location; nothing where it has none.
std::optional<ReplacedSum> readReplacedSum(mlir::Location location);

} // namespace gensyn::repro

#endif
