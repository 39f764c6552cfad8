// See LinearIndex.h.

#include "gensyn/Codegen/Contraction/LinearIndex.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::codegen {

bool LinearIndex::isInside(ArrayRef<int64_t> extents) const {
  int64_t low = constant, high = constant;
  for (auto [step, count] : llvm::zip_equal(steps, extents))
    (step < 0 ? low : high) += step * (count - 1);
  return low >= 0 && high < extent;
}

// A linear map is determined by its values at the origin and at the unit
// vectors.
LinearIndices indicesOf(AffineMap map, ArrayRef<int64_t> shape) {
  unsigned rank = map.getNumDims();
  SmallVector<int64_t> point(rank, 0);
  auto origin = map.compose(ArrayRef<int64_t>(point));
  LinearIndices indices(shape.size());
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

Range rangeInside(int64_t constant, int64_t step, int64_t count,
                  int64_t extent) {
  if (step == 0)
    return constant >= 0 && constant < extent ? Range{0, count} : Range{};
  // Values grow with i, or fall with it.
  const int64_t size = std::abs(step),
                nearest = step > 0 ? -constant : constant - (extent - 1),
                furthest = step > 0 ? extent - 1 - constant : constant;
  const int64_t first =
      std::max<int64_t>(0, llvm::divideCeilSigned(nearest, size));
  const int64_t last =
      std::min(count - 1, llvm::divideFloorSigned(furthest, size));
  return first <= last ? Range{first, last - first + 1} : Range{};
}

} // namespace gensyn::codegen
