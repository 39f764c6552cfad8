// Fetches parts of B ahead of their use; see Gemm.h. The processor foresees no
// panel: it reads a few lines each of many rows of B, and panels take less time
// if the lines come from memory during the products of others.

#include "../Common/Rounding.h"
#include "Gemm.h"

using namespace mlir;

namespace gensyn::cpu {

Value GemmEmitter::offsetOfLater(Value vectorNumber, int64_t panels) {
  return offsetInB(locate(code.add(vectorNumber, panels * sizes.nv)));
}

Value GemmEmitter::offsetOfNext(Value vectorNumber) {
  const Taps taps = findTaps();
  Values last;
  for (const GemmAxis &axis : taps.axes)
    last.push_back(code.constant(axis.extent - 1));
  return code.add(offsetOfLater(vectorNumber, 1),
                  offset(taps.axes, last, GemmTensor::B));
}

/// Returns offsets of taps so that every tap is less than a line of `line`
/// elements behind one of them.
static SmallVector<int64_t> linesOfTaps(ArrayRef<GemmAxis> axes, int64_t line) {
  SmallVector<int64_t> offsets = {0};
  for (const GemmAxis &axis : axes) {
    const SmallVector<int64_t> outer = offsets;
    for (int64_t i = 1; i < axis.extent; ++i)
      for (int64_t offset : outer)
        offsets.push_back(offset + i * axis.b);
  }
  llvm::sort(offsets);
  SmallVector<int64_t> kept;
  for (int64_t offset : offsets)
    if (kept.empty() || offset >= kept.back() + line)
      kept.push_back(offset);
  return kept;
}

/// Arguments: B, the table of the panel, the number of the entry in it, and the
/// first and the end of the points before the taps.
func::FuncOp GemmEmitter::fetchFunction() {
  std::string name = (function.getSymName() + "_fetch_columns" +
                      (number == 0 ? "" : Twine(number)))
                         .str();
  const SmallVector<Type> types = {code.ptr, code.ptr, code.i64, code.i64,
                                   code.i64};
  return code.separateFunction(function, name, types, [&](ValueRange given) {
    const Taps taps = findTaps();
    const int64_t line = kLineBytes / tensors.b.bytes();
    const int64_t gap =
        std::max<int64_t>(*singleStride(view.run, GemmTensor::B), 1);
    Values vectors;
    for (int64_t v = 0; v < sizes.nv; ++v)
      vectors.push_back(tensors.b.at(
          given[0],
          code.loadEntry(given[1], code.add(given[2], v * kTableEntries))));
    code.loop(given[3], given[4], 1, [&](Value point) {
      Value along = code.mul(point, taps.stride);
      for (Value vector : vectors)
        for (int64_t tap : linesOfTaps(taps.axes, line))
          for (int64_t i = 0; i < gap * sizes.lanes; i += line)
            code.prefetch(tensors.b.at(tensors.b.at(vector, along), tap + i));
    });
  });
}

void GemmEmitter::fetchColumns(const Tile &tile, const Visit &visit,
                               const GemmPointers &pointers, Value rowPanel,
                               Value column) {
  const int64_t taps = findTaps().number, points = view.numPoints();
  // The next visit continues the points, or begins with those of panels behind.
  Value next = code.add(visit.first, visit.count);
  Value isLast =
      code.compare(arith::CmpIPredicate::eq, next, code.constant(points));
  Value entry = code.select(isLast, code.constant(3), code.constant(2));
  Value first = code.select(isLast, code.constant(0), code.div(next, taps));
  Value end = code.minSigned(code.add(first, ceilDiv(sizes.kc, taps)),
                             code.constant(ceilDiv(points, taps)));
  Value parts = code.sub(tile.lastPanel, tile.firstPanel);
  Value length = code.b.createOrFold<arith::DivUIOp>(
      code.loc,
      code.add(code.sub(end, first), code.sub(parts, code.constant(1))), parts);
  first =
      code.add(first, code.mul(length, code.sub(rowPanel, tile.firstPanel)));
  end = code.minSigned(end, code.add(first, length));
  func::CallOp::create(code.b, code.loc, fetchFunction(),
                       Values{pointers.source,
                              tableOf(tile, column, pointers.scratch), entry,
                              first, end});
}

} // namespace gensyn::cpu
