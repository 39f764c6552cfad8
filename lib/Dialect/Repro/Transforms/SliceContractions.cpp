// Float contractions become sums of products of 8-bit integers.

#include "gensyn/Dialect/Repro/IR/ReplacedSum.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/ErrorBound.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/DebugLog.h"

#include <limits>

#define DEBUG_TYPE "repro-slice-contractions"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_SLICECONTRACTIONSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// So many points might not fit an i64.
constexpr int64_t kMostPoints = int64_t(1) << 24;

/// A sum of so many products of two bytes, each at most 2^14, fits an i32.
constexpr int64_t kPointsOfI32 = (int64_t(1) << 17) - 1;

/// Exponents of rows with an infinity or a NaN, beyond those of all others.
constexpr double kNotFinite = 1 << 20;

/// How many slices operands have, and which products of slices are summed:
/// those of slices p and q, the first ones being the most significant, with
/// p + q <= last.
struct Slicing {
  int64_t slices;
  int64_t last;

  /// The integers of an operand are less than 2^(bits + 1), in absolute value.
  int64_t bits() const { return 8 * slices - 2; }
};

/// An operand in slices: the integers that its elements are, times a power of
/// two for each row.
struct SlicedOperand {
  Value slices;      ///< i8, with a dimension of slices at `place`
  int64_t place = 0; ///< before the first dimension that is summed
  Value exponents;   ///< i32, biased as in an f32; of the dimensions `dims`
  SmallVector<int64_t> dims; ///< of the result, in the operand's order
};

/// Builds the ops in place of a contraction.
class Slicer {
public:
  Slicer(ContractOp contract, Slicing slicing)
      : contract(contract), slicing(slicing),
        builder(contract.getLoc(), contract) {}

  Value build();

private:
  SlicedOperand slice(unsigned operand, bool isReversed);
  Value findExponents(Value rows);
  Value takeDigits(Value integers, int64_t place, bool isReversed);
  Value powerOfTwo(Value exponents);
  Value sumProducts(const SlicedOperand &left, const SlicedOperand &right,
                    int64_t level);
  Value scale(Value sums, const SlicedOperand &left,
              const SlicedOperand &right);

  Value filled(Value like, double value) {
    return createFilled(builder, builder.getLoc(), typeOf(like), value);
  }
  Value convert(Value value, Type element) {
    if (getElementTypeOrSelf(value) == element)
      return value;
    return ConvertOp::create(builder, typeOf(value).clone(element), value);
  }
  Value bits(Value value, Type element) {
    return BitcastOp::create(builder, typeOf(value).clone(element), value);
  }
  template <typename Op> Value with(Value value, double number) {
    return Op::create(builder, value, filled(value, number));
  }

  ContractOp contract;
  Slicing slicing;
  ImplicitLocOpBuilder builder;
};

/// The exponents of rows, biased as in an f32, from their largest absolute
/// values: an element is at most 2 - 2^-7 times its row's power of two, so that
/// the first slice is at most 127.
Value Slicer::findExponents(Value rows) {
  const Type i32 = builder.getI32Type();
  const Value pattern = bits(rows, i32);
  Value exponents = with<ShrOp>(with<AddOp>(pattern, 1 << 16), 23);
  // Subnormal numbers have the least exponent of normal ones.
  exponents = with<MaxOp>(exponents, 1);
  const Value isFinite = CompareOp::create(builder, CompareKind::Lt, pattern,
                                           filled(pattern, 0x7f800000));
  return SelectOp::create(builder, isFinite, exponents,
                          filled(exponents, kNotFinite));
}

/// 2^e in f32, for -126 <= e <= 127.
Value Slicer::powerOfTwo(Value exponents) {
  return bits(with<ShlOp>(with<AddOp>(exponents, 127), 23),
              builder.getF32Type());
}

/// The digits of base 256, from -128 to 127, of integers, along a new
/// dimension; the most significant one first, or last. Digit j is what 8 bits
/// hold of the integer shifted by j digits, after each of the j before was
/// rounded away.
Value Slicer::takeDigits(Value integers, int64_t place, bool isReversed) {
  SmallVector<int64_t> shape(shapeOf(integers)), kept;
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
    kept.push_back(dim + (dim >= place));
  shape.insert(shape.begin() + place, slicing.slices);
  const auto type = RankedTensorType::get(shape, builder.getI32Type());
  const Value all =
      createBroadcast(builder, builder.getLoc(), integers, type, kept);
  Value number = IotaOp::create(builder, type, uint64_t(place));
  if (!isReversed)
    number = SubOp::create(builder, filled(number, double(slicing.slices - 1)),
                           number);
  constexpr int64_t bitsOfDigit = 8, most = 3;
  const Value shift = with<MulOp>(number, bitsOfDigit);
  // Half a digit in each of those below.
  const Value left =
      SubOp::create(builder, filled(shift, most * bitsOfDigit), shift);
  const Value halves = ShrOp::create(builder, filled(shift, 0x808080), left);
  return convert(
      ShrOp::create(builder, AddOp::create(builder, all, halves), shift),
      builder.getI8Type());
}

