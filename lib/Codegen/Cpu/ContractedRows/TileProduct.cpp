// See TileProduct.h.

#include "TileProduct.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

using Role = RowContraction::Role;

unsigned iteratorAt(repro::ContractOp op, unsigned tensor, size_t dim) {
  return cast<AffineDimExpr>(op.getMap(tensor).getResult(dim)).getPosition();
}

} // namespace

TileProduct viewInTile(const RowContraction &contraction, int64_t tileRows,
                       int64_t slotStride, const GemmMachine &machine,
                       const GemmSizes *like) {
  TileProduct product;
  product.contraction = contraction;
  repro::ContractOp op = contraction.op;
  const unsigned row = contraction.row, column = contraction.column;
  ArrayRef<int64_t> extents = op.getDomain().getExtents();
  const bool isSource = contraction.role == Role::Source;
  if (isSource)
    product.a = contraction.has(0, row) ? 0 : 1;
  else
    product.a = contraction.full;
  product.b = 1 - product.a;
  const unsigned a = product.a, b = product.b;

  GemmView &view = product.view;
  llvm::SmallDenseSet<unsigned> used = {row, column};
  ArrayRef<int64_t> full = repro::shapeOf(contraction.getFull());
  for (size_t dim = 0; dim + 2 < full.size(); ++dim) {
    const unsigned iterator = iteratorAt(op, contraction.full, dim);
    used.insert(iterator);
    product.groupExtents.push_back(full[dim]);
    product.groupStrides.push_back(
        {isSource ? contraction.getStride(a, iterator) : 0,
         contraction.getStride(b, iterator),
         isSource ? 0 : contraction.getStride(2, iterator)});
  }
  auto add = [](codegen::GemmAxes &axes, int64_t extent, int64_t inA,
                int64_t inB, int64_t inC) {
    if (extent == 1)
      return;
    GemmAxis axis;
    axis.extent = extent;
    axis.a = inA;
    axis.b = inB;
    axis.c = inC;
    axes.push_back(axis);
  };
  switch (contraction.role) {
  case Role::Source:
    product.rowStride = contraction.getStride(a, row);
    add(view.rows, tileRows, product.rowStride, 0, slotStride);
    add(view.run, extents[column], 0, contraction.getStride(b, column), 1);
    for (int64_t point : op.getDomain().getReduced())
      add(view.points, extents[point],
          contraction.getStride(a, unsigned(point)),
          contraction.getStride(b, unsigned(point)), 0);
    break;
  case Role::AlongRows:
    product.rowStride = contraction.getStride(2, row);
    add(view.rows, tileRows, slotStride, 0, product.rowStride);
    add(view.points, extents[column], 1, contraction.getStride(b, column), 0);
    break;
  case Role::AcrossRows:
    add(view.rows, extents[column], 1, 0, contraction.getStride(2, column));
    add(view.points, extents[row], slotStride, contraction.getStride(b, row),
        0);
    break;
  }
  if (!isSource) {
    for (unsigned iterator = 0; iterator < extents.size(); ++iterator)
      if (!used.contains(iterator) && !op.getDomain().isReduced(iterator))
        add(view.columns, extents[iterator], 0,
            contraction.getStride(b, iterator),
            contraction.getStride(2, iterator));
    llvm::stable_sort(view.columns, [](const GemmAxis &x, const GemmAxis &y) {
      return x.c > y.c;
    });
    if (!view.columns.empty())
      view.run.push_back(view.columns.pop_back_val());
  }
  const Order order = op.getOrder()->getOrder();
  view.blockSize = std::max<int64_t>(view.numPoints(), 1);
  if (!order.isSequential())
    view.blockSize = std::min(view.blockSize, order.blockSize());

  // Chains go from tile to tile, and blocks end with tiles: no visit has
  // several blocks, which a micro-kernel would join.
  if (contraction.role == Role::AcrossRows && joinsBlocks(view))
    for (int64_t start = 0; start < view.numPoints(); start += view.blockSize)
      view.blockStarts.push_back(start);

  GemmSizes &sizes = product.sizes;
  sizes = like ? *like : chooseGemmSizes(view, machine);
  sizes.packA = false;
  sizes.packB = sizes.packOnce = true;
  sizes.group = 1;
  sizes.prefetch = 0;
  sizes.rows = view.numRows();
  if (contraction.role == Role::AcrossRows)
    sizes.kc = view.blockSize; // partial sums are no part of its scratch
  sizes = fitted(sizes, view);
  return product;
}

} // namespace gensyn::cpu
