// See SumLevel.h.

#include "SumLevel.h"

#include <algorithm>
#include <cstring>

namespace gensyn::runtime {

using communication::Transfer;

static int64_t countIn(const std::vector<TensorTile::Run> &runs) {
  int64_t count = 0;
  for (const TensorTile::Run &run : runs)
    count += run.count;
  return count;
}

SumLevel::SumLevel(communication::Communicator &ranks, SumLevelPlan given,
                   Addition &addition)
    : ranks(ranks), plan(std::move(given)), addition(addition),
      own(plan.types.size()),
      releases(std::ranges::count(plan.released, true) > 0) {
  makeOwn();
  for (int i = 1; i < ranks.size(); ++i) {
    const int to = (ranks.rank() + i) % ranks.size();
    if (std::ranges::any_of(plan.cuts, [&](const Cut &cut) {
          return cut[size_t(to)].count > 0;
        }))
      receivers.push_back(to);
  }
}

/// True if this rank has its range of a leaf's sum in what it offers.
bool SumLevel::isInPlace(size_t leaf, size_t sum) const {
  const auto &parts = plan.parts[sum];
  return parts.size() == 1 &&
         plan.leaves[leaf].firstRank + parts.front().place == ranks.rank();
}

/// Finds memory for what this rank adds.
void SumLevel::makeOwn() {
  std::vector<std::vector<int64_t>> offsets(own.size());
  int64_t bytes = 0;
  for (size_t sum = 0; sum < own.size(); ++sum) {
    if (ownCut(sum).count == 0)
      continue;
    for (size_t leaf = 0; leaf < plan.leaves.size(); ++leaf) {
      offsets[sum].push_back(bytes);
      if (!isInPlace(leaf, sum))
        bytes += (ownCut(sum).count * widthOf(sum) + kRangeAlignment - 1) /
                 kRangeAlignment * kRangeAlignment;
    }
    expect(sum);
  }
  received = allocateInLargePages(size_t(bytes));
  for (size_t sum = 0; sum < own.size(); ++sum)
    for (int64_t offset : offsets[sum])
      own[sum].places.push_back(reinterpret_cast<std::byte *>(received.get()) +
                                offset);
}

/// Finds what other ranks send of a sum.
void SumLevel::expect(size_t sum) {
  for (size_t leaf = 0; leaf < plan.leaves.size(); ++leaf)
    for (const auto &[place, tile] : plan.parts[sum]) {
      const int from = plan.leaves[leaf].firstRank + place;
      Arriving one = {leaf, from, tile.runsIn(ownCut(sum)), {}, {}};
      if (from == ranks.rank() || one.runs.empty())
        continue;
      if (one.runs.size() > 1)
        one.packed.resize(size_t(countIn(one.runs) * widthOf(sum)));
      own[sum].arriving.push_back(std::move(one));
    }
}

void SumLevel::begin(size_t sum) {
  own[sum].arrived = 0;
  for (Arriving &one : own[sum].arriving) {
    const TensorTile::Run &first = one.runs.front();
    const std::span<std::byte> bytes =
        one.packed.empty()
            ? std::span(own[sum].places[one.leaf] +
                            (first.ofTensor - ownCut(sum).begin) * widthOf(sum),
                        size_t(first.count * widthOf(sum)))
            : std::span(one.packed);
    one.transfer = ranks.receive(one.from, plan.tag + uint32_t(sum), bytes);
  }
}

/// Puts the elements of runs, one after another at `from`, where they belong in
/// this rank's range.
void SumLevel::put(size_t sum, const std::vector<TensorTile::Run> &runs,
                   const std::byte *from, std::byte *own) const {
  const int64_t width = widthOf(sum);
  for (const TensorTile::Run &run : runs) {
    std::memcpy(own + (run.ofTensor - ownCut(sum).begin) * width, from,
                size_t(run.count * width));
    from += run.count * width;
  }
}

/// Sends what `tile`, whose elements are at `bytes`, has of a rank's range.
void SumLevel::send(int to, size_t sum, const TensorTile &tile,
                    std::byte *bytes) {
  const std::vector<TensorTile::Run> runs =
      tile.runsIn(plan.cuts[sum][size_t(to)]);
  if (runs.empty())
    return;
  // The runs of a tile are adjacent in it.
  const std::span<std::byte> own(bytes + runs.front().ofTile * widthOf(sum),
                                 size_t(countIn(runs) * widthOf(sum)));
  sends.push_back({ranks.send(to, plan.tag + uint32_t(sum), own),
                   plan.released[sum] ? own : std::span<std::byte>()});
}

void SumLevel::offer(size_t leaf, size_t sum, std::byte *bytes) {
  for (const auto &[place, tile] : plan.parts[sum]) {
    if (plan.leaves[leaf].firstRank + place != ranks.rank())
      continue;
    if (const auto runs = tile.runsIn(ownCut(sum)); !runs.empty()) {
      std::byte *first = bytes + runs.front().ofTile * widthOf(sum);
      if (isInPlace(leaf, sum))
        own[sum].places[leaf] = first;
      else
        put(sum, runs, first, own[sum].places[leaf]);
    }
    for (int to : receivers)
      send(to, sum, tile, bytes);
  }
}

/// What has not arrived yet of a sum, or null.
const Transfer *SumLevel::findNext(size_t sum) {
  auto &[places, arriving, arrived, results] = own[sum];
  for (; arrived < arriving.size(); ++arrived)
    if (!ranks.isDone(arriving[arrived].transfer))
      return &arriving[arrived].transfer;
  return nullptr;
}

bool SumLevel::isComplete(size_t sum) { return !findNext(sum); }

void SumLevel::waitForNext(size_t sum) {
  if (const Transfer *next = findNext(sum))
    ranks.wait(*next);
}

/// Adds this rank's ranges of the leaves below `node`, of which `next` is the
/// first, and returns where the result is.
std::byte *SumLevel::addNodes(size_t sum, TreeNode node, size_t &next) {
  if (plan.leaves[next].node == node)
    return own[sum].places[next++];
  const auto [left, right] = node.children();
  std::byte *result = addNodes(sum, left, next);
  addition.add(plan.types[sum], result, addNodes(sum, right, next),
               ownCut(sum).count);
  return result;
}

void SumLevel::add(size_t sum) {
  auto &[places, arriving, arrived, results] = own[sum];
  for (Arriving &one : arriving) {
    ranks.wait(one.transfer); // throws if it failed
    if (!one.packed.empty())
      put(sum, one.runs, one.packed.data(), places[one.leaf]);
  }
  results.clear();
  if (places.empty())
    return;
  size_t next = 0;
  for (TreeNode root : plan.roots)
    results.push_back(addNodes(sum, root, next));
  for (std::byte *place : places)
    if (plan.released[sum] &&
        std::ranges::find(results, place) == results.end())
      releasePages(place, size_t(ownCut(sum).count * widthOf(sum)));
}

/// The bytes of what was sent are not read again.
void SumLevel::releaseSent() {
  if (!releases)
    return;
  std::erase_if(sends, [&](const Sent &sent) {
    if (sent.bytes.empty() || !ranks.isDone(sent.transfer))
      return false;
    ranks.wait(sent.transfer); // throws if it failed
    releasePages(sent.bytes.data(), sent.bytes.size());
    return true;
  });
}

void SumLevel::finish() {
  for (const Sent &sent : sends)
    ranks.wait(sent.transfer);
  releaseSent();
  sends.clear();
}

} // namespace gensyn::runtime
