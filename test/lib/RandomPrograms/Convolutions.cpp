// Chains of convolutions, with what stands between them in models.

#include "Generator.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {
namespace {

/// Adds ops on [batch, channels, height, width], of f32.
class Convolutions {
public:
  explicit Convolutions(Generator &g)
      : g(g), context(g.builder.getContext()), f32(g.builder.getF32Type()) {}

  bool make() {
    value = g.operand({g.random.between(1, 3), channels(), extent(), extent()},
                      f32);
    if (!contract())
      return false;
    for (int64_t ops = g.random.between(1, 6); ops > 0; --ops) {
      using Step = bool (Convolutions::*)();
      const SmallVector<Step> steps = {
          &Convolutions::contract, &Convolutions::contract,
          &Convolutions::addBias,  &Convolutions::addBias,
          &Convolutions::relu,     &Convolutions::pool,
          &Convolutions::join,     &Convolutions::slice};
      if (!(this->*g.random.pick(steps))())
        return false;
    }
    return true;
  }

private:
  int64_t channels() { return g.random.between(1, g.size.isLarge ? 40 : 20); }
  int64_t extent() { return g.random.between(1, g.size.isLarge ? 16 : 9); }

  bool take(Operation *op) {
    if (!g.take(op))
      return false;
    value = g.last();
    return true;
  }

  /// A window of one dimension: how many positions it has, and its index.
  struct Window {
    int64_t taps, stride, dilation, pad, positions;
    AffineExpr at(AffineExpr position, AffineExpr tap) const {
      return position * stride + tap * dilation - pad;
    }
  };
  Window window(int64_t size, int64_t mostTaps) {
    Window w{g.random.between(1, mostTaps), g.random.between(1, 2),
             g.random.chance(3, 4) ? 1 : 2, 0, 0};
    w.pad = g.random.between(0, w.taps / 2);
    w.positions =
        (size + 2 * w.pad - w.dilation * (w.taps - 1) - 1) / w.stride + 1;
    return w;
  }

  bool contract() {
    const ArrayRef<int64_t> shape = shapeOf(value);
    const bool isPoint = g.random.chance(1, 3);
    const Window rows = window(shape[2], isPoint ? 1 : 3),
                 columns = window(shape[3], isPoint ? 1 : 3);
    const int64_t filters = channels();
    if (rows.positions < 1 || columns.positions < 1)
      return true;
    Value filter = g.operand({filters, shape[1], rows.taps, columns.taps}, f32);
    AffineExpr d[7];
    for (unsigned i = 0; i < 7; ++i)
      d[i] = getAffineDimExpr(i, context);
    ArrayAttr maps = g.builder.getAffineMapArrayAttr(
        {AffineMap::get(
             7, 0, {d[0], d[4], rows.at(d[2], d[5]), columns.at(d[3], d[6])},
             context),
         AffineMap::get(7, 0, {d[1], d[4], d[5], d[6]}, context),
         AffineMap::get(7, 0, {d[0], d[1], d[2], d[3]}, context)});
    const Order chain = Order::sequential();
    const Order order =
        g.random.chance(1, 2)
            ? chain
            : Order::blocked(g.random.between(1, 100), chain, chain);
    const Bound bound = rows.pad + columns.pad > 0 ? Bound::Zero : Bound::In;
    return take(ContractOp::create(
        g.builder, g.location(),
        RankedTensorType::get(
            {shape[0], filters, rows.positions, columns.positions}, f32),
        value, filter,
        DomainAttr::get(context,
                        {shape[0], filters, rows.positions, columns.positions,
                         shape[1], rows.taps, columns.taps},
                        {4, 5, 6}),
        maps,
        g.builder.getDenseI32ArrayAttr({int32_t(bound), int32_t(Bound::In)}),
        OrderAttr::get(context, order)));
  }

  bool addBias() {
    RankedTensorType type = typeOf(value);
    Value bias = g.operand({type.getDimSize(1)}, f32), sum = value;
    if (!take(BroadcastOp::create(g.builder, g.location(), type, bias,
                                  g.builder.getDenseI64ArrayAttr({1}))))
      return false;
    return take(AddOp::create(g.builder, g.location(), type, sum, value));
  }

  bool relu() {
    Value zero = g.constant(typeOf(value), /*splat=*/true);
    return take(
        MaxOp::create(g.builder, g.location(), value.getType(), value, zero));
  }

  bool pool() {
    const ArrayRef<int64_t> shape = shapeOf(value);
    const Window rows = window(shape[2], 3), columns = window(shape[3], 3);
    if (rows.positions < 1 || columns.positions < 1)
      return true;
    AffineExpr d[6];
    for (unsigned i = 0; i < 6; ++i)
      d[i] = getAffineDimExpr(i, context);
    const SmallVector<int64_t> result = {shape[0], shape[1], rows.positions,
                                         columns.positions};
    SmallVector<int64_t> extents = result;
    extents.append({rows.taps, columns.taps});
    const bool sums = g.random.chance(1, 3);
    return take(ReduceOp::create(
        g.builder, g.location(), RankedTensorType::get(result, f32),
        sums ? ReduceKind::Sum : ReduceKind::Max, value,
        DomainAttr::get(context, extents, {4, 5}),
        g.builder.getAffineMapArrayAttr(
            {AffineMap::get(
                 6, 0,
                 {d[0], d[1], rows.at(d[2], d[4]), columns.at(d[3], d[5])},
                 context),
             AffineMap::get(6, 0, {d[0], d[1], d[2], d[3]}, context)}),
        sums ? OrderAttr::get(context, Order::sequential()) : OrderAttr()));
  }

  bool join() {
    SmallVector<int64_t> shape(shapeOf(value));
    shape[1] = channels();
    Value other = g.operand(shape, f32);
    SmallVector<Value> parts = {value, other};
    if (g.random.chance(1, 2))
      std::swap(parts[0], parts[1]);
    shape[1] += shapeOf(value)[1];
    return take(ConcatOp::create(g.builder, g.location(),
                                 RankedTensorType::get(shape, f32), parts, 1));
  }

  bool slice() {
    SmallVector<int64_t> limit(shapeOf(value)), start(4, 0), stride(4, 1);
    const size_t dim = size_t(g.random.below(4));
    start[dim] = g.random.below(limit[dim]);
    SmallVector<int64_t> shape = limit;
    shape[dim] -= start[dim];
    return take(SliceOp::create(g.builder, g.location(),
                                RankedTensorType::get(shape, f32), value, start,
                                limit, stride));
  }

  Generator &g;
  MLIRContext *context;
  Type f32;
  Value value;
};

} // namespace

bool makeConvolutions(Generator &g) { return Convolutions(g).make(); }

} // namespace gensyn::random_programs
