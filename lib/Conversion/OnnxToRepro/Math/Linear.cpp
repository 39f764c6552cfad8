// Matrix products.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// alpha A B + beta C; a factor of 1 needs no multiplication.
static Value convertGemm(NodeBuilder &b) {
  Value product =
      b.matrixProduct(b.operand("A"), b.operand("B"), b.integer("transA") != 0,
                      b.integer("transB") != 0);
  double alpha = b.real("alpha"), beta = b.real("beta");
  if (alpha != 1)
    product = b.mul(b.fill(alpha, product), product);
  Value c = b.operand("C");
  if (!c)
    return product;
  if (beta != 1)
    c = b.mul(b.fill(beta, c), c);
  return b.add(product, b.broadcastTo(c, shapeOf(product)));
}

namespace {
/// Collects the maps of a batched product: iterators batch..., m, n | k.
struct BatchedProduct {
  NodeBuilder &b;
  Extents extents;
  SmallVector<SmallVector<AffineExpr>> maps;

  explicit BatchedProduct(NodeBuilder &b) : b(b), maps(2) {}

  /// Adds an operand's batch dimensions to its map. Stretched dimensions are
  /// dropped from the operand; missing ones do not occur in its map.
  Value addBatch(Value operand, unsigned which, int64_t matrixRank) {
    int64_t batch = extents.size(), own = rankOf(operand) - matrixRank;
    if (own > batch)
      throw ShapeError("a factor of the product has more dimensions than the "
                       "result");
    Extents kept;
    for (int64_t i = 0; i < own; ++i) {
      int64_t extent = shapeOf(operand)[i], dim = batch - own + i;
      if (extent == 1 && extents[dim] != 1)
        continue;
      kept.push_back(extent);
      maps[which].push_back(b.iterator(dim));
    }
    llvm::append_range(kept, shapeOf(operand).drop_front(own));
    return b.reshape(operand, kept);
  }
};
} // namespace

/// One contraction for any ranks: vectors have no m or n, and batch dimensions
/// that an operand lacks are not in its map.
static Value multiplyBatched(NodeBuilder &b, Value x, Value y) {
  int64_t xRank = std::min<int64_t>(2, rankOf(x));
  int64_t yRank = std::min<int64_t>(2, rankOf(y));
  ShapeView result = b.resultShape();
  int64_t batch = int64_t(result.size()) - (xRank - 1) - (yRank - 1);
  if (batch < 0)
    throw ShapeError("the result of the product has too few dimensions");
  int64_t m = batch, n = batch + (xRank - 1), k = n + (yRank - 1);
  BatchedProduct all(b);
  all.extents = Extents(result.take_front(batch));
  Value left = all.addBatch(x, 0, xRank), right = all.addBatch(y, 1, yRank);
  llvm::append_range(all.extents, result.drop_front(batch));
  all.extents.push_back(shapeOf(x).back());
  if (xRank == 2)
    all.maps[0].push_back(b.iterator(m));
  all.maps[0].push_back(b.iterator(k));
  all.maps[1].push_back(b.iterator(k));
  if (yRank == 2)
    all.maps[1].push_back(b.iterator(n));
  return b.contract(left, right, all.extents, {k}, all.maps);
}

Value NodeBuilder::matrixProduct(Value x, Value y, bool transposeX,
                                 bool transposeY) {
  if (rankOf(x) != 2 || rankOf(y) != 2)
    throw ShapeError("an operand of the matrix product is not a matrix");
  return repro::createMatmul(builder, location, x, y, transposeX, transposeY);
}

/// With a matrix on the right, the batch dimensions become rows of the left
/// operand: the same sums in the same order, in a shape that matrix kernels
/// support.
Value NodeBuilder::matmul(Value x, Value y) {
  if (rankOf(y) != 2 || rankOf(x) < 2)
    return multiplyBatched(*this, x, y);
  int64_t depth = shapeOf(x).back();
  int64_t rows = product(shapeOf(x).drop_back());
  Value flat = matrixProduct(reshape(x, {rows, depth}), y, false, false);
  return reshape(flat, resultShape());
}

static Value convertMatMul(NodeBuilder &b) {
  return b.matmul(b.operand("A"), b.operand("B"));
}

void onnx_to_repro::addLinear(OperatorTable &table) {
  table.add("Gemm", {7, 9, 11, 13}, convertGemm);
  table.add("MatMul", {1, 9, 13}, convertMatMul);
}
