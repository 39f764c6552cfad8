// contract, reduce, arg_reduce: einsums, rows and windows.

#include "Generator.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// An iteration space that grows iterator by iterator.
struct Space {
  SmallVector<int64_t> extents, reduced;

  AffineExpr add(int64_t extent, bool isReduced, MLIRContext *context) {
    const auto number = static_cast<unsigned>(extents.size());
    if (isReduced)
      reduced.push_back(number);
    extents.push_back(extent);
    return getAffineDimExpr(number, context);
  }
  ArrayAttr maps(ArrayRef<SmallVector<AffineExpr>> maps, MLIRContext *context) {
    SmallVector<Attribute> attributes;
    for (const SmallVector<AffineExpr> &map : maps)
      attributes.push_back(AffineMapAttr::get(
          AffineMap::get(unsigned(extents.size()), 0, map, context)));
    return ArrayAttr::get(context, attributes);
  }
  DomainAttr domain(MLIRContext *context) {
    return DomainAttr::get(context, extents, reduced);
  }
};

/// The element types of a contraction's other operand and of its result.
static std::pair<Type, Type> contractTypes(Generator &g, Type lhs) {
  if (g.random.chance(2, 3) && !isa<FloatType>(lhs))
    return {lhs, lhs};
  Type result = g.random.chance(1, 2) ? g.builder.getF32Type() : g.anyElement();
  if (!isa<FloatType>(lhs) && isa<FloatType>(result))
    result = lhs;
  return {g.random.chance(1, 2) ? lhs : g.anyElement(), result};
}

static OrderAttr orderFor(Generator &g, Type element) {
  return element.isF32() || element.isF64() ? g.anyOrder() : OrderAttr();
}

static bool proposeContract(Generator &g, Space &space, Value lhs, Value rhs,
                            ArrayRef<SmallVector<AffineExpr>> maps,
                            ArrayRef<int64_t> shape, Type element,
                            Bound lhsBound, Bound rhsBound) {
  MLIRContext *context = g.builder.getContext();
  return g.take(repro::ContractOp::create(
      g.builder, g.location(), RankedTensorType::get(shape, element), lhs, rhs,
      space.domain(context), space.maps(maps, context),
      g.builder.getDenseI32ArrayAttr(
          {static_cast<int32_t>(lhsBound), static_cast<int32_t>(rhsBound)}),
      orderFor(g, element)));
}

/// Each dimension of a value is a batch, a row or a sum; some columns join.
bool makeEinsum(Generator &g) {
  MLIRContext *context = g.builder.getContext();
  Value lhs = g.any();
  RankedTensorType type = typeOf(lhs);
  auto [other, element] = contractTypes(g, type.getElementType());
  Space space;
  SmallVector<SmallVector<AffineExpr>> maps(3);
  SmallVector<std::pair<AffineExpr, int64_t>> right, result;
  for (int64_t extent : type.getShape()) {
    const int64_t role = g.random.below(4); // sums are twice as frequent
    AffineExpr iterator = space.add(extent, role >= 2, context);
    maps[0].push_back(iterator);
    if (role == 0 || role >= 2)
      right.push_back({iterator, extent});
    if (role <= 1)
      result.push_back({iterator, extent});
  }
  int64_t points = std::max<int64_t>(type.getNumElements(), 1);
  for (int64_t columns = g.random.below(3); columns > 0; --columns) {
    int64_t extent = g.size.isLarge || g.random.chance(1, 4)
                         ? g.anyExtent()
                         : g.random.between(1, 20);
    if (g.size.isLarge) // as many as there may be
      extent = std::clamp<int64_t>(g.size.points / points, 1, extent);
    points *= std::max<int64_t>(extent, 1);
    AffineExpr iterator = space.add(extent, false, context);
    right.push_back({iterator, extent});
    result.push_back({iterator, extent});
  }
  if (g.random.chance(1, 2))
    g.random.shuffle(right);
  if (g.random.chance(1, 2))
    g.random.shuffle(result);
  SmallVector<int64_t> rightShape, shape;
  for (auto &[iterator, extent] : right) {
    maps[1].push_back(iterator);
    rightShape.push_back(extent);
  }
  for (auto &[iterator, extent] : result) {
    maps[2].push_back(iterator);
    shape.push_back(extent);
  }
  Value rhs = g.operand(rightShape, other);
  if (g.random.chance(1, 4)) {
    std::swap(lhs, rhs);
    std::swap(maps[0], maps[1]);
  }
  return proposeContract(g, space, lhs, rhs, maps, shape, element, Bound::In,
                         Bound::In);
}

