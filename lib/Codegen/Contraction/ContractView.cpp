// Converts the domain and maps of a contraction to axes; see ContractView.h.

#include "gensyn/Codegen/Contraction/ContractView.h"

#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::codegen {
namespace {

/// An index of a tensor as a linear function of all iterators of the domain.
struct LinearIndex {
  int64_t constant = 0;
  SmallVector<int64_t> steps;
  int64_t extent = 0, stride = 0;

  /// True if it stays in [0, extent) for all values of the iterators.
  bool isInside(ArrayRef<int64_t> extents) const {
    int64_t low = constant, high = constant;
    for (auto [step, count] : llvm::zip_equal(steps, extents))
      (step < 0 ? low : high) += step * (count - 1);
    return low >= 0 && high < extent;
  }
};

/// Returns the indices of a tensor. Maps are linear (domain_c1), so their
/// values at the origin and at the unit vectors determine them.
SmallVector<LinearIndex> indicesOf(AffineMap map, ArrayRef<int64_t> shape) {
  unsigned rank = map.getNumDims();
  SmallVector<int64_t> point(rank, 0);
  auto origin = map.compose(ArrayRef<int64_t>(point));
  SmallVector<LinearIndex> indices(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    indices[d].constant = origin[d];
    indices[d].extent = shape[d];
    indices[d].stride = stride;
    stride *= shape[d];
  }
  for (unsigned i = 0; i < rank; ++i) {
    point[i] = 1;
    auto moved = map.compose(ArrayRef<int64_t>(point));
    for (size_t d = 0; d < shape.size(); ++d)
      indices[d].steps.push_back(moved[d] - origin[d]);
    point[i] = 0;
  }
  return indices;
}

int64_t constantOf(ArrayRef<LinearIndex> indices) {
  int64_t sum = 0;
  for (const LinearIndex &index : indices)
    sum += index.constant * index.stride;
  return sum;
}
int64_t strideOf(ArrayRef<LinearIndex> indices, unsigned iterator) {
  int64_t sum = 0;
  for (const LinearIndex &index : indices)
    sum += index.steps[iterator] * index.stride;
  return sum;
}
bool uses(ArrayRef<LinearIndex> indices, unsigned iterator) {
  return llvm::any_of(indices, [&](const LinearIndex &index) {
    return index.steps[iterator] != 0;
  });
}

/// Returns the points per fma chain, or std::nullopt for another kind of order.
std::optional<int64_t> chainLength(repro::ContractOp op) {
  int64_t points = op.getDomain().getNumPoints();
  // Integers get the blocks that a float would have, so that schedules may
  // split them.
  if (!op.getOrder())
    return std::min(points, std::max<int64_t>(
                                1024, llvm::PowerOf2Ceil((points + 63) / 64)));
  Order order = op.getOrder()->getOrder();
  if (order.isSequential())
    return points;
  if (order.kind() == Order::Kind::Blocked && order.inner().isSequential() &&
      order.outer().isSequential())
    return std::min(order.blockSize(), points);
  return std::nullopt;
}

/// Returns the number of values i in [0, count) with 0 <= constant + i * step <
/// extent.
int64_t countInside(int64_t constant, int64_t step, int64_t count,
                    int64_t extent) {
  if (step < 0) {
    constant += (count - 1) * step;
    step = -step;
  }
  const int64_t first =
      std::max<int64_t>(0, llvm::divideCeilSigned(-constant, step));
  const int64_t last =
      std::min(count - 1, llvm::divideFloorSigned(extent - 1 - constant, step));
  return std::max<int64_t>(0, last - first + 1);
}

/// True if an expression reaches each index below its extent.
bool coversExtent(const LinearIndex &index, ArrayRef<int64_t> extents) {
  // Limit for windows; larger expressions are not analyzed.
  constexpr int64_t mostValues = 1 << 24;
  SmallVector<std::pair<int64_t, int64_t>> terms; // step, count
  int64_t product = 1;
  for (auto [step, count] : llvm::zip_equal(index.steps, extents)) {
    if (step == 0 || count == 1)
      continue;
    if (count == 0)
      return index.extent == 0;
    terms.push_back({step, count});
    product = saturatingMultiply(product, count);
  }
  if (terms.size() == 1)
    return countInside(index.constant, terms[0].first, terms[0].second,
                       index.extent) == index.extent;
  if (product > mostValues)
    return false;
  SmallVector<int64_t> values{index.constant};
  for (auto [step, count] : terms) {
    const size_t known = values.size();
    for (int64_t i = 1; i < count; ++i)
      for (size_t j = 0; j < known; ++j)
        values.push_back(values[j] + i * step);
  }
  return llvm::count_if(values, [&](int64_t value) {
           return value >= 0 && value < index.extent;
         }) == index.extent;
}

/// True if each element of the result is reached. Parallel iterators reach
/// different elements (domain_c3), so counting suffices, per dimension if no
/// two dimensions share iterators. (An iterator with no values reaches nothing,
/// even if no expression has it.)
bool coversResult(repro::DomainAttr domain, ArrayRef<LinearIndex> indices,
                  ArrayRef<int64_t> extents) {
  for (unsigned i = 0; i < extents.size(); ++i)
    if ((extents[i] == 0 && !domain.isReduced(i)) ||
        llvm::count_if(indices, [&](const LinearIndex &index) {
          return index.steps[i] != 0;
        }) > 1)
      return false;
  return llvm::all_of(indices, [&](const LinearIndex &index) {
    return coversExtent(index, extents);
  });
}

/// True if tiles support a result's type: f32, f64, integers of whole bytes.
bool isTileResult(Type element) {
  return element.isF32() || element.isF64() ||
         (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() >= 8);
}
/// True if an operand can be widened to the result's type.
bool isTileOperand(Type element) {
  return isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 2;
}

class ViewBuilder {
public:
  /// 0 lanes: a view of tiles.
  ViewBuilder(repro::ContractOp op, int64_t lanes)
      : op(op), lanes(lanes), extents(op.getDomain().getExtents()) {}

