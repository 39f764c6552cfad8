// See Indexed.h.

#include "Indexed.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

AffineExpr IndexMaps::add(Value indices, ArrayRef<int64_t> iterators) {
  Exprs lead;
  for (int64_t iterator : iterators)
    lead.push_back(b.iterator(static_cast<unsigned>(iterator)));
  operands.push_back(indices);
  leads.push_back(lead);
  return getAffineSymbolExpr(static_cast<unsigned>(operands.size() - 1),
                             b.builder.getContext());
}

ArrayAttr IndexMaps::maps(ArrayRef<AffineExpr> place) {
  MLIRContext *context = b.builder.getContext();
  const auto dims = static_cast<unsigned>(rank);
  SmallVector<AffineMap> all = {AffineMap::get(
      dims, static_cast<unsigned>(operands.size()), place, context)};
  for (ArrayRef<AffineExpr> lead : leads)
    all.push_back(AffineMap::get(dims, 0, lead, context));
  return b.builder.getAffineMapArrayAttr(all);
}

Value IndexMaps::gather(Value data, ArrayRef<int64_t> shape,
                        ArrayRef<AffineExpr> place, repro::IndexBound bounds) {
  return repro::GatherOp::create(b.builder, b.location,
                                 RankedTensorType::get(shape, elementOf(data)),
                                 data, operands, maps(place), bounds);
}

Value IndexMaps::scatter(repro::ScatterKind kind, Value base, Value updates,
                         ArrayRef<AffineExpr> place, repro::IndexBound bounds) {
  return repro::ScatterOp::create(b.builder, b.location, base.getType(), kind,
                                  base, updates, operands, maps(place), bounds);
}

Value onnx_to_repro::gatherAlong(NodeBuilder &b, Value data, Value indices,
                                 int64_t dim, repro::IndexBound bounds) {
  const int64_t indexRank = rankOf(indices);
  Extents shape(shapeOf(data).take_front(dim));
  llvm::append_range(shape, shapeOf(indices));
  llvm::append_range(shape, shapeOf(data).drop_front(dim + 1));
  IndexMaps maps(b, static_cast<int64_t>(shape.size()));
  AffineExpr index = maps.add(indices, range(dim, dim + indexRank));
  Exprs place;
  for (int64_t d = 0; d < rankOf(data); ++d)
    place.push_back(d == dim ? index
                             : b.iterator(static_cast<unsigned>(
                                   d < dim ? d : d - 1 + indexRank)));
  return maps.gather(data, shape, place, bounds);
}

Value onnx_to_repro::fromEnd(NodeBuilder &b, Value indices, int64_t extent) {
  Value isNegative = b.compare(repro::CompareKind::Lt, indices, 0);
  Value moved = b.add(indices, b.fill(double(extent), indices));
  return b.select(isNegative, moved, indices);
}

Value onnx_to_repro::constantIndices(NodeBuilder &b,
                                     ArrayRef<int64_t> indices) {
  auto type = RankedTensorType::get({static_cast<int64_t>(indices.size())},
                                    b.builder.getI64Type());
  return b.elements(DenseElementsAttr::get(type, indices));
}
