// Reductions and contractions over a domain, without an order.

#include "NodeBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

Value NodeBuilder::reduce(repro::ReduceKind kind, Value value,
                          ArrayRef<int64_t> dims, bool keep) {
  Value reduced = repro::createReduceDims(builder, location, kind, value, dims);
  return keep ? withOnes(reduced, shapeOf(value), dims) : reduced;
}

Value NodeBuilder::withOnes(Value reduced, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> dims) {
  Extents kept(shape);
  for (int64_t dim : dims)
    kept[dim] = 1;
  return reshape(reduced, kept);
}

Value NodeBuilder::mean(Value value, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= shapeOf(value)[dim];
  Value total = sum(value, dims);
  return div(total, fill(double(count), total));
}

/// The extents of the iterators that are not reduced, and those iterators.
static Extents parallelExtents(ArrayRef<int64_t> extents,
                               ArrayRef<int64_t> reduced,
                               SmallVectorImpl<AffineExpr> &map,
                               MLIRContext *context) {
  Extents shape;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    if (llvm::is_contained(reduced, int64_t(i)))
      continue;
    shape.push_back(extent);
    map.push_back(getAffineDimExpr(i, context));
  }
  return shape;
}

static ArrayAttr mapsOf(OpBuilder &builder, unsigned iterators,
                        ArrayRef<SmallVector<AffineExpr>> maps) {
  SmallVector<AffineMap> all;
  for (const SmallVector<AffineExpr> &map : maps)
    all.push_back(AffineMap::get(iterators, 0, map, builder.getContext()));
  return builder.getAffineMapArrayAttr(all);
}

Value NodeBuilder::contract(Value a, Value b, ArrayRef<int64_t> extents,
                            ArrayRef<int64_t> reduced,
                            ArrayRef<SmallVector<AffineExpr>> maps,
                            repro::Bound boundA) {
  SmallVector<AffineExpr> resultMap;
  Extents shape =
      parallelExtents(extents, reduced, resultMap, builder.getContext());
  return contractTo(shape, a, b, extents, reduced,
                    {maps[0], maps[1], resultMap}, boundA, repro::Bound::In);
}

Value NodeBuilder::contractTo(ArrayRef<int64_t> shape, Value a, Value b,
                              ArrayRef<int64_t> extents,
                              ArrayRef<int64_t> reduced,
                              ArrayRef<SmallVector<AffineExpr>> maps,
                              repro::Bound boundA, repro::Bound boundB) {
  auto bounds =
      builder.getDenseI32ArrayAttr({int32_t(boundA), int32_t(boundB)});
  return repro::ContractOp::create(
      builder, location, RankedTensorType::get(shape, elementOf(a)), a, b,
      repro::DomainAttr::get(builder.getContext(), extents, reduced),
      mapsOf(builder, extents.size(), maps), bounds, repro::OrderAttr());
}

Value NodeBuilder::reduceWindows(repro::ReduceKind kind, Value value,
                                 ArrayRef<int64_t> extents,
                                 ArrayRef<int64_t> reduced,
                                 ArrayRef<AffineExpr> operandMap) {
  SmallVector<AffineExpr> resultMap;
  Extents shape =
      parallelExtents(extents, reduced, resultMap, builder.getContext());
  return reduceTo(shape, kind, value, extents, reduced,
                  {SmallVector<AffineExpr>(operandMap), resultMap});
}

Value NodeBuilder::reduceTo(ArrayRef<int64_t> shape, repro::ReduceKind kind,
                            Value value, ArrayRef<int64_t> extents,
                            ArrayRef<int64_t> reduced,
                            ArrayRef<SmallVector<AffineExpr>> maps) {
  return repro::ReduceOp::create(
      builder, location, RankedTensorType::get(shape, elementOf(value)), kind,
      value, repro::DomainAttr::get(builder.getContext(), extents, reduced),
      mapsOf(builder, extents.size(), maps), repro::OrderAttr());
}

Value NodeBuilder::argWindows(repro::ArgKind kind, bool last, Value value,
                              ArrayRef<int64_t> extents,
                              ArrayRef<int64_t> reduced,
                              ArrayRef<AffineExpr> operandMap) {
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> resultMap;
  Extents shape = parallelExtents(extents, reduced, resultMap, context);
  return repro::ArgReduceOp::create(
      builder, location, RankedTensorType::get(shape, builder.getI32Type()),
      kind, last, value, repro::DomainAttr::get(context, extents, reduced),
      mapsOf(builder, extents.size(),
             {SmallVector<AffineExpr>(operandMap), resultMap}));
}
