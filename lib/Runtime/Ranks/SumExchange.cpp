// See SumExchange.h.

#include "SumExchange.h"

#include "Tags.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gensyn::runtime {

using communication::Transfer;

SumExchange::SumExchange(communication::Communicator &ranks,
                         const StepLayout &layout, SumCuts given,
                         Addition &addition, bool releases)
    : ranks(ranks), layout(layout), cuts(std::move(given)), addition(addition),
      nodes(nodesIn(layout.range(), layout.microbatches).size()),
      farArriving(layout.sums.size()), results(layout.sums.size()),
      totals(layout.sums.size()), ownTotals(layout.sums.size()) {
  makeFirst(releases);
  if (cuts.islands.size > 1)
    makeFar(releases);
}

/// A level without leaves in which no rank adds anything.
SumLevelPlan SumExchange::describe(uint32_t tag) const {
  SumLevelPlan plan;
  for (const StepLayout::Sum &sum : layout.sums)
    plan.types.push_back(sum.port.type);
  plan.parts.resize(layout.sums.size());
  plan.cuts.assign(layout.sums.size(), Cut(size_t(ranks.size())));
  plan.released.assign(layout.sums.size(), false);
  plan.tag = tag;
  return plan;
}

/// Adds the nodes of groups. Returns the number of this rank's first one.
size_t SumExchange::addLeaves(SumLevelPlan &plan, int first, int count) const {
  size_t own = 0;
  for (int group = first; group < first + count; ++group) {
    if (group == layout.grid.group())
      own = plan.leaves.size();
    for (TreeNode node :
         nodesIn(layout.rangeOfGroup(group), layout.microbatches))
      plan.leaves.push_back({node, layout.grid.rankOf(group, 0)});
  }
  return own;
}

/// What the groups that run microbatches have of a sum.
std::vector<SumLevelPlan::Part> SumExchange::partsOfGroups(size_t sum) const {
  std::vector<SumLevelPlan::Part> parts;
  for (const auto &[place, tile] : layout.sums[sum].parts)
    parts.push_back({place, tile});
  return parts;
}

std::vector<bool> SumExchange::findReleased(bool releases) const {
  std::vector<bool> released;
  for (const bool isShared : cuts.shared)
    released.push_back(releases && !isShared);
  return released;
}

std::vector<TreeNode> SumExchange::nodesOfIsland(int island) const {
  const int groups = cuts.islands.size / layout.grid.places();
  return nodesIn({layout.rangeOfGroup(island * groups).begin,
                  layout.rangeOfGroup((island + 1) * groups - 1).end},
                 layout.microbatches);
}

void SumExchange::makeFirst(bool releases) {
  const Islands &islands = cuts.islands;
  SumLevelPlan plan = describe(tagOfSum(0));
  plan.released = findReleased(releases);
  for (size_t sum = 0; sum < layout.sums.size(); ++sum)
    plan.parts[sum] = partsOfGroups(sum);
  if (islands.size == 1) {
    plan.cuts = cuts.cuts;
    plan.roots = {{0, layout.microbatches}};
    ownOfFirst = addLeaves(plan, 0, layout.grid.groups());
  } else {
    const int own = islands.of(ranks.rank());
    const int groups = islands.size / layout.grid.places();
    for (size_t sum = 0; sum < layout.sums.size(); ++sum)
      for (int place = 0; place < islands.size; ++place)
        plan.cuts[sum][size_t(islands.rankOf(own, place))] = partOf(sum, place);
    plan.roots = nodesOfIsland(own);
    ownOfFirst = addLeaves(plan, own * groups, groups);
  }
  first.emplace(ranks, std::move(plan), addition);
}

void SumExchange::makeFar(bool releases) {
  const Islands &islands = cuts.islands;
  const int place = islands.placeOf(ranks.rank());
  SumLevelPlan plan = describe(tagOfJoined(0));
  plan.released = findReleased(releases);
  for (size_t sum = 0; sum < layout.sums.size(); ++sum) {
    const Range &part = partOf(sum, place);
    const int64_t elements =
        countElements(layout.sums[sum].port.shape).value_or(0);
    plan.parts[sum] = {
        {/*place=*/0, TensorTile({elements}, {part.begin}, {part.count})}};
    for (int island = 0; island < islands.count; ++island) {
      const auto rank = size_t(islands.rankOf(island, place));
      plan.cuts[sum][rank] = cuts.cuts[sum][rank];
    }
  }
  plan.roots = {{0, layout.microbatches}};
  for (int island = 0; island < islands.count; ++island) {
    if (island == islands.of(ranks.rank()))
      ownOfFar = plan.leaves.size();
    for (TreeNode node : nodesOfIsland(island))
      plan.leaves.push_back({node, islands.rankOf(island, place)});
  }
  far.emplace(ranks, std::move(plan), addition);
}

std::span<std::byte> SumExchange::rangeOf(const Range &range, size_t sum,
                                          std::byte *bytes) const {
  const int64_t width = byteWidth(layout.sums[sum].port.type);
  return {bytes + range.begin * width, size_t(range.count * width)};
}

void SumExchange::begin() {
  offered.clear();
  for (size_t sum = 0; sum < layout.sums.size(); ++sum) {
    const StepLayout::Sum &of = layout.sums[sum];
    if (!isMade(sum))
      offered.push_back(sum);
    first->begin(sum);
    if (isTwoLevel())
      far->begin(sum);
    if (!cuts.shared[sum] || isInOffered(sum))
      continue;
    ownTotals[sum].emplace(of.port.type, of.port.shape);
    expectTotal(sum, ownTotals[sum]->data());
  }
}

