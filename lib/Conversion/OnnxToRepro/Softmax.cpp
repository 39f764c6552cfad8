// Softmax and its logarithm, shifted by the greatest element.

#include "OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {
/// x minus the greatest element, and the sum of its exponentials over the
/// dimensions that count.
struct Shifted {
  Value difference, exponential, total;
};
} // namespace

/// Before version 13 the operand is seen as a matrix: all dimensions from
/// `axis` on count. Later only that one does. The shift cancels, so no gradient
/// flows through it.
static Shifted shift(NodeBuilder &b) {
  Value x = b.operand("input");
  int64_t first = b.axis("axis", rankOf(x));
  Extents dims = range(first, b.since() < 13 ? rankOf(x) : first + 1);
  Value top =
      b.stopGradient(b.reduce(repro::ReduceKind::Max, x, dims, /*keep=*/false));
  top = b.withOnes(top, shapeOf(x), dims);
  Value difference = b.sub(x, top);
  Value exponential = b.unary<repro::ExpOp>(difference);
  return {difference, exponential, b.sum(exponential, dims)};
}

static Value convertSoftmax(NodeBuilder &b) {
  Shifted x = shift(b);
  return b.div(x.exponential, x.total);
}

static Value convertLogSoftmax(NodeBuilder &b) {
  Shifted x = shift(b);
  return b.sub(x.difference, b.unary<repro::LogOp>(x.total));
}

void onnx_to_repro::addSoftmax(OperatorTable &table) {
  table.add("Softmax", {1, 11, 13}, convertSoftmax);
  table.add("LogSoftmax", {1, 11, 13}, convertLogSoftmax);
}
