// How two tensors differ; see StepDifference.h.

#include "gensyn/Runtime/Formats/Compare.h"
#include "gensyn/Runtime/Replay/StepDifference.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>

namespace gensyn::runtime {

static TensorEntry entryOf(const Tensor &tensor) {
  TensorEntry entry;
  entry.type = tensor.elementType();
  entry.shape = tensor.shape();
  entry.data = reinterpret_cast<const uint8_t *>(tensor.data());
  entry.size = size_t(tensor.byteSize());
  return entry;
}

std::optional<ValueDifference>
compareValues(const Tensor &first, const Tensor &second, size_t mostWorst) {
  ValueDifference found;
  if (first.bitEqual(second))
    return std::nullopt;
  if (first.elementType() != second.elementType() ||
      first.shape() != second.shape()) {
    found.reason = longName(first.elementType()) +
                   describeShape(first.shape()) + " against " +
                   longName(second.elementType()) +
                   describeShape(second.shape());
    return found;
  }
  const TensorEntry a = entryOf(first), b = entryOf(second);
  found.elements = first.numElements();
  struct Worst {
    uint64_t ulps;
    int64_t element;
  };
  std::vector<Worst> worst; // the largest distance first
  visitDifferences(a, b, [&](int64_t element, uint64_t ulps) {
    ++found.different;
    const auto place =
        std::find_if(worst.begin(), worst.end(),
                     [&](const Worst &other) { return other.ulps < ulps; });
    worst.insert(place, {ulps, element});
    if (worst.size() > mostWorst)
      worst.pop_back();
  });
  for (const auto &[ulps, element] : worst)
    found.worst.push_back({indexOfElement(a, element), printElement(a, element),
                           printElement(b, element),
                           printElementBits(a, element),
                           printElementBits(b, element), ulps});
  return found;
}

} // namespace gensyn::runtime
