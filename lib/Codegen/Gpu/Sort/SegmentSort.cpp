// See SegmentSort.h.

#include "SegmentSort.h"

#include "MergeRuns.h"

using namespace mlir;

namespace gensyn::gpu {

/// Items per thread; fewer in small chunks, so that a warp is full.
static constexpr int64_t kItemsPerThread = 8;

SortSizes SegmentSort::sizes() const {
  SortSizes sizes;
  sizes.item = {/*keyBits=*/32, /*wordBits=*/64};
  sizes.extent = sizes.count = count;
  sizes.chunk = chunk;
  sizes.perThread = std::min(chunk / warpSize, kItemsPerThread);
  sizes.group = chunk / sizes.perThread;
  sizes.ways = ways;
  sizes.listRuns();
  return sizes;
}

LogicalResult
SegmentSort::emitChunks(KernelBuilder &b, Value shared, Value space,
                        function_ref<Value(Value)> targetOf) const {
  const SortSizes sizes = this->sizes();
  SortNetwork network(b, sizes, shared);
  bool hasFailed = false;
  SortNetwork::Items items = network.read([&](Value, Value number) {
    Value target = targetOf(number);
    hasFailed |= !target;
    return target ? network.items.make(target, number) : network.items.last();
  });
  writeRuns(network, network.sort(std::move(items)), space);
  return failure(hasFailed);
}

void SegmentSort::emitMerge(KernelBuilder &b, unsigned pass, Value from,
                            Value to) const {
  mergeRuns(b, sizes(), pass, ValueRange(from), ValueRange(to));
}

} // namespace gensyn::gpu
