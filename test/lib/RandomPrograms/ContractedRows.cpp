// Chains like attention: a contraction, work on the rows of its result, and
// contractions along these rows or across them.

#include "Generator.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {
namespace {

/// Adds f32 ops on tensors whose dimensions are letters.
class Chain {
public:
  explicit Chain(Generator &g)
      : g(g), extents{{'h', g.random.between(1, 3)},
                      {'q', g.random.between(1, g.size.isLarge ? 70 : 20)},
                      {'k', g.random.between(2, g.size.isLarge ? 140 : 40)},
                      {'d', g.random.between(1, 12)},
                      {'v', g.random.between(1, 12)}} {}

  bool make() {
    Value rows = contract(leaf("hqd"), axes, leaf("hkd"), axes, "hqk", 'd');
    if (rows && g.random.chance(1, 2))
      rows = g.random.chance(1, 2) ? addBias(rows) : hideLater(rows);
    for (int64_t times = g.random.between(1, 2); rows && times > 0; --times)
      rows = joinWithReduction(rows);
    if (!rows)
      return false;
    const bool isAcross = g.random.chance(1, 3);
    if (isAcross && g.random.chance(1, 2) &&
        !contract(rows, "hqk", leaf("hkv"), axes, shuffled("hqv"), 'k'))
      return false;
    const std::string other = isAcross ? "hqv" : "hkv";
    Value read = leaf(other);
    const std::string readAxes = axes;
    return bool(contract(rows, "hqk", read, readAxes,
                         shuffled(isAcross ? "hkv" : "hqv"),
                         isAcross ? 'q' : 'k'));
  }

private:
  std::string shuffled(std::string letters) {
    if (g.random.chance(1, 2))
      g.random.shuffle(letters);
    return letters;
  }
  RankedTensorType type(StringRef letters, Type element) {
    SmallVector<int64_t> shape;
    for (char letter : letters)
      shape.push_back(extents.at(letter));
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType type(StringRef letters) {
    return type(letters, g.builder.getF32Type());
  }
  /// A value of these dimensions in any order, which becomes `axes`.
  Value leaf(const std::string &letters) {
    axes = shuffled(letters);
    return g.operand(type(axes));
  }
  Value take(Operation *op) { return g.take(op) ? g.last() : Value(); }

  OrderAttr order(bool isChain) {
    if (g.random.chance(1, 8))
      return g.anyOrder();
    // Those of tiles, too.
    const int64_t size = g.random.chance(1, 4) ? 128 : g.random.between(1, 16);
    Order inner = isChain ? Order::sequential() : Order::lanes(16);
    if (g.random.chance(1, 2))
      inner = Order::blocked(size, inner, Order::sequential());
    return OrderAttr::get(g.builder.getContext(), inner);
  }

  /// Uses copies of the letters, since `axes` changes while operands are made.
  Value contract(Value lhs, std::string lhsAxes, Value rhs, std::string rhsAxes,
                 const std::string &result, char reduced) {
    if (!lhs || !rhs)
      return {};
    if (g.random.chance(1, 3)) {
      std::swap(lhs, rhs);
      std::swap(lhsAxes, rhsAxes);
    }
    MLIRContext *context = g.builder.getContext();
    const std::string all = result + reduced;
    SmallVector<int64_t> sizes;
    for (char letter : all)
      sizes.push_back(extents.at(letter));
    SmallVector<Attribute> maps;
    for (const std::string &letters : {lhsAxes, rhsAxes, result}) {
      SmallVector<AffineExpr> dims;
      for (char letter : letters)
        dims.push_back(getAffineDimExpr(unsigned(all.find(letter)), context));
      maps.push_back(AffineMapAttr::get(
          AffineMap::get(unsigned(all.size()), 0, dims, context)));
    }
    const auto in = static_cast<int32_t>(Bound::In);
    return take(ContractOp::create(
        g.builder, g.location(), type(result), lhs, rhs,
        DomainAttr::get(context, sizes, {int64_t(all.size()) - 1}),
        ArrayAttr::get(context, maps), g.builder.getDenseI32ArrayAttr({in, in}),
        order(/*isChain=*/true)));
  }

  Value broadcast(Value value, StringRef to, ArrayRef<int64_t> dims) {
    return take(BroadcastOp::create(
        g.builder, g.location(),
        type(to, cast<ShapedType>(value.getType()).getElementType()), value,
        g.builder.getDenseI64ArrayAttr(dims)));
  }

  Value addBias(Value rows) {
    Value wide = broadcast(g.operand(type("qk")), "hqk", {1, 2});
    return wide ? take(AddOp::create(g.builder, g.location(), type("hqk"), rows,
                                     wide))
                : Value();
  }

  /// -inf in all elements, of which nothing is left behind a softmax.
  Value never() {
    auto scalar = type("");
    Value infinity = take(ConstantOp::create(
        g.builder, g.location(),
        DenseElementsAttr::get(scalar, APFloat::getInf(APFloat::IEEEsingle(),
                                                       /*Negative=*/true))));
    return infinity ? broadcast(infinity, "hqk", {}) : Value();
  }

  /// Selects another value at later columns, as a causal mask does.
  Value hideLater(Value rows) {
    auto number = [&](int64_t dim) {
      auto integers = type("hqk", g.builder.getIntegerType(64));
      return take(IotaOp::create(g.builder, g.location(), integers, dim));
    };
    Value row = number(1), column = row ? number(2) : Value();
    if (!column)
      return {};
    Value later = take(CompareOp::create(g.builder, g.location(),
                                         type("hqk", g.builder.getI1Type()),
                                         CompareKind::Gt, column, row));
    Value hidden = !later                  ? Value()
                   : g.random.chance(1, 2) ? never()
                                           : g.operand(type("hqk"));
    return hidden ? take(SelectOp::create(g.builder, g.location(), type("hqk"),
                                          later, hidden, rows))
                  : Value();
  }

  Value joinWithReduction(Value rows) {
    MLIRContext *context = g.builder.getContext();
    SmallVector<AffineExpr> dims = {getAffineDimExpr(0, context),
                                    getAffineDimExpr(1, context),
                                    getAffineDimExpr(2, context)};
    SmallVector<Attribute> maps = {
        AffineMapAttr::get(AffineMap::get(3, 0, dims, context)),
        AffineMapAttr::get(
            AffineMap::get(3, 0, ArrayRef(dims).drop_back(), context))};
    const bool isSum = g.random.chance(1, 2);
    Value reduced = take(ReduceOp::create(
        g.builder, g.location(), type("hq"),
        isSum ? ReduceKind::Sum : ReduceKind::Max, rows,
        DomainAttr::get(
            context, {extents.at('h'), extents.at('q'), extents.at('k')}, {2}),
        ArrayAttr::get(context, maps),
        isSum ? order(/*isChain=*/false) : OrderAttr()));
    Value wide = reduced ? broadcast(reduced, "hqk", {0, 1}) : Value();
    if (!wide)
      return {};
    Operation *joined =
        isSum ? DivOp::create(g.builder, g.location(), type("hqk"), rows, wide)
                    .getOperation()
              : SubOp::create(g.builder, g.location(), type("hqk"), rows, wide)
                    .getOperation();
    Value result = take(joined);
    if (!result || g.random.chance(1, 3))
      return result;
    return take(ExpOp::create(g.builder, g.location(), type("hqk"), result));
  }

  Generator &g;
  std::map<char, int64_t> extents;
  std::string axes;
};

} // namespace

bool makeContractedRows(Generator &g) { return Chain(g).make(); }

} // namespace gensyn::random_programs
