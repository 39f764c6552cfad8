// See SumExchange.h.

#include "SumExchange.h"

#include "Tags.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gensyn::runtime {

using communication::Transfer;

static int64_t countIn(const std::vector<TensorTile::Run> &runs) {
  int64_t count = 0;
  for (const TensorTile::Run &run : runs)
    count += run.count;
  return count;
}

SumExchange::SumExchange(communication::Communicator &ranks,
                         const StepLayout &layout, std::vector<Cut> cuts,
                         std::vector<bool> shared, Addition &addition,
                         bool releases)
    : ranks(ranks), layout(layout), cuts(std::move(cuts)),
      shared(std::move(shared)), addition(addition), releases(releases),
      results(layout.sums.size()), totals(layout.sums.size()),
      ownTotals(layout.sums.size()) {
  for (int group = 0; group < layout.grid.groups(); ++group) {
    if (group == layout.grid.group())
      firstOwn = leaves.size();
    for (TreeNode node :
         nodesIn(layout.rangeOfGroup(group), layout.microbatches))
      addLeaf(group, node);
  }
}

void SumExchange::addLeaf(int group, TreeNode node) {
  Leaf &leaf = leaves.emplace_back();
  leaf.node = node;
  leaf.group = group;
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
  for (size_t sum = 0; sum < layout.sums.size(); ++sum) {
    const Range &own = ownCut(sum);
    const int64_t width = byteWidth(typeOf(sum));
    offsets.push_back(bytes);
    if (!isOwn(leaf, sum))
      bytes += (own.count * width + kRangeAlignment - 1) / kRangeAlignment *
               kRangeAlignment;
    std::vector<Arriving> &arriving = leaf.arriving.emplace_back();
    for (const StepLayout::SumPart &part : layout.sums[sum].parts) {
      const int from = layout.grid.rankOf(group, part.place);
      Arriving one = {from, part.tile.runsIn(own), {}, {}};
      if (from == ranks.rank() || one.runs.empty())
        continue;
      if (one.runs.size() > 1)
        one.packed.resize(size_t(countIn(one.runs) * width));
      arriving.push_back(std::move(one));
    }
  }
  leaf.received = allocateInLargePages(size_t(bytes));
  for (int64_t offset : offsets)
    leaf.places.push_back(reinterpret_cast<std::byte *>(leaf.received.get()) +
                          offset);
}

std::span<std::byte> SumExchange::rangeOf(int rank, size_t sum,
                                          std::byte *bytes) const {
  return CutBytes{bytes, byteWidth(typeOf(sum)), &cuts[sum]}.range(rank);
}

void SumExchange::receive(Leaf &leaf, size_t sum) {
  const int64_t width = byteWidth(typeOf(sum));
  for (Arriving &one : leaf.arriving[sum]) {
    const TensorTile::Run &first = one.runs.front();
    const std::span<std::byte> bytes =
        one.packed.empty()
            ? std::span(leaf.places[sum] +
                            (first.ofTensor - ownCut(sum).begin) * width,
                        size_t(first.count * width))
            : std::span(one.packed);
    one.transfer = ranks.receive(one.from, tagOfSum(sum), bytes);
  }
}

void SumExchange::begin() {
  pending.clear();
  known.assign(layout.sums.size(), {});
  for (size_t sum = 0; sum < layout.sums.size(); ++sum) {
    const StepLayout::Sum &of = layout.sums[sum];
    const bool isMade = of.partOf(layout.grid.place());
    if (!isMade)
      pending.push_back(sum);
    for (Leaf &leaf : leaves)
      receive(leaf, sum);
    if (!shared[sum] || (isMade && of.isWhole()))
      continue;
    ownTotals[sum].emplace(of.port.type, of.port.shape);
    expectTotal(sum, ownTotals[sum]->data());
  }
}

/// Receives the whole of a sum at `bytes`.
void SumExchange::expectTotal(size_t sum, std::byte *bytes) {
  totals[sum] = bytes;
  for (int from = 0; from < ranks.size(); ++from)
    if (const std::span<std::byte> range = rangeOf(from, sum, bytes);
        from != ranks.rank() && !range.empty())
      totalsArriving.push_back(ranks.receive(from, tagOfTotal(sum), range));
}

/// Sends this rank's range of the whole to all.
void SumExchange::sendTotal(size_t sum) {
  const int own = ranks.rank(), size = ranks.size();
  const std::span<std::byte> range = rangeOf(own, sum, totals[sum]);
  if (range.empty())
    return;
  if (range.data() != results[sum])
    std::memcpy(range.data(), results[sum], range.size());
  for (int i = 1; i < size; ++i)
    sends.push_back({ranks.send((own + i) % size, tagOfTotal(sum), range), {}});
}

std::optional<Tensor> SumExchange::takeTotal(size_t sum) {
  return std::exchange(ownTotals[sum], std::nullopt);
}