/// Receives the whole of a sum at `bytes`.
void SumExchange::expectTotal(size_t sum, std::byte *bytes) {
  totals[sum] = bytes;
  auto expect = [&](int from, const Range &range, Transfers &transfers) {
    if (from != ranks.rank() && range.count)
      transfers.push_back(
          ranks.receive(from, tagOfTotal(sum), rangeOf(range, sum, bytes)));
  };
  const Cut &cut = cuts.cuts[sum];
  if (!isTwoLevel()) {
    for (int from = 0; from < ranks.size(); ++from)
      expect(from, cut[size_t(from)], totalsArriving);
    return;
  }
  const Islands &islands = cuts.islands;
  const int own = islands.of(ranks.rank());
  const int place = islands.placeOf(ranks.rank());
  farArriving[sum].clear();
  for (int island = 0; island < islands.count; ++island) {
    const int from = islands.rankOf(island, place);
    expect(from, cut[size_t(from)], farArriving[sum]);
  }
  for (int other = 0; other < islands.size; ++other)
    expect(islands.rankOf(own, other), partOf(sum, other), totalsArriving);
}

void SumExchange::offer(size_t node, size_t sum, std::byte *bytes) {
  const bool isLast = node + 1 == nodes;
  if (cuts.shared[sum] && isInOffered(sum)) {
    if (node == 0)
      totals[sum] = bytes;
    // A rank sends its range of the whole after it has all of these bytes that
    // it needs, and so they may be replaced from then on.
    if (isLast)
      expectTotal(sum, totals[sum]);
  }
  first->offer(ownOfFirst + node, sum, bytes);
  if (isLast)
    offered.push_back(sum);
}

/// Passes on what this island has added, in place of its ranks.
void SumExchange::joinIslands(size_t sum) {
  if (partOf(sum, cuts.islands.placeOf(ranks.rank())).count)
    for (size_t root = 0; root < first->roots(); ++root)
      far->offer(ownOfFar + root, sum, first->result(root, sum));
  joining.push_back(sum);
}

/// Sends this rank's range of the whole to all, or to other islands, if it is
/// shared.
void SumExchange::sendTotal(size_t sum) {
  if (isTwoLevel() && cuts.shared[sum])
    forwarding.push_back(sum);
  if (ownCut(sum).count == 0)
    return;
  results[sum] = (isTwoLevel() ? far : first)->result(0, sum);
  if (!cuts.shared[sum])
    return;
  const std::span<std::byte> range = rangeOf(ownCut(sum), sum, totals[sum]);
  if (range.data() != results[sum])
    std::memcpy(range.data(), results[sum], range.size());
  // Each begins with another rank, so that none gets all at once.
  const int stride = isTwoLevel() ? cuts.islands.size : 1;
  for (int i = stride; i < ranks.size(); i += stride)
    sends.push_back(
        ranks.send((ranks.rank() + i) % ranks.size(), tagOfTotal(sum), range));
}

bool SumExchange::haveTotalsArrived(size_t sum) const {
  return std::ranges::all_of(
      farArriving[sum], [&](const Transfer &one) { return ranks.isDone(one); });
}

/// Sends what this rank has got from other islands, and its own range, to the
/// ranks of its island.
void SumExchange::forwardTotal(size_t sum) {
  for (const Transfer &one : farArriving[sum])
    ranks.wait(one); // throws if it failed
  const Islands &islands = cuts.islands;
  const int own = islands.of(ranks.rank());
  const int place = islands.placeOf(ranks.rank());
  const Range &part = partOf(sum, place);
  for (int i = 1; part.count && i < islands.size; ++i)
    sends.push_back(ranks.send(islands.rankOf(own, (place + i) % islands.size),
                               tagOfTotal(sum),
                               rangeOf(part, sum, totals[sum])));
}

bool SumExchange::progress() {
  bool moved = false;
  auto advance = [&](std::vector<size_t> &list, auto isReady, auto function) {
    moved |= std::erase_if(list, [&](size_t sum) {
               if (!isReady(sum))
                 return false;
               function(sum);
               return true;
             }) > 0;
  };
  advance(
      offered, [&](size_t sum) { return first->isComplete(sum); },
      [&](size_t sum) {
        first->add(sum);
        if (isTwoLevel())
          joinIslands(sum);
        else
          sendTotal(sum);
      });
  advance(
      joining, [&](size_t sum) { return far->isComplete(sum); },
      [&](size_t sum) {
        far->add(sum);
        sendTotal(sum);
      });
  advance(
      forwarding, [&](size_t sum) { return haveTotalsArrived(sum); },
      [&](size_t sum) { forwardTotal(sum); });
  first->releaseSent();
  if (isTwoLevel())
    far->releaseSent();
  return moved;
}

/// Waits for some of what has not arrived. All ranks get through the first
/// level without the second one, and through that without totals, so none waits
/// for one that waits for it.
void SumExchange::waitForNext() {
  if (!offered.empty()) {
    first->waitForNext(offered.front());
  } else if (!joining.empty()) {
    far->waitForNext(joining.front());
  } else {
    for (const Transfer &one : farArriving[forwarding.front()])
      ranks.wait(one);
  }
}

void SumExchange::finish() {
  while (!offered.empty() || !joining.empty() || !forwarding.empty())
    if (!progress())
      waitForNext();
  for (const Transfer &one : sends)
    ranks.wait(one);
  for (const Transfer &one : totalsArriving)
    ranks.wait(one);
  sends.clear();
  totalsArriving.clear();
  first->finish();
  if (isTwoLevel())
    far->finish();
}

Tensor SumExchange::takeTotal(size_t sum) {
  return *std::exchange(ownTotals[sum], std::nullopt);
}

} // namespace gensyn::runtime