SlicedOperand Slicer::slice(unsigned operand, bool isReversed) {
  const AffineMap map = contract.getMap(operand), out = contract.getMap(2);
  const Value value =
      convert(contract->getOperand(operand), builder.getF32Type());
  SlicedOperand sliced;
  // Rows are those of dimensions that the result has, too.
  SmallVector<int64_t> kept, summed;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    auto iterator = dyn_cast<AffineDimExpr>(index);
    const auto *found =
        iterator ? llvm::find(out.getResults(), index) : out.getResults().end();
    const int64_t at = found - out.getResults().begin();
    if (found == out.getResults().end() ||
        shapeOf(value)[dim] != shapeOf(contract.getResult())[size_t(at)] ||
        llvm::is_contained(sliced.dims, at)) {
      summed.push_back(int64_t(dim));
      continue;
    }
    kept.push_back(int64_t(dim));
    sliced.dims.push_back(at);
  }
  sliced.place = summed.empty() ? 0 : summed.front();
  const Value size = AbsOp::create(builder, value);
  sliced.exponents = findExponents(createReduceDims(
      builder, builder.getLoc(), ReduceKind::Max, size, summed));

  // Two factors, since one might be out of the range of f32.
  const Value shift = SubOp::create(
      builder, filled(sliced.exponents, double(slicing.bits() + 127)),
      sliced.exponents);
  const Value half = with<ShrOp>(shift, 1);
  const Value rest = SubOp::create(builder, shift, half);
  auto spread = [&](Value factor) {
    return createBroadcast(builder, builder.getLoc(), factor, typeOf(value),
                           kept);
  };
  Value scaled = MulOp::create(builder, value, spread(powerOfTwo(half)));
  scaled = MulOp::create(builder, scaled, spread(powerOfTwo(rest)));
  Value integers = convert(RoundOp::create(builder, RoundKind::Even, scaled),
                           builder.getI32Type());

  sliced.slices = takeDigits(integers, sliced.place, isReversed);
  return sliced;
}

/// The sum of all products of slices p and q with p + q = level, as an i64.
Value Slicer::sumProducts(const SlicedOperand &left, const SlicedOperand &right,
                          int64_t level) {
  const int64_t first = std::max<int64_t>(level - slicing.slices + 1, 0);
  const int64_t count = std::min(level, slicing.slices - 1) - first + 1;
  // An iterator over the slices, before those that are summed.
  const DomainAttr domain = contract.getDomain();
  const AffineMap out = contract.getMap(2);
  SmallVector<int64_t> extents(domain.getExtents());
  int64_t points = count * contract.getOrderedPoints();
  const unsigned slices = unsigned(domain.getReduced().front());
  extents.insert(extents.begin() + slices, count);
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> moved;
  for (unsigned iterator = 0; iterator < extents.size() - 1; ++iterator)
    moved.push_back(getAffineDimExpr(iterator + (iterator >= slices), context));
  auto move = [&](AffineMap map) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr index : map.getResults())
      indices.push_back(index.replaceDims(moved));
    return indices;
  };
  // The slices of an operand from `begin` on.
  auto take = [&](unsigned operand, const SlicedOperand &sliced,
                  int64_t begin) {
    SmallVector<AffineExpr> indices = move(contract.getMap(operand));
    indices.insert(indices.begin() + sliced.place,
                   getAffineDimExpr(slices, context) + begin);
    return indices;
  };
  SmallVector<AffineExpr> result = move(out);
  SmallVector<int64_t> shape(shapeOf(contract.getResult()));

  // Where a sum might not fit, that over slices becomes a dimension of the
  // result, and outer ones do.
  SmallVector<int64_t> inner = {int64_t(slices)};
  for (const int64_t iterator : domain.getReduced())
    inner.push_back(iterator + 1);
  int64_t blocks = 0;
  while (points > kPointsOfI32 && inner.size() > 1) {
    const int64_t outer = inner.front();
    points /= extents[size_t(outer)];
    result.insert(result.begin() + blocks,
                  getAffineDimExpr(unsigned(outer), context));
    shape.insert(shape.begin() + blocks++, extents[size_t(outer)]);
    inner.erase(inner.begin());
  }
  const Type element =
      points > kPointsOfI32 ? builder.getI64Type() : builder.getI32Type();
  auto mapOf = [&](ArrayRef<AffineExpr> indices) {
    return AffineMap::get(unsigned(extents.size()), 0, indices, context);
  };
  const ArrayAttr maps = builder.getAffineMapArrayAttr(
      // The right operand has the last slice first, so both ascend.
      {mapOf(take(0, left, first)),
       mapOf(take(1, right, slicing.slices - 1 - level + first)),
       mapOf(result)});
  Value sums = ContractOp::create(
      builder, RankedTensorType::get(shape, element), left.slices, right.slices,
      DomainAttr::get(context, extents, inner), maps, contract.getBoundsAttr(),
      OrderAttr());
  sums = convert(sums, builder.getI64Type());
  return blocks ? createReduce(builder, builder.getLoc(), ReduceKind::Sum, sums,
                               0, blocks - 1)
                : sums;
}

