// scan, sort, random_bits.

#include "Generator.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {

bool makeScan(Generator &g) {
  Value value = g.any();
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 0)
    return false;
  const auto kind = static_cast<ReduceKind>(g.random.below(4));
  OrderAttr order;
  if (isa<FloatType>(type.getElementType()) &&
      (kind == ReduceKind::Sum || kind == ReduceKind::Product)) {
    static const int64_t sizes[] = {1, 2, 3, 16, 17, 100};
    order = OrderAttr::get(
        g.builder.getContext(),
        g.random.chance(1, 2)
            ? Order::sequential()
            : Order::blocked(sizes[g.random.below(int64_t(std::size(sizes)))],
                             Order::sequential(), Order::sequential()));
  }
  return g.take(ScanOp::create(g.builder, g.location(), type, kind, value,
                               g.random.below(type.getRank()), order));
}

bool makeSort(Generator &g) {
  Value value = g.any();
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 0)
    return false;
  const int64_t dim = g.random.below(type.getRank());
  SmallVector<int64_t> shape(type.getShape());
  int64_t &extent = shape[size_t(dim)];
  if (g.random.chance(1, 2))
    extent = g.random.between(0, extent);
  return g.take(SortOp::create(
      g.builder, g.location(), type.clone(shape),
      RankedTensorType::get(shape, g.builder.getI32Type()),
      static_cast<SortDirection>(g.random.below(2)), value, dim, extent));
}

bool makeRandomBits(Generator &g) {
  Type word = g.builder.getIntegerType(32, /*isSigned=*/false);
  Value key = g.operand({2}, word);
  Value step = g.operand({}, word), draw = g.operand({}, word);
  // A stream of its own for each op (random_c2): of 2^31 a program has few.
  const int64_t stream = g.random.below(int64_t(1) << 31);
  return g.take(RandomBitsOp::create(
      g.builder, g.location(), RankedTensorType::get(g.anyShape(), word), key,
      step, draw, g.builder.getI64IntegerAttr(stream)));
}

} // namespace gensyn::random_programs