  std::optional<ContractView> build() {
    auto chain = chainLength(op);
    if (!chain || !readTensors())
      return std::nullopt;
    result.gemm.blockSize = *chain;
    if (!sortIterators())
      return std::nullopt;
    orderByResult(result.gemm.rows);
    orderByResult(columns);
    if (isTiled()) {
      gemm().columns = columns;
      return result;
    }
    moveRowsToBatch();
    return cutRun() ? std::optional(result) : std::nullopt;
  }

private:
  GemmView &gemm() { return result.gemm; }
  bool isTiled() const { return lanes == 0; }

  bool readTensors() {
    SmallVector<Type> types{op.getLhs().getType(), op.getRhs().getType(),
                            op.getResult().getType()};
    int64_t results = 1;
    for (auto [number, type] : llvm::enumerate(types)) {
      auto tensor = cast<RankedTensorType>(type);
      Type element = tensor.getElementType();
      const bool isTaken = !isTiled()   ? element.isF32()
                           : number < 2 ? isTileOperand(element)
                                        : isTileResult(element);
      // Lanes are addressed by i32.
      if (!isTaken || tensor.getNumElements() == 0 ||
          tensor.getNumElements() > std::numeric_limits<int32_t>::max())
        return false;
      indices[number] = indicesOf(op.getMap(number), tensor.getShape());
      results = tensor.getNumElements();
    }
    if (op.getDomain().getNumPoints() == 0)
      return false;
    if (isTiled())
      return coversResult(op.getDomain(), indices[2], extents);
    // Parallel iterators reach different elements (domain_c3), so if there are
    // as many values as elements and all are in bounds, all elements are
    // reached.
    int64_t reached = 1;
    for (int64_t iterator : op.getDomain().getParallel())
      reached *= extents[iterator];
    if (reached != results)
      return false;
    return llvm::all_of(indices[2], [&](const LinearIndex &index) {
      return index.isInside(extents);
    });
  }

  /// B is the operand with the iterator along the result's innermost dimension;
  /// an iterator of both operands is a batch iterator.
  bool sortIterators() {
    std::optional<unsigned> innermost;
    for (int64_t i : op.getDomain().getParallel())
      if (extents[i] > 1 && !isSkipping(i) &&
          (!isTiled() || strideOf(indices[2], i) >= 0) &&
          (isTiled() ? !innermost || strideOf(indices[2], i) <
                                         strideOf(indices[2], *innermost)
                     : strideOf(indices[2], i) == 1))
        innermost = i;
    result.swapped = innermost && uses(indices[0], *innermost);
    if (innermost &&
        uses(indices[0], *innermost) == uses(indices[1], *innermost))
      return false;
    unsigned a = result.swapped ? 1 : 0, b = 1 - a;
    if (!findChecks(a, gemm().aChecks, aChecked) ||
        !findChecks(b, gemm().bChecks, bChecked))
      return false;
    for (auto [d, index] : llvm::enumerate(indices[2]))
      if (!index.isInside(extents)) {
        gemm().cChecks.push_back({index.constant, index.extent});
        cChecked.push_back(d);
      }
    gemm().aOffset = constantOf(indices[a]);
    gemm().bOffset = constantOf(indices[b]);
    gemm().cOffset = constantOf(indices[2]);
    for (unsigned i = 0; i < extents.size(); ++i) {
      if (extents[i] == 1)
        continue;
      GemmAxis axis;
      axis.extent = extents[i];
      axis.a = strideOf(indices[a], i);
      axis.b = strideOf(indices[b], i);
      axis.c = strideOf(indices[2], i);
      for (unsigned d : aChecked)
        axis.aChecks.push_back(indices[a][d].steps[i]);
      for (unsigned d : bChecked)
        axis.bChecks.push_back(indices[b][d].steps[i]);
      for (unsigned d : cChecked)
        axis.cChecks.push_back(indices[2][d].steps[i]);
      for (auto [operand, d] : skipped)
        axis.skips.push_back(indices[operand][d].steps[i]);
      if (axis.c < 0)
        return false;
      if (op.getDomain().isReduced(i))
        gemm().points.push_back(axis);
      else if (isSkipping(i) || uses(indices[a], i) == uses(indices[b], i))
        gemm().batch.push_back(axis);
      else if (uses(indices[a], i))
        gemm().rows.push_back(axis);
      else
        columns.push_back(axis);
    }
    return true;
  }