/// The sums, rounded to f32, times their rows' powers of two.
Value Slicer::scale(Value sums, const SlicedOperand &left,
                    const SlicedOperand &right) {
  const auto type = typeOf(contract.getResult()).clone(builder.getI32Type());
  auto spread = [&](const SlicedOperand &operand) {
    // A broadcast has dimensions in the result's order.
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(int64_t(operand.dims.size())));
    llvm::sort(order, [&](int64_t i, int64_t j) {
      return operand.dims[size_t(i)] < operand.dims[size_t(j)];
    });
    SmallVector<int64_t> dims, shape;
    for (int64_t dim : order) {
      dims.push_back(operand.dims[size_t(dim)]);
      shape.push_back(shapeOf(operand.exponents)[size_t(dim)]);
    }
    Value exponents = operand.exponents;
    if (!llvm::is_sorted(order))
      exponents = TransposeOp::create(
          builder, typeOf(exponents).clone(ArrayRef(shape)), exponents, order);
    return createBroadcast(builder, builder.getLoc(), exponents, type, dims);
  };
  const Value own = spread(left), other = spread(right);
  const Value both = AddOp::create(builder, own, other);
  const int64_t unit = 2 * (127 + slicing.bits()) -
                       8 * (2 * (slicing.slices - 1) - slicing.last);
  // Beyond these every product is an infinity, or zero.
  Value exponents = with<SubOp>(both, double(unit));
  exponents = with<MinOp>(with<MaxOp>(exponents, -252), 252);
  const Value half = with<ShrOp>(exponents, 1);
  const Value rest = SubOp::create(builder, exponents, half);
  Value result = convert(sums, builder.getF32Type());
  result = MulOp::create(builder, result, powerOfTwo(half));
  result = MulOp::create(builder, result, powerOfTwo(rest));
  // A zero is +0 (contract_r3).
  result = with<AddOp>(result, 0);
  const Value isFinite = CompareOp::create(builder, CompareKind::Lt, both,
                                           filled(both, kNotFinite));
  const Value nan = filled(result, std::numeric_limits<double>::quiet_NaN());
  builder.setLoc(withReplacedSum(
      builder.getLoc(),
      {.form = ("slices<" + Twine(slicing.slices) + ">").str(),
       .points = contract.getOrderedPoints(),
       .roundings = 1,
       .pointError = slicedPointError(slicing.slices, slicing.last)}));
  return SelectOp::create(builder, isFinite, result, nan);
}

Value Slicer::build() {
  const SlicedOperand left = slice(0, /*isReversed=*/false);
  const SlicedOperand right = slice(1, /*isReversed=*/true);
  Value sums;
  for (int64_t level = 0; level <= slicing.last; ++level) {
    const Value own = sumProducts(left, right, level);
    sums = sums ? AddOp::create(builder, with<ShlOp>(sums, 8), own) : own;
  }
  return scale(sums, left, right);
}

/// How the contraction is sliced; nothing if it stays.
std::optional<Slicing> chooseSlicing(ContractOp contract,
                                     int64_t fewestPoints) {
  if (!typeOf(contract.getResult()).getElementType().isF32() ||
      contract.getOrder())
    return std::nullopt;
  // A sum of one product may have no iterator.
  if (contract.getDomain().getReduced().empty())
    return std::nullopt;
  const int64_t points = contract.getOrderedPoints();
  if (points < std::max<int64_t>(fewestPoints, 1) || points >= kMostPoints)
    return std::nullopt;
  const bool isNarrow = llvm::all_of(contract->getOperands(), [](Value value) {
    return typeOf(value).getElementTypeBitWidth() <= 16;
  });
  return isNarrow ? Slicing{3, 3} : Slicing{4, 3};
}

struct SliceContractions final
    : impl::SliceContractionsPassBase<SliceContractions> {
  using SliceContractionsPassBase::SliceContractionsPassBase;

  void runOnOperation() override {
    SmallVector<ContractOp> contracts;
    getOperation().walk([&](ContractOp op) { contracts.push_back(op); });
    for (ContractOp contract : contracts) {
      const auto slicing = chooseSlicing(contract, fewestPoints);
      if (!slicing)
        continue;
      LDBG() << slicing->slices << " slices at " << contract.getLoc();
      contract.getResult().replaceAllUsesWith(
          Slicer(contract, *slicing).build());
      contract.erase();
    }
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
