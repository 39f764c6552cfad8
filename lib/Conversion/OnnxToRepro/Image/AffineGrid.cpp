// AffineGrid: a matrix times the coordinates of every point. Its function body
// is not used, since the shapes in it do not fold.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// Coordinates in [-1, 1] along an extent: with `alignsCorners` both ends are
/// included, otherwise they are the centres of as many intervals. Numerators
/// are integers, so each coordinate is rounded once.
static SmallVector<float> coordinates(int64_t extent, bool alignsCorners) {
  SmallVector<float> result;
  for (int64_t i = 0; i < extent; ++i) {
    const int64_t parts = alignsCorners ? extent - 1 : extent;
    const int64_t numerator = alignsCorners ? 2 * i - parts : 2 * i + 1 - parts;
    result.push_back(parts == 0 ? 0.0f : float(numerator) / float(parts));
  }
  return result;
}

/// theta [N, d, d + 1] and size (N, C, extents...) to [N, extents..., d]; the
/// innermost extent is the first coordinate. Each number is one sum, over the
/// coordinates and 1.
static Value convertAffineGrid(NodeBuilder &b) {
  Value theta = b.operand("theta");
  std::optional<Extents> size = b.constantIntegers(b.raw("size"));
  if (!size)
    return b.refuse("size must be known when compiling");
  const auto dims = int64_t(size->size()) - 2;
  if ((dims != 2 && dims != 3) || shapeOf(theta)[0] != size->front() ||
      shapeOf(theta)[1] != dims || shapeOf(theta)[2] != dims + 1)
    return b.refuse("theta and size do not belong together");
  ArrayRef<int64_t> extents = ArrayRef<int64_t>(*size).drop_front(2);
  if (llvm::any_of(extents, [](int64_t extent) {
        return extent < 0 || extent > int64_t(1) << 20;
      }))
    return b.refuse("size is out of range");
  // The points: [extents..., d + 1].
  Extents shape(extents), whole(extents);
  shape.push_back(1);
  whole.push_back(dims + 1);
  Values parts;
  for (int64_t i = dims - 1; i >= 0; --i) {
    SmallVector<float> values =
        coordinates(extents[i], b.integer("align_corners") != 0);
    auto type = RankedTensorType::get({extents[i]}, b.builder.getF32Type());
    Value line =
        b.elements(DenseElementsAttr::get(type, ArrayRef<float>(values)));
    line = b.convert(line, elementOf(theta));
    parts.push_back(b.broadcastTo(b.along(line, i, dims + 1), shape));
  }
  parts.push_back(b.fill(1, elementOf(theta), shape));
  Value points = b.concat(parts, dims);
  // Iterators: n, extents..., row | column.
  Extents domain = {size->front()};
  SmallVector<AffineExpr> pointMap;
  for (int64_t extent : extents) {
    pointMap.push_back(b.iterator(domain.size()));
    domain.push_back(extent);
  }
  const auto row = static_cast<unsigned>(domain.size());
  domain.append({dims, dims + 1});
  pointMap.push_back(b.iterator(row + 1));
  Value grid = b.contract(
      points, theta, domain, {int64_t(row) + 1},
      {pointMap, {b.iterator(0), b.iterator(row), b.iterator(row + 1)}});
  return b.convert(grid, b.resultType().getElementType());
}

void onnx_to_repro::addAffineGrid(OperatorTable &table) {
  table.add("AffineGrid", {20}, convertAffineGrid);
}
