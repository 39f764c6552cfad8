// See Boxes.h. An index that may leave its bounds gives, for any values of its
// other iterators, the range of one of them, which is called bounded. The
// other iterators are enumerated, and values with equal ranges joined.

#include "Boxes.h"

#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn::codegen {
namespace {

/// Values of the enumerated iterators that are visited at most.
constexpr int64_t kMostValues = 4096;

class Divider {
public:
  Divider(repro::ContractOp op, ArrayRef<LinearIndices> indices)
      : op(op), extents(op.getDomain().getExtents()), indices(indices),
        isBounded(extents.size()) {}

  std::optional<SmallVector<Box>> divide() {
    for (unsigned operand = 0; operand < 2; ++operand)
      if (op.getBound(operand) == repro::Bound::Skip)
        for (const LinearIndex &index : indices[operand])
          if (!addSkip(index))
            return std::nullopt;
    for (const LinearIndex &index : indices[2])
      if (!index.isInside(extents))
        constrain(index, *largest(index));
    int64_t values = 1;
    for (const Constraint &constraint : constraints)
      for (unsigned i : iteratorsOf(*constraint.index)) {
        if (i == constraint.bounded || llvm::is_contained(enumerated, i))
          continue;
        if (isBounded[i])
          return std::nullopt;
        enumerated.push_back(i);
        values = saturatingMultiply(values, extents[i]);
      }
    if (values > kMostValues)
      return std::nullopt;
    Box whole;
    for (int64_t extent : extents)
      whole.push_back({0, extent});
    SmallVector<Box> boxes = enumerate(0, whole);
    if (boxes.size() > kMostBoxes || !coverResult(boxes))
      return std::nullopt;
    return boxes;
  }

private:
  /// The index bounds one of its iterators.
  struct Constraint {
    const LinearIndex *index;
    unsigned bounded;
  };

  SmallVector<unsigned> iteratorsOf(const LinearIndex &index) {
    SmallVector<unsigned> result;
    for (unsigned i = 0; i < extents.size(); ++i)
      if (index.steps[i] != 0 && extents[i] > 1)
        result.push_back(i);
    return result;
  }
  std::optional<unsigned> largest(const LinearIndex &index) {
    std::optional<unsigned> result;
    for (unsigned i : iteratorsOf(index))
      if (!result || extents[i] > extents[*result])
        result = i;
    return result;
  }
  void constrain(const LinearIndex &index, unsigned bounded) {
    constraints.push_back({&index, bounded});
    isBounded[bounded] = true;
  }

  /// Bounds the points that an index does not skip: one iterator of points.
  bool addSkip(const LinearIndex &index) {
    if (index.isInside(extents))
      return true;
    std::optional<unsigned> reduced; // may have one value, and lose it
    for (unsigned i = 0; i < extents.size(); ++i)
      if (index.steps[i] != 0 && op.getDomain().isReduced(i)) {
        if (reduced)
          return false;
        reduced = i;
      }
    if (!reduced)
      return false;
    constrain(index, *reduced);
    return true;
  }

  /// Returns the boxes for the values in `box` of the enumerated iterators
  /// before `number`, and all values of the others.
  SmallVector<Box> enumerate(size_t number, Box &box) {
    if (number == enumerated.size())
      return bound(box);
    const unsigned iterator = enumerated[number];
    const Range all = box[iterator];
    SmallVector<Box> result;
    size_t joinable = 0; // the last boxes, which may be extended
    for (int64_t value = 0; value < all.count; ++value) {
      box[iterator] = {value, 1};
      SmallVector<Box> next = enumerate(number + 1, box);
      auto last = MutableArrayRef<Box>(result).take_back(joinable);
      auto isSame = [&](const Box &x, const Box &y) {
        for (auto [i, ranges] : llvm::enumerate(llvm::zip_equal(x, y)))
          if (i != iterator && std::get<0>(ranges) != std::get<1>(ranges))
            return false;
        return true;
      };
      if (!next.empty() && joinable == next.size() &&
          llvm::equal(last, next, isSame)) {
        for (Box &known : last)
          ++known[iterator].count;
        continue;
      }
      joinable = next.size();
      result.append(next);
    }
    box[iterator] = all;
    return result;
  }

  /// Returns the box with its bounded iterators, or nothing if no result is in
  /// bounds.
  SmallVector<Box> bound(const Box &box) {
    Box result = box;
    for (const Constraint &constraint : constraints) {
      const LinearIndex &index = *constraint.index;
      int64_t constant = index.constant;
      for (unsigned i = 0; i < extents.size(); ++i)
        if (i != constraint.bounded)
          constant += index.steps[i] * box[i].low;
      Range &range = result[constraint.bounded];
      const Range inside =
          rangeInside(constant, index.steps[constraint.bounded],
                      extents[constraint.bounded], index.extent);
      const int64_t low = std::max(range.low, inside.low),
                    end = std::min(range.low + range.count,
                                   inside.low + inside.count);
      range = low < end ? Range{low, end - low} : Range{};
      if (range.count == 0 && !op.getDomain().isReduced(constraint.bounded))
        return {};
    }
    return {result};
  }

  /// Parallel iterators reach different elements (domain_c3), so counting
  /// suffices.
  bool coverResult(ArrayRef<Box> boxes) {
    int64_t reached = 0, elements = 1;
    for (const Box &box : boxes) {
      int64_t count = 1;
      for (int64_t iterator : op.getDomain().getParallel())
        count *= box[size_t(iterator)].count;
      reached += count;
    }
    for (const LinearIndex &index : indices[2])
      elements *= index.extent;
    return reached == elements;
  }

  repro::ContractOp op;
  ArrayRef<int64_t> extents;
  ArrayRef<LinearIndices> indices;
  SmallVector<bool> isBounded;
  SmallVector<Constraint> constraints;
  SmallVector<unsigned> enumerated;
};

} // namespace

std::optional<SmallVector<Box>>
divideIntoBoxes(repro::ContractOp op, ArrayRef<LinearIndices> indices) {
  return Divider(op, indices).divide();
}

} // namespace gensyn::codegen