  /// True if points are skipped depending on the iterator.
  bool isSkipping(unsigned iterator) {
    for (unsigned operand = 0; operand < 2; ++operand)
      if (op.getBound(operand) == repro::Bound::Skip)
        for (const LinearIndex &index : indices[operand])
          if (index.steps[iterator] != 0 && !index.isInside(extents))
            return true;
    return false;
  }

  /// Finds the indices of an operand that may be out of bounds. A matrix
  /// product cannot express a skipped window unless the whole product skips the
  /// point.
  bool findChecks(unsigned operand, SmallVector<GemmCheck, 2> &checks,
                  SmallVector<unsigned> &dimensions) {
    for (auto [d, index] : llvm::enumerate(indices[operand])) {
      if (index.isInside(extents))
        continue;
      if (op.getBound(operand) != repro::Bound::Zero) {
        if (!isTiled() || op.getBound(operand) != repro::Bound::Skip)
          return false;
        gemm().skips.push_back({index.constant, index.extent});
        skipped.push_back({operand, static_cast<unsigned>(d)});
        continue;
      }
      checks.push_back({index.constant, index.extent});
      dimensions.push_back(d);
    }
    return true;
  }

  static void orderByResult(GemmAxes &axes) {
    llvm::sort(axes,
               [](const GemmAxis &x, const GemmAxis &y) { return x.c > y.c; });
  }

  /// Keeps as rows the inner iterators that have a single stride in C; the
  /// others become batch iterators.
  void moveRowsToBatch() {
    ArrayRef<GemmAxis> rows(gemm().rows);
    size_t moved = 0;
    while (!singleStride(rows.drop_front(moved), GemmTensor::C))
      ++moved;
    gemm().batch.append(rows.begin(), rows.begin() + moved);
    gemm().rows.erase(gemm().rows.begin(), gemm().rows.begin() + moved);
  }

  /// The run is contiguous in C. A shorter run is chosen if it is contiguous in
  /// B too and wastes few lanes, so that no element needs to be gathered.
  bool cutRun() {
    ArrayRef<GemmAxis> all(columns);
    size_t start = all.size();
    int64_t length = 1;
    while (start > 0 && all[start - 1].c == length)
      length *= all[--start].extent;
    if (start == all.size() && !all.empty())
      return false;
    size_t shorter = all.size();
    length = 1;
    while (shorter > start && all[shorter - 1].b == length)
      length *= all[--shorter].extent;
    int64_t vectors = (length + lanes - 1) / lanes;
    if (shorter < all.size() && 10 * length >= 6 * vectors * lanes)
      start = shorter;
    gemm().columns.assign(all.begin(), all.begin() + start);
    gemm().run.assign(all.begin() + start, all.end());
    return true;
  }

  repro::ContractOp op;
  int64_t lanes;
  ArrayRef<int64_t> extents;
  SmallVector<LinearIndex> indices[3];
  SmallVector<unsigned> aChecked, bChecked, cChecked;
  SmallVector<std::pair<unsigned, unsigned>> skipped; ///< operand, dimension
  GemmAxes columns;
  ContractView result;
};

} // namespace

std::optional<ContractView> viewContract(repro::ContractOp op, int64_t lanes) {
  return ViewBuilder(op, lanes).build();
}

std::optional<ContractView> viewContractTiles(repro::ContractOp op) {
  return ViewBuilder(op, /*lanes=*/0).build();
}

} // namespace gensyn::codegen
