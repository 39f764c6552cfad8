// See Convolution.h.

#include "Convolution.h"

#include "gensyn/Dialect/Repro/IR/LinearExpr.h"
#include "gensyn/Dialect/Repro/IR/Permuted.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace gensyn::repro {

namespace {
/// Costs in processor cycles, from measurements of convolutions with AVX-512.
struct Costs {
  static constexpr double kLanes = 16; ///< of a vector
  static constexpr double kFma = 0.5;  ///< a vector
  /// A vector of an image's positions that is copied for all filters.
  static constexpr double kCopied = 3, kCopiedFar = 9;
  /// The same with gaps, and of so many points that lines of the image leave
  /// the first cache before they are read again.
  static constexpr double kStrided = 3, kStridedFar = 10;
  static constexpr int64_t kNearPoints = 512;
  static constexpr double kNearBytes = 1 << 20; ///< of the second cache
  /// Pointers to six rows of positions, and those of each tap.
  static constexpr double kPointers = 15, kTap = 8, kRows = 6;
  /// Parts of the time that are added: by register tiles of one or two vectors
  /// of filters, and by pixels whose distance maps them to one set of a cache.
  static constexpr double kNarrow = 0.2, kAliased = 0.25;
  static constexpr int64_t kAliasedElements = 1024, kPanel = 64;
  /// An element of a copy of the image with zeros around it.
  static constexpr double kPadded = 1;
  /// An element of filters that are copied in each run.
  static constexpr double kFilter = 1;
};

double roundedUp(double count) {
  return std::ceil(count / Costs::kLanes) * Costs::kLanes;
}

std::optional<unsigned> asIterator(AffineExpr expr) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}
} // namespace

SmallVector<int64_t> channelsLast(int64_t rank) {
  SmallVector<int64_t> permutation = {0};
  for (int64_t dim = 2; dim < rank; ++dim)
    permutation.push_back(dim);
  permutation.push_back(1);
  return permutation;
}

bool mayHaveChannels(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 3 && type.getNumElements() > 0;
}

std::optional<Convolution> Convolution::match(Operation *op) {
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || !mayHaveChannels(contract.getResult()) ||
      !llvm::all_of(op->getOperandTypes(), [&](Type type) {
        return getElementTypeOrSelf(type).isF32();
      }))
    return std::nullopt;
  const auto numbers = findPermutedOperands(
      op, channelsLast(int64_t(shapeOf(contract.getResult()).size())));
  if (!numbers || numbers->size() != 1)
    return std::nullopt;
  const unsigned image = numbers->front();
  AffineMap ofImage = contract.getMap(image),
            ofFilter = contract.getMap(1 - image),
            ofResult = contract.getMap(2);
  DomainAttr domain = contract.getDomain();
  const ArrayRef<int64_t> extents = domain.getExtents();
  const auto batch = asIterator(ofResult.getResult(0)),
             filter = asIterator(ofResult.getResult(1)),
             channel = asIterator(ofImage.getResult(1));
  if (!batch || !filter || !channel || domain.getNumPoints() == 0 ||
      !domain.isReduced(*channel) || ofImage.isFunctionOfDim(*filter) ||
      ofFilter.isFunctionOfDim(*batch))
    return std::nullopt;
  Convolution found = {extents[*batch], 1, extents[*filter], extents[*channel],
                       domain.getNumPoints() / extents[*channel]};
  found.image = image;
  found.filter = op->getOperand(1 - image);
  for (AffineExpr expr : ofResult.getResults().drop_front(2)) {
    const auto position = asIterator(expr);
    if (!position || ofFilter.isFunctionOfDim(*position))
      return std::nullopt;
    found.positions *= extents[*position];
    for (AffineExpr index : ofImage.getResults()) {
      auto linear = LinearExpr::get(index, ofImage.getNumDims());
      if (failed(linear))
        return std::nullopt;
      found.stride =
          std::max(found.stride, std::abs(linear->coefficients[*position]));
    }
  }
  if (failed(found.findPadding(contract)))
    return std::nullopt;
  return found;
}

bool Convolution::hasFewChannels() const {
  return double(channels) < Costs::kLanes;
}

bool Convolution::isAliased() const {
  return taps > 1 && stride * channels % Costs::kAliasedElements == 0;
}

LogicalResult Convolution::findPadding(ContractOp op) {
  const AffineMap map = op.getMap(image);
  const ArrayRef<int64_t> shape = shapeOf(op->getOperand(image));
  for (auto [index, extent] : llvm::zip_equal(map.getResults(), shape)) {
    auto linear = LinearExpr::get(index, map.getNumDims());
    if (failed(linear))
      return failure();
    int64_t first = linear->constant, last = linear->constant;
    for (auto [step, count] :
         llvm::zip_equal(linear->coefficients, op.getDomain().getExtents()))
      (step < 0 ? first : last) += step * (count - 1);
    low.push_back(std::max<int64_t>(-first, 0));
    high.push_back(std::max<int64_t>(last - (extent - 1), 0));
  }
  if (hasFewChannels() && needsCopy()) {
    // Vectors that copy rows do not cross their ends.
    const int64_t aligned = std::gcd(shape.back(), int64_t(Costs::kLanes));
    low.back() = (low.back() + aligned - 1) / aligned * aligned;
  } else if (isAliased()) {
    high[1] += int64_t(Costs::kLanes);
  }
  copied = 1;
  for (auto [before, extent, after] : llvm::zip_equal(low, shape, high))
    copied *= double(before + extent + after);
  mayPad = op.getBound(image) != Bound::Skip;
  return success();
}

bool Convolution::needsCopy() const {
  return llvm::any_of(llvm::concat<const int64_t>(low, high),
                      [](int64_t count) { return count > 0; });
}

Convolution::Gain Convolution::gain(bool lasts) const {
  const auto ofFilters = double(filters), ofPoints = double(points()),
             rows = double(images * positions);
  const double fmas = rows * ofFilters * ofPoints / Costs::kLanes;
  const bool isFar =
      rows * double(channels) * sizeof(float) > Costs::kNearBytes;
  // Lanes past the end of an image, unless those of a batch are joined.
  const double run = images > 1 && double(positions) >= Costs::kLanes
                         ? rows
                         : double(positions);
  double packed = 0;
  if (stride > 1)
    packed =
        points() > Costs::kNearPoints ? Costs::kStridedFar : Costs::kStrided;
  else if (taps == 1)
    packed = isFar ? Costs::kCopiedFar : Costs::kCopied;
  const double along =
      fmas * roundedUp(run) / run * (Costs::kFma + packed / ofFilters);

  const double wide = roundedUp(ofFilters) / ofFilters;
  const double products = fmas * Costs::kFma * wide;
  const double perTile = ofPoints * roundedUp(ofFilters) / Costs::kLanes *
                         Costs::kFma * Costs::kRows;
  double added = Costs::kPointers / perTile;
  if (ofFilters < Costs::kPanel * 3 / 4)
    added += Costs::kNarrow;
  // What a copy, or an image without bounds, saves.
  double bounds = products * Costs::kTap * double(taps) / perTile;
  if (isAliased())
    bounds += products * Costs::kAliased;
  const double copying = needsCopy() ? copied * Costs::kPadded : 0;
  const bool isUnbounded = mayPad && taps > 1 && copying < bounds;
  const double across = products * (1 + added) +
                        (isUnbounded ? copying : bounds) +
                        (lasts ? 0 : ofPoints * ofFilters * Costs::kFilter);
  return {along - across, isUnbounded};
}

} // namespace gensyn::repro
