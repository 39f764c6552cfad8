// Ops that move elements.

#include "Generator.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// A constant: of one value, or of a few.
bool makeConstant(Generator &g) {
  Type element = g.anyElement();
  SmallVector<int64_t> shape;
  if (Value like = g.existing([](RankedTensorType) { return true; }))
    shape.assign(typeOf(like).getShape().begin(),
                 typeOf(like).getShape().end());
  auto type = RankedTensorType::get(shape, element);
  if (type.getNumElements() > 256)
    return false;
  g.constant(type, g.random.chance(1, 2));
  return true;
}

bool makeIota(Generator &g) {
  SmallVector<int64_t> shape = g.anyShape();
  if (shape.empty())
    return false;
  return g.take(repro::IotaOp::create(
      g.builder, g.location(), RankedTensorType::get(shape, g.anyElement()),
      g.random.below(int64_t(shape.size()))));
}

bool makeReshape(Generator &g) {
  Value value = g.any();
  const int64_t elements = typeOf(value).getNumElements();
  SmallVector<int64_t> shape;
  if (elements == 0) {
    shape = {g.random.between(0, 3), 0};
  } else {
    int64_t rest = elements;
    for (int64_t divisor : {2, 3, 5, 7, 4, 13})
      if (rest % divisor == 0 && g.random.chance(1, 2)) {
        shape.push_back(divisor);
        rest /= divisor;
      }
    shape.push_back(rest);
    if (g.random.chance(1, 3))
      shape.push_back(1);
    g.random.shuffle(shape);
  }
  return g.take(repro::ReshapeOp::create(
      g.builder, g.location(),
      RankedTensorType::get(shape, typeOf(value).getElementType()), value));
}

bool makeTranspose(Generator &g) {
  Value value = g.any();
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> permutation, shape;
  for (int64_t i = 0; i < type.getRank(); ++i)
    permutation.push_back(i);
  g.random.shuffle(permutation);
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(static_cast<unsigned>(dim)));
  return g.take(repro::TransposeOp::create(
      g.builder, g.location(),
      RankedTensorType::get(shape, type.getElementType()), value,
      g.builder.getDenseI64ArrayAttr(permutation)));
}

bool makeBroadcast(Generator &g) {
  Value value = g.any();
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape, dims;
  for (int64_t i = 0; i <= type.getRank(); ++i) {
    if (g.random.chance(1, 3))
      shape.push_back(g.random.chance(1, 2) ? g.random.between(0, 4)
                                            : g.anyExtent());
    if (i < type.getRank()) {
      dims.push_back(int64_t(shape.size()));
      shape.push_back(type.getDimSize(static_cast<unsigned>(i)));
    }
  }
  return g.take(repro::BroadcastOp::create(
      g.builder, g.location(),
      RankedTensorType::get(shape, type.getElementType()), value,
      g.builder.getDenseI64ArrayAttr(dims)));
}

bool makeSlice(Generator &g) {
  Value value = g.any();
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> start, limit, stride, shape;
  for (int64_t extent : type.getShape()) {
    start.push_back(g.random.chance(1, 2) ? 0 : g.random.between(0, extent));
    limit.push_back(g.random.chance(1, 2)
                        ? extent
                        : g.random.between(start.back(), extent));
    stride.push_back(g.random.chance(1, 2) ? 1 : g.random.between(1, 4));
    shape.push_back((limit.back() - start.back() + stride.back() - 1) /
                    stride.back());
  }
  return g.take(repro::SliceOp::create(
      g.builder, g.location(),
      RankedTensorType::get(shape, type.getElementType()), value,
      g.builder.getDenseI64ArrayAttr(start),
      g.builder.getDenseI64ArrayAttr(limit),
      g.builder.getDenseI64ArrayAttr(stride)));
}

bool makePad(Generator &g) {
  Value value = g.any();
  RankedTensorType type = typeOf(value);
  Value fill = g.operand({}, type.getElementType());
  SmallVector<int64_t> low, high, interior, shape;
  auto few = [&] { return g.random.chance(1, 2) ? 0 : g.random.between(1, 3); };
  for (int64_t extent : type.getShape()) {
    low.push_back(few());
    high.push_back(few());
    interior.push_back(g.random.chance(2, 3) ? 0 : g.random.between(1, 2));
    shape.push_back(low.back() + high.back() + extent +
                    std::max<int64_t>(extent - 1, 0) * interior.back());
  }
  return g.take(repro::PadOp::create(
      g.builder, g.location(),
      RankedTensorType::get(shape, type.getElementType()), value, fill,
      g.builder.getDenseI64ArrayAttr(low), g.builder.getDenseI64ArrayAttr(high),
      g.builder.getDenseI64ArrayAttr(interior)));
}

bool makeConcat(Generator &g) {
  Value value = g.any();
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 0)
    return false;
  const int64_t dim = g.random.below(type.getRank());
  SmallVector<Value> operands = {value};
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t more = g.random.between(0, 2); more > 0; --more) {
    SmallVector<int64_t> other(type.getShape());
    if (g.random.chance(1, 2))
      other[size_t(dim)] = g.random.between(0, 5);
    operands.push_back(g.operand(other, type.getElementType()));
    shape[size_t(dim)] += other[size_t(dim)];
  }
  return g.take(repro::ConcatOp::create(
      g.builder, g.location(),
      RankedTensorType::get(shape, type.getElementType()), operands, dim));
}

bool makeReverse(Generator &g) {
  Value value = g.any();
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < typeOf(value).getRank(); ++i)
    if (g.random.chance(1, 2))
      dims.push_back(i);
  return g.take(repro::ReverseOp::create(g.builder, g.location(),
                                         value.getType(), value,
                                         g.builder.getDenseI64ArrayAttr(dims)));
}

} // namespace gensyn::random_programs