/// One window dimension of a convolution, or of one of its derivatives.
struct Window {
  int64_t input, taps, outputs, stride, dilation, pad;
  explicit Window(Generator &g)
      : input(g.size.isLarge          ? g.random.between(5, 40)
              : g.random.chance(1, 3) ? g.anyExtent()
                                      : g.random.between(1, 12)),
        taps(g.random.between(1, 4)), outputs(0),
        stride(g.random.between(1, 3)),
        dilation(g.random.chance(2, 3) ? 1 : g.random.between(2, 3)),
        pad(g.random.below(3)) {
    outputs = std::max<int64_t>(
        (input + 2 * pad - dilation * (taps - 1) - 1) / stride + 1, 0);
  }
};

bool makeWindowContract(Generator &g) {
  MLIRContext *context = g.builder.getContext();
  // Half of them are grouped, half of those with one channel a group.
  const bool isGrouped = g.random.chance(1, 2),
             isDepthwise = isGrouped && g.random.chance(1, 2),
             hasImages = g.random.chance(1, 2);
  const int64_t groups = g.random.between(1, g.size.isLarge ? 40 : 6),
                images = g.random.between(1, 3);
  int64_t channels = g.random.between(1, g.size.isLarge ? 20 : 3),
          filters = g.random.between(1, g.size.isLarge ? 40 : 5);
  if (isGrouped) {
    channels = isDepthwise ? 1 : (channels + 4) / 5;
    filters = isDepthwise ? 1 : (filters + 9) / 10;
  }
  Type element = g.random.chance(2, 3) ? g.builder.getF32Type()
                                       : g.random.pick(g.vocabulary.elements);
  auto [other, resultElement] = contractTypes(g, element);
  const int64_t form = g.random.below(3);
  Space space;
  SmallVector<SmallVector<AffineExpr>> maps(3);
  SmallVector<int64_t> lhsShape, rhsShape, shape;
  // Forward sums channels and taps, the data's gradient filters and taps, the
  // weight's gradient images and positions.
  AffineExpr image, group;
  if (hasImages && form != 2)
    image = space.add(images, false, context);
  if (isGrouped)
    group = space.add(groups, false, context);
  AffineExpr outer = space.add(form == 1 ? channels : filters, false, context);
  AffineExpr second;
  if (form == 2)
    second = space.add(channels, false, context);
  const int64_t windows = g.random.between(1, 2);
  SmallVector<Window> window;
  for (int64_t i = 0; i < windows; ++i)
    window.emplace_back(g);
  SmallVector<AffineExpr> first, inner;
  SmallVector<SmallVector<AffineExpr>> phases;
  for (const Window &w : window) {
    const int64_t gcd = std::gcd(w.stride, w.dilation);
    const int64_t s = w.stride / gcd;
    if (form == 1) { // P: position q and phase r of the input
      const int64_t low =
          -((w.dilation * (s - 1) + w.stride - 1) / w.stride) - 1;
      const int64_t high = (w.input - 1 + w.pad) / w.stride;
      AffineExpr q = space.add(high - low + 1, false, context);
      AffineExpr r = s > 1 ? space.add(s, false, context)
                           : getAffineConstantExpr(0, context);
      first.push_back(q + low);
      phases.push_back({r});
    } else {
      first.push_back(
          space.add(form == 0 ? w.outputs : w.taps, false, context));
    }
  }
  AffineExpr sum =
      form == 2 ? AffineExpr()
                : space.add(form == 1 ? filters : channels, true, context);
  if (hasImages && form == 2)
    image = space.add(images, true, context);
  for (const Window &w : window) {
    const int64_t s = w.stride / std::gcd(w.stride, w.dilation);
    inner.push_back(space.add(form == 0   ? w.taps
                              : form == 1 ? (w.taps + s - 1) / s
                                          : w.outputs,
                              true, context));
  }
  // lhs is the data (forward) or the result's gradient; rhs the weights or
  // data.
  maps[0] = {form == 0 ? sum : form == 1 ? sum : outer};
  maps[1] = {form == 0 ? outer : form == 1 ? sum : second};
  maps[2] = {outer};
  lhsShape = {form == 0 ? channels : filters};
  rhsShape = {form == 2 ? channels : filters};
  shape = {form == 1 ? channels : filters};
  if (form == 0 || form == 1) {
    maps[1].push_back(form == 0 ? sum : outer);
    rhsShape.push_back(channels);
  } else {
    maps[2].push_back(second);
    shape.push_back(channels);
  }
  for (auto [i, w] : llvm::enumerate(window)) {
    const int64_t gcd = std::gcd(w.stride, w.dilation);
    const int64_t s = w.stride / gcd, d = w.dilation / gcd;
    if (form == 0) {
      maps[0].push_back(first[i] * w.stride + inner[i] * w.dilation - w.pad);
      maps[1].push_back(inner[i]);
      maps[2].push_back(first[i]);
      lhsShape.push_back(w.input);
      rhsShape.push_back(w.taps);
      shape.push_back(w.outputs);
    } else if (form == 1) {
      maps[0].push_back(first[i] - inner[i] * d);
      maps[1].push_back(inner[i] * s + phases[i][0]);
      maps[2].push_back(first[i] * w.stride + phases[i][0] * w.dilation -
                        w.pad);
      lhsShape.push_back(w.outputs);
      rhsShape.push_back(w.taps);
      shape.push_back(w.input);
    } else {
      maps[0].push_back(inner[i]);
      maps[1].push_back(inner[i] * w.stride + first[i] * w.dilation - w.pad);
      maps[2].push_back(first[i]);
      lhsShape.push_back(w.outputs);
      rhsShape.push_back(w.input);
      shape.push_back(w.taps);
    }
  }
  // Images and groups are the first dimensions of the tensors that have them.
  auto prepend = [&](AffineExpr iterator, int64_t extent,
                     SmallVector<AffineExpr> &map, SmallVector<int64_t> &of) {
    map.insert(map.begin(), iterator);
    of.insert(of.begin(), extent);
  };
  if (isGrouped) {
    prepend(group, groups, maps[0], lhsShape);
    prepend(group, groups, maps[1], rhsShape);
    prepend(group, groups, maps[2], shape);
  }
  if (hasImages) {
    prepend(image, images, maps[0], lhsShape);
    if (form == 2)
      prepend(image, images, maps[1], rhsShape);
    else
      prepend(image, images, maps[2], shape);
  }
  auto outside = [&] {
    return g.random.chance(1, 2) ? Bound::Zero : Bound::Skip;
  };
  return proposeContract(g, space, g.operand(lhsShape, element),
                         g.operand(rhsShape, other), maps, shape, resultElement,
                         form == 2 ? Bound::In : outside(),
                         form == 0 ? Bound::In : outside());
}

