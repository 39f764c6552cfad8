// Operators that move or repeat elements, with the inferred shape.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// Reshape, Flatten, Squeeze, Unsqueeze: all of them keep the row-major order.
static Value convertReshape(NodeBuilder &b) {
  return b.reshape(b.firstRaw(), b.resultShape());
}

static Value convertTranspose(NodeBuilder &b) {
  Value x = b.firstRaw();
  Extents order = b.integers("perm");
  if (order.empty())
    for (int64_t dim = rankOf(x); dim-- > 0;)
      order.push_back(dim);
  Extents sorted(order);
  llvm::sort(sorted);
  if (sorted != range(0, rankOf(x)))
    return b.refuse("perm is not a permutation of the dimensions");
  return b.transpose(x, order);
}

static Value convertExpand(NodeBuilder &b) {
  return b.broadcastTo(b.firstRaw(), b.resultShape());
}

/// Each dimension gets a repeated one before it, and the pair is joined.
static Value convertTile(NodeBuilder &b) {
  Value x = b.firstRaw();
  Extents wide, dims;
  for (auto [extent, tiled] : llvm::zip(shapeOf(x), b.resultShape())) {
    wide.push_back(extent == 0 ? 0 : tiled / extent);
    dims.push_back(wide.size());
    wide.push_back(extent);
  }
  auto type = RankedTensorType::get(wide, elementOf(x));
  Value repeated = repro::createBroadcast(b.builder, b.location, x, type, dims);
  return b.reshape(repeated, b.resultShape());
}

/// The mode is an attribute since version 11 (SpaceToDepth: 28).
static bool isColumnRowDepth(NodeBuilder &b) {
  return b.node.hasFormalAttribute("mode") && b.string("mode") == "CRD";
}

static Value convertDepthToSpace(NodeBuilder &b) {
  Value x = b.firstRaw();
  ShapeView s = shapeOf(x);
  int64_t block = b.integer("blocksize");
  if (block < 1 || s[1] % (block * block))
    return b.refuse("blocksize does not fit the shape");
  int64_t depth = s[1] / (block * block);
  Value parts =
      isColumnRowDepth(b)
          ? b.transpose(b.reshape(x, {s[0], depth, block, block, s[2], s[3]}),
                        {0, 1, 4, 2, 5, 3})
          : b.transpose(b.reshape(x, {s[0], block, block, depth, s[2], s[3]}),
                        {0, 3, 4, 1, 5, 2});
  return b.reshape(parts, b.resultShape());
}

static Value convertSpaceToDepth(NodeBuilder &b) {
  Value x = b.firstRaw();
  ShapeView s = shapeOf(x);
  int64_t block = b.integer("blocksize");
  if (block < 1 || s[2] % block || s[3] % block)
    return b.refuse("blocksize does not fit the shape");
  Value parts =
      b.reshape(x, {s[0], s[1], s[2] / block, block, s[3] / block, block});
  Value ordered = isColumnRowDepth(b) ? b.transpose(parts, {0, 1, 3, 5, 2, 4})
                                      : b.transpose(parts, {0, 3, 5, 1, 2, 4});
  return b.reshape(ordered, b.resultShape());
}

void onnx_to_repro::addMovement(OperatorTable &table) {
  table.add("Reshape", {5, 13, 14, 19, 21, 23, 24, 25}, convertReshape);
  table.add("Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, convertReshape);
  table.add("Squeeze", {1, 11, 13, 21, 23, 24, 25}, convertReshape);
  table.add("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, convertReshape);
  table.add("Transpose", {1, 13, 21, 23, 24, 25}, convertTranspose);
  table.add("Expand", {8, 13}, convertExpand);
  table.add("Tile", {6, 13}, convertTile);
  table.add("DepthToSpace", {1, 11, 13, 28}, convertDepthToSpace);
  table.add("SpaceToDepth", {1, 13, 28}, convertSpaceToDepth);
}
