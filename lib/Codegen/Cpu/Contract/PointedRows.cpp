// See PointedRows.h.

#include "PointedRows.h"

#include "../Common/Rounding.h"

using namespace mlir;

namespace gensyn::cpu {

PointedRows::PointedRows(CpuBuilder &builder, const StoredTensor &tensor,
                         const GemmView &view, const GemmSizes &sizes,
                         int64_t rows, const Tables &pointers, Value firstPoint)
    : code(builder), ofA(tensor), taps(codegen::tapsOfRows(view)->number),
      stride(codegen::tapsOfRows(view)->stride), rowsInTable(sizes.mr),
      numPoints(view.numPoints()), tables(pointers), first(firstPoint) {
  for (int64_t r = 0; r < rows && pointersPerRow(view) == 1; ++r)
    only.push_back(pointerAt(code.constant(r)));
  for (int64_t tap = 0; tap < taps && hasTapOffsets(view); ++tap) {
    int64_t rest = tap, along = 0;
    for (const GemmAxis &axis : llvm::reverse(view.points)) {
      along += rest % axis.extent * axis.a;
      rest /= axis.extent;
    }
    offsets.push_back(along);
  }
}

Value PointedRows::pointerAt(Value number) const {
  return code.loadPointer(code.at(tables.rows, number, code.i64));
}

Value PointedRows::offsetAt(Value tap) const {
  return code.loadEntry(tables.taps, tap);
}

bool PointedRows::hasEqualGroups(int64_t size) const {
  for (int64_t tap = 0; tap < taps; ++tap)
    if (offsets[size_t(tap)] - offsets[size_t(tap - tap % size)] !=
        offsets[size_t(tap % size)])
      return false;
  return true;
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
    Value toTap = code.sub(tap, begin);
    Value along = code.mul(outerOf(begin), stride);
    sums = code.loop(begin, end, 1, sums, [&](Value point, ValueRange carried) {
      Values next(carried);
      stepSome({point, code.add(point, toTap), along}, 1, step, next);
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
        Value along = code.mul(outer, stride);
        auto addTaps = [&](Value tap, ValueRange values) {
          Values next(values);
          stepSome({code.add(begin, tap), tap, along}, unrolled, step, next);
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

void PointedRows::stepSome(const Point &firstOf, int64_t count, Step step,
                           Values &sums) const {
  const bool isGroup = !offsets.empty() && hasEqualGroups(count);
  Value along = firstOf.along;
  if (isGroup && count < taps)
    along = code.add(along, offsetAt(firstOf.tap));
  for (int64_t i = 0; i < count; ++i) {
    Value tap = code.add(firstOf.tap, i);
    Value at = along;
    if (isGroup)
      at = code.add(at, offsets[size_t(i)]);
    else if (!offsets.empty())
      at = code.add(at, offsetAt(tap));
    auto elementOf = [&](int64_t row) {
      Value pointer = only.empty()
                          ? pointerAt(code.add(code.mul(tap, rowsInTable), row))
                          : only[size_t(row)];
      return ofA.loadScalar(ofA.at(pointer, at));
    };
    step(code.add(firstOf.number, i), elementOf, sums);
  }
}

// Fetches rows of the next panel at their taps, a part of them at each outer
// point of a line: they are too far apart for the processor to foresee them.
void PointedRows::fetchNext(Value outer) const {
  const int64_t all = taps * rowsInTable;
  const int64_t perLine = kLineBytes / ofA.bytes();
  if (numPoints < taps * perLine || stride != 1)
    return;
  const int64_t some = ceilDiv(all, perLine);
  Value begin = code.mul(code.rem(outer, perLine), some);
  for (int64_t i = 0; i < some; ++i) {
    Value number = code.minSigned(code.add(begin, i), code.constant(all - 1));
    Value pointer, along = outer;
    if (offsets.empty()) {
      pointer = pointerAt(code.add(number, all));
    } else {
      pointer = pointerAt(code.add(code.rem(number, rowsInTable), rowsInTable));
      along = code.add(along, offsetAt(code.div(number, rowsInTable)));
    }
    code.prefetch(ofA.at(pointer, along));
  }
}

} // namespace gensyn::cpu