static ReduceKind anyKind(Generator &g) {
  return static_cast<ReduceKind>(g.random.below(6));
}

static bool proposeReduce(Generator &g, Space &space, ReduceKind kind,
                          Value value, ArrayRef<SmallVector<AffineExpr>> maps,
                          ArrayRef<int64_t> shape) {
  MLIRContext *context = g.builder.getContext();
  Type element = typeOf(value).getElementType();
  const bool sums = kind == ReduceKind::Sum || kind == ReduceKind::Product;
  return g.take(repro::ReduceOp::create(
      g.builder, g.location(), RankedTensorType::get(shape, element), kind,
      value, space.domain(context), space.maps(maps, context),
      sums ? orderFor(g, element) : OrderAttr()));
}

/// Reduces adjacent dimensions of a value; the result may be transposed.
static bool makeRows(Generator &g, Value value, Space &space,
                     SmallVector<SmallVector<AffineExpr>> &maps,
                     SmallVector<int64_t> &shape) {
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 0)
    return false;
  const int64_t first = g.random.below(type.getRank());
  const int64_t last = g.random.between(first, type.getRank() - 1);
  maps.resize(2);
  for (int64_t i = 0; i < type.getRank(); ++i) {
    const bool isReduced = i >= first && i <= last;
    const int64_t extent = type.getDimSize(static_cast<unsigned>(i));
    AffineExpr iterator = space.add(extent, isReduced, g.builder.getContext());
    maps[0].push_back(iterator);
    if (!isReduced) {
      maps[1].push_back(iterator);
      shape.push_back(extent);
    }
  }
  if (shape.size() > 1 && g.random.chance(1, 4)) {
    std::swap(shape.front(), shape.back());
    std::swap(maps[1].front(), maps[1].back());
  }
  return true;
}

