// gather and scatter: lookups, dynamic slices, elements, diagonals.

#include "Generator.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {

namespace {
/// Maps the dimensions of a tensor from a space of iterators.
struct Access {
  SmallVector<int64_t> extents; // of the iterators
  SmallVector<AffineExpr> target;
  SmallVector<SmallVector<unsigned>> indices; // iterators of each index operand
  SmallVector<int64_t> limits;                // what each of them indexes

  AffineExpr iterator(int64_t extent, MLIRContext *context) {
    extents.push_back(extent);
    return getAffineDimExpr(unsigned(extents.size() - 1), context);
  }

  ArrayAttr maps(MLIRContext *context) const {
    const auto rank = static_cast<unsigned>(extents.size());
    SmallVector<Attribute> result = {AffineMapAttr::get(
        AffineMap::get(rank, unsigned(indices.size()), target, context))};
    for (const SmallVector<unsigned> &dims : indices) {
      SmallVector<AffineExpr> exprs;
      for (unsigned dim : dims)
        exprs.push_back(getAffineDimExpr(dim, context));
      result.push_back(
          AffineMapAttr::get(AffineMap::get(rank, 0, exprs, context)));
    }
    return ArrayAttr::get(context, result);
  }

  SmallVector<Value> operands(Generator &g) const {
    SmallVector<Value> values;
    for (auto [i, dims] : llvm::enumerate(indices)) {
      SmallVector<int64_t> shape;
      for (unsigned dim : dims)
        shape.push_back(extents[dim]);
      auto type = RankedTensorType::get(shape, g.random.chance(1, 2)
                                                   ? g.builder.getI64Type()
                                                   : g.builder.getI32Type());
      Value value = g.operand(type);
      values.push_back(g.random.chance(1, 2) ? inside(g, value, limits[i])
                                             : value);
    }
    return values;
  }

  /// Most bit patterns are indices out of range; these hardly ever are.
  static Value inside(Generator &g, Value index, int64_t limit) {
    auto type = cast<RankedTensorType>(index.getType());
    auto splat = [&](uint64_t number) {
      return ConstantOp::create(
          g.builder, g.location(), type,
          DenseElementsAttr::get(type,
                                 g.builder.getIntegerAttr(type.getElementType(),
                                                          int64_t(number))));
    };
    if (type.getRank() > 0 && g.random.chance(1, 3)) // each another one
      index = MulOp::create(g.builder, g.location(), type,
                            IotaOp::create(g.builder, g.location(), type,
                                           g.random.below(type.getRank())),
                            splat(2 * uint64_t(g.random.below(50)) + 1));
    return AndOp::create(
        g.builder, g.location(), type, index,
        splat(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(limit, 1))) - 1));
  }
};
} // namespace

static Access makeAccess(Generator &g, ArrayRef<int64_t> shape) {
  MLIRContext *context = g.builder.getContext();
  Access access;
  // The index operands' own iterators come first, as in a lookup.
  const int64_t most = std::min<int64_t>(int64_t(shape.size()), 2);
  for (int64_t n = g.random.between(0, most); n > 0; --n) {
    SmallVector<unsigned> dims;
    for (int64_t k = g.random.below(3); k > 0; --k) {
      if (!access.extents.empty() && g.random.chance(1, 3)) {
        const auto dim = static_cast<unsigned>(
            g.random.below(int64_t(access.extents.size())));
        if (!llvm::is_contained(dims, dim))
          dims.push_back(dim);
        continue;
      }
      dims.push_back(unsigned(access.extents.size()));
      access.extents.push_back(g.random.chance(1, 6) ? g.anyExtent()
                                                     : g.random.between(1, 9));
    }
    access.indices.push_back(dims);
  }
  unsigned next = 0;
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim) {
    const int64_t extent = shape[size_t(dim)];
    const int64_t left = int64_t(shape.size()) - dim;
    const bool isIndexed = next < access.indices.size() &&
                           (int64_t(access.indices.size() - next) == left ||
                            g.random.chance(1, 2));
    if (isIndexed) {
      AffineExpr symbol = getAffineSymbolExpr(next++, context);
      if (g.random.chance(1, 3)) // a window that starts at the index
        symbol = symbol + access.iterator(g.random.between(1, 4), context);
      access.target.push_back(symbol);
      access.limits.push_back(extent);
    } else if (!access.extents.empty() && g.random.chance(1, 6)) {
      // A diagonal: reuses an existing iterator.
      access.target.push_back(getAffineDimExpr(
          static_cast<unsigned>(g.random.below(int64_t(access.extents.size()))),
          context));
    } else if (g.random.chance(1, 4)) {
      const int64_t stride = g.random.between(1, 3);
      AffineExpr iterator =
          access.iterator(std::max<int64_t>(extent / stride, 1), context);
      access.target.push_back(iterator * stride + g.random.between(-1, 1));
    } else {
      access.target.push_back(access.iterator(extent, context));
    }
  }
  return access;
}

static IndexBound anyBound(Generator &g) {
  return g.random.chance(1, 3) ? IndexBound::Fault : IndexBound::Zero;
}

bool makeGather(Generator &g) {
  Value data = g.any();
  auto type = cast<RankedTensorType>(data.getType());
  Access access = makeAccess(g, type.getShape());
  return g.take(GatherOp::create(
      g.builder, g.location(),
      RankedTensorType::get(access.extents, type.getElementType()), data,
      access.operands(g), access.maps(g.builder.getContext()), anyBound(g)));
}

bool makeScatter(Generator &g) {
  Value base = g.any();
  auto type = cast<RankedTensorType>(base.getType());
  Access access = makeAccess(g, type.getShape());
  int64_t elements = 1;
  for (int64_t extent : access.extents)
    if ((elements *= std::max<int64_t>(extent, 1)) > 2 * g.size.elements)
      return false;
  Value updates = g.operand(access.extents, type.getElementType());
  return g.take(ScatterOp::create(
      g.builder, g.location(), type,
      static_cast<ScatterKind>(g.random.below(5)), base, updates,
      access.operands(g), access.maps(g.builder.getContext()), anyBound(g)));
}

} // namespace gensyn::random_programs
