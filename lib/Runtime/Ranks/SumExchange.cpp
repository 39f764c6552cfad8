// See SumExchange.h.

#include "SumExchange.h"

#include "Tags.h"

#include <algorithm>
#include <cstring>

namespace gensyn::runtime {

using communication::Transfer;

SumExchange::SumExchange(communication::Communicator &ranks,
                         const StepLayout &layout, std::vector<Cut> cuts,
                         Addition &addition, bool releases)
    : ranks(ranks), layout(layout), cuts(std::move(cuts)), addition(addition),
      releases(releases), results(layout.sums.size()) {
  const size_t count = layout.sums.size();
  for (int group = 0; group < layout.grid.groups(); ++group) {
    if (group == layout.grid.group())
      firstOwn = leaves.size();
    for (TreeNode node :
         nodesIn(layout.rangeOfGroup(group), layout.microbatches)) {
      Leaf &leaf = leaves.emplace_back();
      leaf.node = node;
      leaf.group = group;
      leaf.transfers.resize(count);
      std::vector<int64_t> offsets;
      int64_t bytes = 0;
      for (size_t sum = 0; sum < count; ++sum) {
        offsets.push_back(bytes);
        const int64_t size = this->cuts[sum][size_t(ranks.rank())].count *
                             byteWidth(typeOf(sum));
        if (!isOwn(leaf, sum))
          bytes +=
              (size + kRangeAlignment - 1) / kRangeAlignment * kRangeAlignment;
      }
      leaf.received = allocateInLargePages(size_t(bytes));
      for (size_t sum = 0; sum < count; ++sum)
        leaf.places.push_back(
            reinterpret_cast<std::byte *>(leaf.received.get()) + offsets[sum]);
    }
  }
}

std::span<std::byte> SumExchange::rangeOf(int rank, size_t sum,
                                          std::byte *bytes) const {
  return CutBytes{bytes, byteWidth(typeOf(sum)), &cuts[sum]}.range(rank);
}

void SumExchange::begin() {
  pending.clear();
  isAdded.assign(layout.sums.size(), false);
  for (size_t sum = 0; sum < layout.sums.size(); ++sum) {
    const int64_t stage = layout.sums[sum].stage;
    if (stage != layout.grid.stage())
      pending.push_back(sum);
    for (Leaf &leaf : leaves) {
      const auto size = size_t(cuts[sum][size_t(ranks.rank())].count *
                               byteWidth(typeOf(sum)));
      if (size && !isOwn(leaf, sum))
        leaf.transfers[sum] =
            ranks.receive(layout.grid.rankOf(leaf.group, stage), tagOfSum(sum),
                          {leaf.places[sum], size});
    }
  }
}

void SumExchange::offer(size_t node, size_t sum, std::byte *bytes) {
  const int own = ranks.rank(), size = ranks.size();
  leaves[firstOwn + node].places[sum] = rangeOf(own, sum, bytes).data();
  // Each begins with another rank, so that none gets all at once.
  for (int i = 1; i < size; ++i) {
    const int to = (own + i) % size;
    if (const auto range = rangeOf(to, sum, bytes); !range.empty())
      sends.push_back({ranks.send(to, tagOfSum(sum), range), range});
  }
  const bool isLastOwn =
      firstOwn + node + 1 == leaves.size() ||
      leaves[firstOwn + node + 1].group != layout.grid.group();
  if (isLastOwn)
    pending.push_back(sum);
}

bool SumExchange::isLeaf(TreeNode node) const {
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](const Leaf &leaf) { return leaf.node == node; });
}

/// Adds this rank's ranges of the leaves below `node`, of which `next` is the
/// first, and returns where the result is.
std::byte *SumExchange::addNodes(size_t sum, TreeNode node, size_t &next) {
  if (isLeaf(node)) {
    Leaf &leaf = leaves[next++];
    ranks.wait(leaf.transfers[sum]);
    return leaf.places[sum];
  }
  const auto [left, right] = node.children();
  std::byte *result = addNodes(sum, left, next);
  addition.add(typeOf(sum), result, addNodes(sum, right, next),
               cuts[sum][size_t(ranks.rank())].count);
  return result;
}

void SumExchange::add(size_t sum) {
  isAdded[sum] = true;
  if (cuts[sum][size_t(ranks.rank())].count == 0)
    return;
  size_t next = 0;
  results[sum] = addNodes(sum, {0, layout.microbatches}, next);
  for (const Leaf &leaf : leaves)
    if (releases && leaf.places[sum] != results[sum])
      releasePages(leaf.places[sum],
                   size_t(cuts[sum][size_t(ranks.rank())].count *
                          byteWidth(typeOf(sum))));
}

bool SumExchange::isComplete(size_t sum) const {
  return std::all_of(leaves.begin(), leaves.end(), [&](const Leaf &leaf) {
    return ranks.isDone(leaf.transfers[sum]);
  });
}

/// The bytes of what was sent are not read again.
void SumExchange::releaseSent() {
  std::erase_if(sends, [&](const Sent &sent) {
    if (!ranks.isDone(sent.transfer))
      return false;
    ranks.wait(sent.transfer); // throws if it failed
    releasePages(sent.bytes.data(), sent.bytes.size());
    return true;
  });
}

void SumExchange::progress() {
  std::erase_if(pending, [&](size_t sum) {
    if (!isComplete(sum))
      return false;
    add(sum);
    return true;
  });
  if (releases)
    releaseSent();
}

void SumExchange::finish() {
  for (size_t sum = 0; sum < layout.sums.size(); ++sum)
    if (!isAdded[sum])
      add(sum);
  for (const Sent &sent : sends)
    ranks.wait(sent.transfer);
  if (releases)
    releaseSent();
  sends.clear();
}

void SumExchange::share(std::span<const size_t> which, Sums &totals) {
  std::vector<CutBytes> shared;
  for (size_t sum : which) {
    CutBytes &bytes = shared.emplace_back(totals[sum].data(),
                                          byteWidth(typeOf(sum)), &cuts[sum]);
    const std::span<std::byte> own = bytes.range(ranks.rank());
    if (!own.empty() && own.data() != results[sum])
      std::memcpy(own.data(), results[sum], own.size());
  }
  gatherRanges(ranks, kTotalTag, shared);
}

} // namespace gensyn::runtime
