// Softmax and its logarithm, shifted by the maximum.

#include "../Support/OperatorTable.h"
#include "SoftmaxShift.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

Shifted onnx_to_repro::shiftByGreatest(NodeBuilder &b, Value x,
                                       ArrayRef<int64_t> dims) {
  Value top =
      b.stopGradient(b.reduce(repro::ReduceKind::Max, x, dims, /*keep=*/false));
  Value difference = b.sub(x, b.withOnes(top, shapeOf(x), dims));
  Value exponential = b.unary<repro::ExpOp>(difference);
  return {difference, exponential, b.sum(exponential, dims)};
}

Value onnx_to_repro::logSoftmax(NodeBuilder &b, Value x,
                                ArrayRef<int64_t> dims) {
  Shifted shifted = shiftByGreatest(b, x, dims);
  return b.sub(shifted.difference, b.unary<repro::LogOp>(shifted.total));
}

/// Before version 13 the operand is treated as a matrix: all dimensions from
/// `axis` on are reduced. From then on only `axis` is.
static Extents countedDims(NodeBuilder &b, Value x) {
  int64_t first = b.axis("axis", rankOf(x));
  return range(first, b.since() < 13 ? rankOf(x) : first + 1);
}

static Value convertSoftmax(NodeBuilder &b) {
  Value x = b.operand("input");
  Shifted shifted = shiftByGreatest(b, x, countedDims(b, x));
  return b.div(shifted.exponential, shifted.total);
}

static Value convertLogSoftmax(NodeBuilder &b) {
  Value x = b.operand("input");
  return logSoftmax(b, x, countedDims(b, x));
}

void onnx_to_repro::addSoftmax(OperatorTable &table) {
  table.add("Softmax", {1, 11, 13}, convertSoftmax);
  table.add("LogSoftmax", {1, 11, 13}, convertLogSoftmax);
}