/// As in a softmax or a norm: a value is reduced over its last dimensions, or
/// over its first ones, and combined with the result.
bool makeRowChain(Generator &g) {
  Value value = g.any();
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 0 || type.getElementType().isInteger(1))
    return false;
  const int64_t reduced =
      g.random.between(1, std::max<int64_t>(type.getRank() - 1, 1));
  const int64_t first = g.random.chance(2, 3) ? type.getRank() - reduced : 0;
  bool any = false;
  for (int64_t times = g.random.between(1, 3); times > 0; --times) {
    Space space;
    SmallVector<SmallVector<AffineExpr>> maps(2);
    SmallVector<int64_t> shape, dims;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      const bool isReduced = i >= first && i < first + reduced;
      AffineExpr iterator = space.add(type.getDimSize(unsigned(i)), isReduced,
                                      g.builder.getContext());
      maps[0].push_back(iterator);
      if (isReduced)
        continue;
      maps[1].push_back(iterator);
      shape.push_back(type.getDimSize(unsigned(i)));
      dims.push_back(i);
    }
    if (!proposeReduce(g, space, anyKind(g), value, maps, shape))
      return any;
    any = true;
    auto wide =
        repro::BroadcastOp::create(g.builder, g.location(), type, g.last(),
                                   g.builder.getDenseI64ArrayAttr(dims));
    if (!g.take(wide))
      return any;
    Operation *joined =
        g.random.chance(1, 2)
            ? repro::SubOp::create(g.builder, g.location(), type, value, wide)
            : repro::MulOp::create(g.builder, g.location(), type, value, wide)
                  .getOperation();
    if (!g.take(joined))
      return any;
    value = joined->getResult(0);
  }
  return any;
}

/// Reduces a value over the space that `makeSpace` draws for it.
template <class MakeSpace>
static bool reduceOver(Generator &g, MakeSpace makeSpace) {
  Value value = g.any();
  Space space;
  SmallVector<SmallVector<AffineExpr>> maps;
  SmallVector<int64_t> shape;
  return makeSpace(g, value, space, maps, shape) &&
         proposeReduce(g, space, anyKind(g), value, maps, shape);
}

bool makeRowReduce(Generator &g) { return reduceOver(g, makeRows); }

/// Windows over the last dimensions of a value; taps are reduced.
static bool makeWindows(Generator &g, Value value, Space &space,
                        SmallVector<SmallVector<AffineExpr>> &maps,
                        SmallVector<int64_t> &shape) {
  MLIRContext *context = g.builder.getContext();
  RankedTensorType type = typeOf(value);
  if (type.getRank() == 0)
    return false;
  const int64_t windows =
      g.random.between(1, std::min<int64_t>(type.getRank(), 2));
  maps.resize(2);
  SmallVector<AffineExpr> positions;
  SmallVector<Window> all;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    const int64_t extent = type.getDimSize(static_cast<unsigned>(i));
    if (i < type.getRank() - windows) {
      AffineExpr iterator = space.add(extent, false, context);
      maps[0].push_back(iterator);
      maps[1].push_back(iterator);
      shape.push_back(extent);
      continue;
    }
    Window w(g);
    w.input = extent;
    w.outputs = std::max<int64_t>(
        (extent + 2 * w.pad - w.dilation * (w.taps - 1) - 1) / w.stride + 1, 0);
    all.push_back(w);
    positions.push_back(space.add(w.outputs, false, context));
    maps[1].push_back(positions.back());
    shape.push_back(w.outputs);
  }
  for (auto [w, position] : llvm::zip(all, positions)) {
    AffineExpr tap = space.add(w.taps, true, context);
    maps[0].push_back(position * w.stride + tap * w.dilation - w.pad);
  }
  return true;
}

bool makeWindowReduce(Generator &g) { return reduceOver(g, makeWindows); }

bool makeArgReduce(Generator &g) {
  MLIRContext *context = g.builder.getContext();
  Value value = g.any();
  Space space;
  SmallVector<SmallVector<AffineExpr>> maps;
  SmallVector<int64_t> shape;
  if (!(g.random.chance(1, 2) ? makeRows(g, value, space, maps, shape)
                              : makeWindows(g, value, space, maps, shape)))
    return false;
  return g.take(repro::ArgReduceOp::create(
      g.builder, g.location(),
      RankedTensorType::get(shape, g.builder.getI32Type()),
      static_cast<ArgKind>(g.random.below(2)), g.random.chance(1, 2), value,
      space.domain(context), space.maps(maps, context)));
}

} // namespace gensyn::random_programs
