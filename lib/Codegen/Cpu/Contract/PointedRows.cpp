// See PointedRows.h.

#include "PointedRows.h"

#include "../Common/Rounding.h"

using namespace mlir;

namespace gensyn::cpu {

PointedRows::PointedRows(CpuBuilder &builder, const StoredTensor &tensor,
                         const GemmView &view, const GemmSizes &sizes,
                         int64_t rows, Value pointers, Value firstPoint)
    : code(builder), ofA(tensor), taps(*codegen::tapsOfRows(view)),
      rowsInTable(sizes.mr), numPoints(view.numPoints()), table(pointers),
      first(firstPoint) {
  for (int64_t r = 0; r < rows && taps == 1; ++r)
    only.push_back(pointerAt(code.constant(r)));
}

Value PointedRows::pointerAt(Value number) const {
  return code.loadPointer(code.at(table, number, code.i64));
}

// A visit may begin and end between taps. Those of an outer point in between
// are unrolled, some at a time.
PointedRows::Values PointedRows::sum(Value points, Values sums,
                                     Step step) const {
  constexpr int64_t mostUnrolled = 9;
  const int64_t unrolled = codegen::largestDivisor(taps, mostUnrolled);
  Value zero = code.constant(0);
  auto outerOf = [&](Value point) {
    return code.div(code.add(point, first), taps);
  };
  // The points [begin, end) of one outer point, from `tap` on.
  auto addSome = [&](Value begin, Value end, Value tap) {
    Value toTap = code.sub(tap, begin), outer = outerOf(begin);
    sums = code.loop(begin, end, 1, sums, [&](Value point, ValueRange carried) {
      Values next(carried);
      stepAt({point, code.add(point, toTap), outer}, step, next);
      return next;
    });
  };
  Value firstTap = code.rem(first, taps);
  Value before = code.minSigned(
      code.rem(code.sub(code.constant(taps), firstTap), taps), points);
  if (taps > 1)
    addSome(zero, before, firstTap);
  Value whole = code.sub(points, code.rem(code.sub(points, before), taps));
  sums = code.loop(
      before, whole, taps, sums, [&](Value begin, ValueRange carried) {
        Value outer = outerOf(begin);
        fetchNext(outer);
        auto addTaps = [&](Value tap, ValueRange values) {
          Values next(values);
          for (int64_t u = 0; u < unrolled; ++u) {
            Value at = code.add(tap, u);
            stepAt({code.add(begin, at), at, outer}, step, next);
          }
          return next;
        };
        return unrolled == taps ? addTaps(zero, carried)
                                : code.loop(zero, code.constant(taps), unrolled,
                                            carried, addTaps);
      });
  if (taps > 1)
    addSome(whole, points, zero);
  return sums;
}

void PointedRows::stepAt(const Point &point, Step step, Values &sums) const {
  auto elementOf = [&](int64_t row) {
    Value pointer =
        only.empty()
            ? pointerAt(code.add(code.mul(point.tap, rowsInTable), row))
            : only[size_t(row)];
    return ofA.loadScalar(ofA.at(pointer, point.outer));
  };
  step(point.number, elementOf, sums);
}

// Fetches rows of the next panel at their taps, a part of them at each outer
// point of a line: they are too far apart for the processor to foresee them.
void PointedRows::fetchNext(Value outer) const {
  const int64_t all = taps * rowsInTable;
  const int64_t perLine = kLineBytes / ofA.bytes();
  if (numPoints < taps * perLine)
    return;
  const int64_t some = ceilDiv(all, perLine);
  Value begin = code.mul(code.rem(outer, perLine), some);
  for (int64_t i = 0; i < some; ++i) {
    Value number = code.minSigned(code.add(begin, i), code.constant(all - 1));
    code.prefetch(ofA.at(pointerAt(code.add(number, all)), outer));
  }
}

} // namespace gensyn::cpu
