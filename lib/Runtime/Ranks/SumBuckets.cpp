// See SumBuckets.h.

#include "SumBuckets.h"

#include "PartInputs.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace gensyn::runtime {

/// Appends the numbers of a text that are not yet in `order`.
static void append(const std::string &text, std::vector<size_t> &order,
                   std::vector<bool> &isKnown) {
  std::istringstream numbers(text);
  for (size_t sum = 0; numbers >> sum;) {
    if (sum >= isKnown.size())
      failParts("of ranks have other sums");
    if (!isKnown[sum])
      order.push_back(sum);
    isKnown[sum] = true;
  }
}

std::vector<size_t> agreeOnOrder(const StepLayout &layout,
                                 const std::vector<size_t> &own,
                                 communication::Communicator &ranks) {
  std::string mine;
  for (size_t sum : own)
    mine += std::to_string(sum) + " ";
  const std::vector<std::string> all = ranks.gather(mine);
  std::vector<size_t> order;
  std::vector<bool> isKnown(layout.sums.size(), false);
  // A group whose programs have loops knows no order; others may.
  const RankGrid &grid = layout.grid;
  for (int place = 0; place < grid.places(); ++place)
    for (int group = 0; group < grid.groups(); ++group)
      append(all[size_t(grid.rankOf(group, place))], order, isKnown);
  for (size_t sum = 0; sum < isKnown.size(); ++sum)
    if (!isKnown[sum])
      order.push_back(sum);
  return order;
}

int64_t bucketBytes(int ranks) {
  return std::max<int64_t>(int64_t(8) << 20, int64_t(ranks) << 18);
}

std::vector<Cut> cutInBuckets(std::span<const Port> tensors, int ranks,
                              int64_t bytes) {
  std::vector<Cut> cuts;
  for (size_t first = 0; first < tensors.size(); first = cuts.size()) {
    int64_t filled = 0;
    size_t count = 0;
    for (; first + count < tensors.size() && filled < bytes; ++count) {
      const Port &next = tensors[first + count];
      filled += countBytes(next.type, next.shape).value_or(0);
    }
    for (Cut &cut : cutEvenly(tensors.subspan(first, count), ranks))
      cuts.push_back(std::move(cut));
  }
  return cuts;
}

SumCuts::SumCuts(const StepLayout &layout, std::span<const size_t> order,
                 const TensorCuts &known, Islands given, int64_t bucket)
    : cuts(layout.sums.size()), shared(layout.sums.size(), false),
      islands(given) {
  const int ranks = layout.grid.ranks;
  std::vector<Port> ports;
  std::vector<size_t> numbers;
  for (size_t sum : order) {
    const Port &port = layout.sums[sum].port;
    if (const Cut *cut =
            known.find(nameOfSum(sum), countElements(port.shape).value_or(0))) {
      cuts[sum] = *cut;
      continue;
    }
    shared[sum] = true;
    numbers.push_back(sum);
    ports.push_back(port);
  }
  const std::vector<Cut> even = cutInBuckets(ports, ranks, bucket);
  for (size_t i = 0; i < numbers.size(); ++i)
    for (int rank = 0; rank < ranks; ++rank)
      cuts[numbers[i]].push_back(even[i][size_t(islands.positionOf(rank))]);
  if (islands.size == 1)
    return;
  for (const Cut &cut : cuts) {
    Cut &ofPlaces = parts.emplace_back();
    for (int place = 0; place < islands.size; ++place)
      ofPlaces.push_back(joinRanges(cut, islands, place));
  }
}

} // namespace gensyn::runtime
