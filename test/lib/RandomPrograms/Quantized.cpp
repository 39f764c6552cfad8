// Contractions of a matrix that is computed from narrow elements, scales and
// zero points, as dequantised weights are.

#include "Generator.h"

#include <map>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {
namespace {

/// Adds ops on tensors whose dimensions are letters: h groups, m rows, n
/// columns, and k points in blocks of b.
class Quantized {
public:
  explicit Quantized(Generator &g)
      : g(g), block(int64_t(1) << g.random.below(6)),
        extents{{'h', g.random.chance(2, 3) ? 1 : g.random.between(2, 3)},
                {'m', g.random.chance(1, 2)
                          ? g.random.between(1, 5)
                          : g.random.between(1, g.size.isLarge ? 90 : 40)},
                {'n', g.random.between(1, g.size.isLarge ? 150 : 50)},
                {'k', block * g.random.between(1, g.size.isLarge ? 12 : 4)}} {}

  bool make() {
    axes = g.random.chance(1, 2) ? "hkn" : "hnk";
    if (extents['h'] == 1 && g.random.chance(2, 3))
      axes = axes.substr(1);
    const Type stored = anyNarrow();
    Value main = g.argument(type(axes, stored));
    const bool isFloat = isa<FloatType>(stored);
    const Type f32 = g.builder.getF32Type();
    const Type between =
        isFloat || g.random.chance(1, 4) ? f32 : Type(g.builder.getI32Type());
    Value whole = convert(main, between);
    if (whole && g.random.chance(1, 2)) {
      Value zero = side(g.random.chance(1, 2) ? between : stored);
      zero = zero ? convert(zero, between) : zero;
      whole = zero ? take(SubOp::create(g.builder, g.location(),
                                        type(axes, between), whole, zero))
                   : zero;
    }
    whole = whole ? convert(whole, f32) : whole;
    Value scale = whole ? side(f32) : whole;
    if (!scale)
      return false;
    Value matrix = take(
        MulOp::create(g.builder, g.location(), type(axes, f32), whole, scale));
    return matrix && contract(matrix);
  }

private:
  RankedTensorType type(StringRef letters, Type element) {
    SmallVector<int64_t> shape;
    for (char letter : letters)
      shape.push_back(extents.at(letter));
    return RankedTensorType::get(shape, element);
  }
  Value take(Operation *op) { return g.take(op) ? g.last() : Value(); }

  Type anyNarrow() {
    for (int tries = 0; tries < 20; ++tries) {
      Type element = g.anyElement();
      if (element.getIntOrFloatBitWidth() <= 16 && !element.isInteger(1))
        return element;
    }
    return g.builder.getIntegerType(8);
  }

  Value convert(Value value, Type to) {
    auto from = cast<RankedTensorType>(value.getType());
    if (from.getElementType() == to)
      return value;
    return take(
        ConvertOp::create(g.builder, g.location(), from.clone(to), value));
  }

  /// A scale or zero point in the matrix' shape: one for some of the
  /// dimensions, or for each block of points.
  Value side(Type element) {
    const bool isBlocked = g.random.chance(1, 3);
    SmallVector<int64_t> shape, wide, dims;
    for (char letter : axes) {
      const int64_t extent = extents.at(letter);
      const bool isRead = letter == 'h' ? g.random.chance(1, 2)
                          : isBlocked
                              ? true
                              : g.random.chance(1, letter == 'n' ? 2 : 5);
      const bool isDivided = letter == 'k' && isBlocked;
      if (isRead) {
        dims.push_back(int64_t(wide.size()));
        shape.push_back(isDivided ? extent / block : extent);
      }
      wide.push_back(isDivided ? extent / block : extent);
      if (isDivided)
        wide.push_back(block);
    }
    Value value = g.argument(RankedTensorType::get(shape, element));
    value = take(BroadcastOp::create(
        g.builder, g.location(), RankedTensorType::get(wide, element), value,
        g.builder.getDenseI64ArrayAttr(dims)));
    if (!value || wide.size() == axes.size())
      return value;
    return take(
        ReshapeOp::create(g.builder, g.location(), type(axes, element), value));
  }

  bool contract(Value matrix) {
    MLIRContext *context = g.builder.getContext();
    const bool hasGroups = axes.front() == 'h';
    std::string other = hasGroups ? "hmk" : "mk",
                result = hasGroups ? "hmn" : "mn";
    if (g.random.chance(1, 4))
      g.random.shuffle(other);
    if (g.random.chance(1, 4))
      g.random.shuffle(result);
    const Type f32 = g.builder.getF32Type();
    Value rows = g.operand(type(other, f32));
    std::string lhsAxes = axes;
    if (g.random.chance(1, 2)) {
      std::swap(matrix, rows);
      std::swap(lhsAxes, other);
    }
    const std::string all = result + "k";
    SmallVector<int64_t> sizes;
    for (char letter : all)
      sizes.push_back(extents.at(letter));
    SmallVector<Attribute> maps;
    for (const std::string &letters : {lhsAxes, other, result}) {
      SmallVector<AffineExpr> dims;
      for (char letter : letters)
        dims.push_back(getAffineDimExpr(unsigned(all.find(letter)), context));
      maps.push_back(AffineMapAttr::get(
          AffineMap::get(unsigned(all.size()), 0, dims, context)));
    }
    Order order = Order::sequential();
    if (g.random.chance(1, 2))
      order =
          Order::blocked(g.random.chance(2, 3) ? block * g.random.between(1, 4)
                                               : g.random.between(1, 80),
                         order, Order::sequential());
    const auto in = static_cast<int32_t>(Bound::In);
    return g.take(ContractOp::create(
        g.builder, g.location(), type(result, f32), matrix, rows,
        DomainAttr::get(context, sizes, {int64_t(all.size()) - 1}),
        ArrayAttr::get(context, maps), g.builder.getDenseI32ArrayAttr({in, in}),
        g.random.chance(1, 8) ? g.anyOrder() : OrderAttr::get(context, order)));
  }

  Generator &g;
  int64_t block;
  std::map<char, int64_t> extents;
  std::string axes; ///< of the matrix
};

} // namespace

bool makeQuantizedContract(Generator &g) { return Quantized(g).make(); }

} // namespace gensyn::random_programs
