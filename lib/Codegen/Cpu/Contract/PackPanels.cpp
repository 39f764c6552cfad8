// Copies B into panels that hold all points, once for many products; see
// Gemm.h.

#include "Gemm.h"
#include "NarrowPanels.h"

using namespace mlir;

namespace gensyn::cpu {

void GemmEmitter::emitPackColumns(const GemmPointers &pointers) {
  emitPackColumns(code.constant(0), code.constant(layout.columnPanels),
                  pointers);
}

void GemmEmitter::emitPackColumns(Value begin, Value end,
                                  const GemmPointers &pointers) {
  const int64_t points = view.numPoints();
  const int64_t segment = std::min(pointsPerSegment(view, sizes), points);
  code.loop(begin, end, 1, [&](Value column) {
    Value panel = panelsOfB.at(pointers.columnPanels,
                               code.mul(column, layout.panelStride));
    // In order: squares write beyond the last point of their segment.
    code.loop(
        code.constant(0), code.constant(points), segment, [&](Value first) {
          Value count = code.minSigned(code.sub(code.constant(points), first),
                                       code.constant(segment));
          packSegment(column, {first, count, Value()}, pointers, panel);
        });
  });
}

void GemmEmitter::packSegment(Value column, const Visit &visit,
                              const GemmPointers &pointers, Value panel) {
  auto placeOf = [&](Value point) {
    return panelsOfB.at(panel, code.mul(point, sizes.pointStep()));
  };
  if (layout.scratchOfPanels == 0)
    return packColumns(Tile(), column, visit, pointers, placeOf(visit.first));
  const NarrowPanels panels(code, sizes, panelsOfB);
  Value end = code.add(visit.first, visit.count);
  code.loop(visit.first, end, kPointsPerFold, [&](Value first) {
    Value count =
        code.minSigned(code.sub(end, first), code.constant(kPointsPerFold));
    packColumns(Tile(), column, {first, count, Value()}, pointers,
                pointers.scratch);
    panels.fold(pointers.scratch, placeOf(first), count);
  });
}

} // namespace gensyn::cpu
