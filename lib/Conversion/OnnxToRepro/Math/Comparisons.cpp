// Comparisons, and Where.

#include "../Support/OperatorTable.h"

#include <limits>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

namespace {
template <CompareKind kind> Value convertCompare(NodeBuilder &b) {
  return b.compare(kind, b.operand("A"), b.operand("B"));
}
} // namespace

static Value convertIsNaN(NodeBuilder &b) {
  Value x = b.operand("X");
  return b.compare(CompareKind::Ne, x, x);
}

static Value convertIsInf(NodeBuilder &b) {
  Value x = b.operand("X");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value positive = b.compare(CompareKind::Eq, x, infinity);
  Value negative = b.compare(CompareKind::Eq, x, -infinity);
  bool wantsPositive = b.integer("detect_positive");
  bool wantsNegative = b.integer("detect_negative");
  if (wantsPositive && wantsNegative)
    return b.binary<repro::OrOp>(positive, negative);
  if (wantsPositive || wantsNegative)
    return wantsPositive ? positive : negative;
  return b.fill(0, positive);
}

static Value convertWhere(NodeBuilder &b) {
  return b.select(b.raw("condition"), b.raw("X"), b.raw("Y"));
}

void onnx_to_repro::addComparisons(OperatorTable &table) {
  table.add("Equal", {7, 11, 13, 19}, convertCompare<CompareKind::Eq>);
  table.add("Greater", {7, 9, 13}, convertCompare<CompareKind::Gt>);
  table.add("Less", {7, 9, 13}, convertCompare<CompareKind::Lt>);
  table.add("GreaterOrEqual", {12, 16}, convertCompare<CompareKind::Ge>);
  table.add("LessOrEqual", {12, 16}, convertCompare<CompareKind::Le>);
  table.add("IsNaN", {9, 13, 20}, convertIsNaN);
  table.add("IsInf", {10, 20}, convertIsInf);
  table.add("Where", {9, 16}, convertWhere);
}
