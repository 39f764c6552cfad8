// Elementwise ops with numpy's broadcasting, and movement.

#include "NodeBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

/// The common shape. Mismatched extents keep the larger one, so that
/// `broadcastTo` refuses.
static Extents commonShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Extents shape(a);
  size_t offset = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i)
    if (shape[offset + i] == 1)
      shape[offset + i] = b[i];
  return shape;
}

Value NodeBuilder::broadcastTo(Value value, ArrayRef<int64_t> shape) {
  ShapeView from = shapeOf(value);
  if (from == shape)
    return value;
  int64_t offset = int64_t(shape.size()) - int64_t(from.size());
  // Stretched dimensions are dropped: `broadcast` does not repeat an extent of
  // 1.
  Extents kept, dims;
  for (auto [i, extent] : llvm::enumerate(from)) {
    int64_t dim = offset + int64_t(i);
    bool fits = dim >= 0 && (extent == shape[dim] || extent == 1);
    if (!fits && extent != 1) {
      refuse("shapes do not broadcast");
      return value;
    }
    if (fits && extent == shape[dim]) {
      kept.push_back(extent);
      dims.push_back(dim);
    }
  }
  auto type = RankedTensorType::get(shape, elementOf(value));
  return repro::createBroadcast(builder, location, reshape(value, kept), type,
                                dims);
}

void NodeBuilder::unify(std::initializer_list<Value *> values) {
  Extents shape;
  for (Value *value : values)
    shape = commonShape(shape, shapeOf(*value));
  for (Value *value : values)
    *value = broadcastTo(*value, shape);
}

Value NodeBuilder::along(Value value, int64_t dim, int64_t rank) {
  Extents shape(std::max<int64_t>(rank, 0), 1);
  shape[dim] = product(shapeOf(value));
  return reshape(value, shape);
}

Value NodeBuilder::add(Value a, Value b) { return binary<repro::AddOp>(a, b); }
Value NodeBuilder::sub(Value a, Value b) { return binary<repro::SubOp>(a, b); }
Value NodeBuilder::mul(Value a, Value b) { return binary<repro::MulOp>(a, b); }
Value NodeBuilder::div(Value a, Value b) { return binary<repro::DivOp>(a, b); }

Value NodeBuilder::compare(repro::CompareKind kind, Value a, Value b) {
  unify({&a, &b});
  auto type = RankedTensorType::get(shapeOf(a), builder.getI1Type());
  return repro::CompareOp::create(builder, location, type, kind, a, b);
}

Value NodeBuilder::select(Value predicate, Value a, Value b) {
  unify({&predicate, &a, &b});
  return repro::SelectOp::create(builder, location, a.getType(), predicate, a,
                                 b);
}

Value NodeBuilder::round(repro::RoundKind kind, Value x) {
  return repro::RoundOp::create(builder, location, typeOf(x), kind, x);
}

Value NodeBuilder::rootOfSum(Value sum) {
  Value isZero = compare(repro::CompareKind::Eq, sum, 0);
  Value safe = select(isZero, fill(1, sum), sum);
  return select(isZero, fill(0, sum), unary<repro::SqrtOp>(safe));
}

Value NodeBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  (void)typeOf(value);
  return repro::createReshape(builder, location, value, shape);
}

Value NodeBuilder::transpose(Value value, ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return value;
  Extents shape;
  for (int64_t dim : order)
    shape.push_back(shapeOf(value)[dim]);
  return repro::TransposeOp::create(
      builder, location, RankedTensorType::get(shape, elementOf(value)), value,
      builder.getDenseI64ArrayAttr(order));
}

Value NodeBuilder::slice(Value value, ArrayRef<int64_t> start,
                         ArrayRef<int64_t> limit, ArrayRef<int64_t> stride) {
  Extents shape;
  for (auto [from, to, step] : llvm::zip(start, limit, stride))
    shape.push_back((to - from + step - 1) / step);
  if (ArrayRef<int64_t>(shape) == shapeOf(value))
    return value;
  return repro::SliceOp::create(
      builder, location, RankedTensorType::get(shape, elementOf(value)), value,
      builder.getDenseI64ArrayAttr(start), builder.getDenseI64ArrayAttr(limit),
      builder.getDenseI64ArrayAttr(stride));
}

Value NodeBuilder::sliceDim(Value value, int64_t dim, int64_t start,
                            int64_t limit, int64_t stride) {
  Extents starts(rankOf(value), 0), limits(shapeOf(value)),
      strides(rankOf(value), 1);
  starts[dim] = start;
  limits[dim] = limit;
  strides[dim] = stride;
  return slice(value, starts, limits, strides);
}

Value NodeBuilder::concat(ArrayRef<Value> values, int64_t dim) {
  if (values.size() == 1)
    return values.front();
  Extents shape(shapeOf(values.front()));
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += shapeOf(value)[dim];
  return repro::ConcatOp::create(
      builder, location,
      RankedTensorType::get(shape, elementOf(values.front())), values,
      builder.getI64IntegerAttr(dim));
}

Value NodeBuilder::reverse(Value value, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return value;
  return repro::ReverseOp::create(builder, location, value.getType(), value,
                                  builder.getDenseI64ArrayAttr(dims));
}
