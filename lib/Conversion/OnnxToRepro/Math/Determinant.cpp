// Det: Gaussian elimination with the element of largest magnitude in each
// column as the pivot.

#include "../Support/Indexed.h"
#include "../Support/LoopBuilder.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

/// Step i of n on a [batch, n, n]. The row of the pivot (ties: the first) moves
/// to row i, and its multiples are subtracted from the rows below by fma. The
/// product of pivots changes its sign with each exchange; a column of zeros
/// makes it 0. Rows up to i are not read again.
static void eliminate(NodeBuilder &b, Value i, Value &a, Value &det) {
  const int64_t batch = shapeOf(a)[0], n = shapeOf(a)[1];
  auto it = [&](unsigned dim) { return b.iterator(dim); };
  auto part = [&](Value from, bool isRow, Value at, ArrayRef<int64_t> leads) {
    IndexMaps maps(b, 2);
    AffineExpr index = maps.add(at, leads);
    return maps.gather(from, {batch, n},
                       isRow ? Exprs{it(0), index, it(1)}
                             : Exprs{it(0), it(1), index},
                       repro::IndexBound::Zero);
  };
  auto element = [&](Value line) {
    IndexMaps maps(b, 1);
    AffineExpr index = maps.add(i, {});
    return maps.gather(line, {batch}, {it(0), index}, repro::IndexBound::Zero);
  };
  Value rows = b.iota(1, {batch, n}, b.builder.getI64Type());
  Value column = part(a, /*isRow=*/false, i, {});
  Value size = b.select(b.compare(CompareKind::Ge, rows, i),
                        b.unary<repro::AbsOp>(column), b.fill(-1, column));
  Value winner = b.convert(b.argWindows(repro::ArgKind::Max, false, size,
                                        {batch, n}, {1}, {it(0), it(1)}),
                           b.builder.getI64Type());
  Value pivotRow = part(a, /*isRow=*/true, winner, {0});
  Value own = part(a, /*isRow=*/true, i, {});
  Value pivot = element(pivotRow);
  Value isMoved = b.compare(CompareKind::Ne, winner, i);
  det = b.mul(det, b.select(isMoved, b.unary<repro::NegOp>(pivot), pivot));
  Value divisor =
      b.select(b.compare(CompareKind::Eq, pivot, 0), b.fill(1, pivot), pivot);
  Value isWinner =
      b.compare(CompareKind::Eq, rows, b.reshape(winner, {batch, 1}));
  column = b.select(isWinner, b.reshape(element(own), {batch, 1}), column);
  Value factor = b.div(column, b.reshape(divisor, {batch, 1}));
  factor = b.select(b.compare(CompareKind::Gt, rows, i),
                    b.unary<repro::NegOp>(factor), b.fill(0, factor));
  a = b.select(b.reshape(isWinner, {batch, n, 1}),
               b.reshape(own, {batch, 1, n}), a);
  Value spread = b.broadcastTo(b.reshape(factor, {batch, n, 1}), shapeOf(a));
  pivotRow = b.broadcastTo(b.reshape(pivotRow, {batch, 1, n}), shapeOf(a));
  a = repro::FmaOp::create(b.builder, b.location, a.getType(), spread, pivotRow,
                           a);
}

static Value convertDet(NodeBuilder &b) {
  Value x = b.first();
  const int64_t rank = rankOf(x);
  if (rank < 2 || shapeOf(x)[rank - 1] != shapeOf(x)[rank - 2])
    return b.refuse("the matrices are not square");
  const int64_t n = shapeOf(x)[rank - 1];
  ShapeView result = shapeOf(x).drop_back(2);
  const int64_t batch = product(result);
  if (n == 0 || batch == 0)
    return b.fill(1, elementOf(x), result);
  LoopBuilder loop(b, n);
  Value a = loop.carry(b.reshape(x, {batch, n, n}));
  Value det = loop.carry(b.fill(1, elementOf(x), {batch}));
  loop.open();
  eliminate(b, loop.index(), a, det);
  return b.reshape(loop.close({a, det})[1], result);
}

void onnx_to_repro::addDeterminant(OperatorTable &table) {
  table.add("Det", {11, 22}, convertDet);
}
