// See TensorTile.h.

#include "gensyn/Runtime/Ranks/TensorTile.h"

#include "PartInputs.h"

#include <algorithm>

namespace gensyn::runtime {

TensorTile::TensorTile(std::vector<int64_t> shape)
    : TensorTile(shape, std::vector<int64_t>(shape.size(), 0), shape) {}

TensorTile::TensorTile(std::vector<int64_t> shape, std::vector<int64_t> begins,
                       std::vector<int64_t> counts)
    : whole(std::move(shape)), starts(std::move(begins)),
      sizes(std::move(counts)), runDims(whole.size()) {
  bool fits = starts.size() == whole.size() && sizes.size() == whole.size();
  for (size_t i = 0; fits && i < whole.size(); ++i)
    fits = starts[i] >= 0 && sizes[i] >= 0 && starts[i] <= whole[i] &&
           sizes[i] <= whole[i] - starts[i];
  if (!fits || !countElements(whole))
    failParts("have a part of another tensor");
  // A run goes on over a dimension whose next one is whole.
  while (runDims > 0) {
    --runDims;
    runLength *= sizes[runDims];
    if (sizes[runDims] != whole[runDims])
      break;
  }
  for (size_t i = 0; i < runDims; ++i)
    runs *= sizes[i];
}

/// The number in the tensor of the first element of a run.
int64_t TensorTile::beginOfRun(int64_t run) const {
  int64_t stride = 1, begin = 0;
  for (size_t i = whole.size(); i-- > 0;) {
    int64_t index = starts[i];
    if (i < runDims) {
      index += run % sizes[i];
      run /= sizes[i];
    }
    begin += index * stride;
    stride *= whole[i];
  }
  return begin;
}

bool TensorTile::overlaps(const TensorTile &other) const {
  for (size_t i = 0; i < whole.size(); ++i)
    if (std::max(starts[i], other.starts[i]) >=
        std::min(starts[i] + sizes[i], other.starts[i] + other.sizes[i]))
      return false;
  return true;
}

std::vector<TensorTile::Run> TensorTile::runsIn(Range range) const {
  std::vector<Run> found;
  if (elements() == 0)
    return found;
  // The first run that ends behind the beginning of the range: runs ascend.
  int64_t first = 0, last = runs;
  while (first < last) {
    const int64_t middle = first + (last - first) / 2;
    if (beginOfRun(middle) + runLength <= range.begin)
      first = middle + 1;
    else
      last = middle;
  }
  for (int64_t run = first; run < runs; ++run) {
    const int64_t place = beginOfRun(run);
    const int64_t begin = std::max(place, range.begin);
    const int64_t end = std::min(place + runLength, range.begin + range.count);
    if (begin >= end)
      break;
    found.push_back({begin, run * runLength + begin - place, end - begin});
  }
  return found;
}

} // namespace gensyn::runtime
