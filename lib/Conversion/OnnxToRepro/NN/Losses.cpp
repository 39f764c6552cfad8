// Losses that are part of the graph. The class of a row is selected by compare
// and select. All but one term of the sum are zeros, so it is exact.

#include "../Support/OperatorTable.h"
#include "SoftmaxShift.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

/// -picked * weight, reduced; `logs` are log-probabilities with the classes in
/// dimension 1, `labels` lack it. Rows with `ignore_index` do not count.
static Value negativeLogLikelihood(NodeBuilder &b, Value logs, Value labels,
                                   Value weights) {
  Extents dims = range(0, rankOf(labels));
  Extents rows(shapeOf(labels));
  rows.insertAt(1, 1);
  Value index = b.reshape(labels, rows);
  Value classes = b.convert(b.iota(1, shapeOf(logs), b.builder.getI64Type()),
                            elementOf(labels));
  Value isLabel = b.compare(CompareKind::Eq, classes, index);
  auto pick = [&](Value values) {
    Value all = b.select(isLabel, values, b.fill(0, elementOf(values)));
    return b.reduce(repro::ReduceKind::Sum, all, {1}, /*keep=*/false);
  };
  Value loss = b.unary<repro::NegOp>(pick(logs)), zero = b.fill(0, loss);
  Value weight =
      weights ? pick(b.along(weights, 1, rankOf(logs))) : b.fill(1, loss);
  if (std::optional<int64_t> ignored = b.node.integer("ignore_index")) {
    Value counts = b.compare(CompareKind::Ne, labels, double(*ignored));
    loss = b.select(counts, loss, zero);
    weight = b.select(counts, weight, zero);
  }
  if (weights)
    loss = b.mul(loss, weight);
  StringRef reduction = b.string("reduction");
  if (reduction == "none")
    return loss;
  auto total = [&](Value values) {
    return b.reduce(repro::ReduceKind::Sum, values, dims, /*keep=*/false);
  };
  return reduction == "sum" ? total(loss) : b.div(total(loss), total(weight));
}

static Value convertNegativeLogLikelihood(NodeBuilder &b) {
  return negativeLogLikelihood(b, b.operand("input"), b.raw("target"),
                               b.operand("weight"));
}

static Values convertSoftmaxCrossEntropy(NodeBuilder &b) {
  Value logs = logSoftmax(b, b.operand("scores"), {1});
  return {negativeLogLikelihood(b, logs, b.raw("labels"), b.operand("weights")),
          logs};
}

void onnx_to_repro::addLosses(OperatorTable &table) {
  table.add("NegativeLogLikelihoodLoss", {12, 13, 22},
            convertNegativeLogLikelihood);
  table.addMany("SoftmaxCrossEntropyLoss", {12, 13},
                convertSoftmaxCrossEntropy);
}