/// Puts the elements of runs, one after another at `from`, where they belong in
/// this rank's range.
void SumExchange::place(size_t sum, const std::vector<TensorTile::Run> &runs,
                        const std::byte *from, std::byte *own) const {
  const int64_t width = byteWidth(typeOf(sum));
  for (const TensorTile::Run &run : runs) {
    std::memcpy(own + (run.ofTensor - ownCut(sum).begin) * width, from,
                size_t(run.count * width));
    from += run.count * width;
  }
}

/// Sends what `tile`, whose elements are at `bytes`, has of a rank's range.
void SumExchange::send(int to, size_t sum, const TensorTile &tile,
                       std::byte *bytes) {
  const int64_t width = byteWidth(typeOf(sum));
  const std::vector<TensorTile::Run> runs = tile.runsIn(cuts[sum][size_t(to)]);
  if (runs.empty())
    return;
  // The runs of a tile are adjacent in it.
  const std::span<std::byte> own(bytes + runs.front().ofTile * width,
                                 size_t(countIn(runs) * width));
  sends.push_back({ranks.send(to, tagOfSum(sum), own),
                   isReleased(sum) ? own : std::span<std::byte>()});
}

void SumExchange::offer(size_t node, size_t sum, std::byte *bytes) {
  const int own = ranks.rank(), size = ranks.size();
  Leaf &leaf = leaves[firstOwn + node];
  const TensorTile &tile = layout.sums[sum].partOf(layout.grid.place())->tile;
  if (isOwn(leaf, sum)) {
    leaf.places[sum] = rangeOf(own, sum, bytes).data();
  } else if (const auto runs = tile.runsIn(ownCut(sum)); !runs.empty()) {
    const int64_t first = runs.front().ofTile * byteWidth(typeOf(sum));
    place(sum, runs, bytes + first, leaf.places[sum]);
  }
  const bool isLastOwn =
      firstOwn + node + 1 == leaves.size() ||
      leaves[firstOwn + node + 1].group != layout.grid.group();
  if (shared[sum] && node == 0 && !ownTotals[sum])
    totals[sum] = bytes;
  // A rank sends its range of the whole after it has all of these bytes that it
  // needs, and so they may be replaced from then on.
  if (shared[sum] && isLastOwn && !ownTotals[sum])
    expectTotal(sum, totals[sum]);
  // Each begins with another rank, so that none gets all at once.
  for (int i = 1; i < size; ++i)
    send((own + i) % size, sum, tile, bytes);
  if (isLastOwn)
    pending.push_back(sum);
}

void SumExchange::wait(Leaf &leaf, size_t sum) {
  for (Arriving &one : leaf.arriving[sum]) {
    ranks.wait(one.transfer);
    if (!one.packed.empty())
      place(sum, one.runs, one.packed.data(), leaf.places[sum]);
  }
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
    wait(leaf, sum);
    return leaf.places[sum];
  }
  const auto [left, right] = node.children();
  std::byte *result = addNodes(sum, left, next);
  addition.add(typeOf(sum), result, addNodes(sum, right, next),
               cuts[sum][size_t(ranks.rank())].count);
  return result;
}

void SumExchange::add(size_t sum) {
  if (cuts[sum][size_t(ranks.rank())].count == 0)
    return;
  size_t next = 0;
  results[sum] = addNodes(sum, {0, layout.microbatches}, next);
  for (const Leaf &leaf : leaves)
    if (isReleased(sum) && leaf.places[sum] != results[sum])
      releasePages(leaf.places[sum],
                   size_t(cuts[sum][size_t(ranks.rank())].count *
                          byteWidth(typeOf(sum))));
  if (shared[sum])
    sendTotal(sum);
}

bool SumExchange::isComplete(size_t sum) {
  auto &[number, messages] = known[sum];
  for (; number < leaves.size(); ++number, messages = 0)
    for (const auto &arriving = leaves[number].arriving[sum];
         messages < arriving.size(); ++messages)
      if (!ranks.isDone(arriving[messages].transfer))
        return false;
  return true;
}

/// The bytes of what was sent are not read again.
void SumExchange::releaseSent() {
  std::erase_if(sends, [&](const Sent &sent) {
    if (!ranks.isDone(sent.transfer))
      return false;
    ranks.wait(sent.transfer); // throws if it failed
    if (!sent.bytes.empty())
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
  while (!pending.empty()) {
    const size_t next = pending.front();
    pending.erase(pending.begin());
    add(next);
    progress();
  }
  for (const Sent &sent : sends)
    ranks.wait(sent.transfer);
  for (const Transfer &arriving : totalsArriving)
    ranks.wait(arriving);
  totalsArriving.clear();
  if (releases)
    releaseSent();
  sends.clear();
}

} // namespace gensyn::runtime
