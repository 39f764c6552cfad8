// See DividedDigest.h.

#include "DividedDigest.h"

#include "PartInputs.h"
#include "ReportFailures.h"
#include "Tags.h"

#include <algorithm>
#include <cstring>

namespace gensyn::runtime {

using communication::Transfer;
using Subtree = Hasher::Subtree;

/// What is hashed at once; larger subtrees are joined.
static constexpr uint64_t kPiece = uint64_t(1) << 20;
/// A tensor of all ranks that is smaller is hashed by one rank.
static constexpr uint64_t kSmallestHashed = uint64_t(1) << 16;

void DividedDigest::add(const std::byte *bytes, uint64_t size, int rank,
                        bool isDivided) {
  if (size)
    segments.push_back({total, total + size, bytes, rank, isDivided});
  total += size;
}

void DividedDigest::addText(std::string text) {
  const std::string &kept = texts.emplace_back(std::move(text));
  add(reinterpret_cast<const std::byte *>(kept.data()), kept.size(), kAnyRank,
      /*isDivided=*/false);
}

void DividedDigest::addTensor(std::span<const std::byte> bytes, int64_t width,
                              const Cut *cut) {
  const auto count = uint64_t(ranks.size());
  if (!cut && bytes.size() < kSmallestHashed * count)
    return add(bytes.data(), bytes.size(), kAnyRank, /*isDivided=*/false);
  if (!cut) {
    const uint64_t each = bytes.size() / count;
    for (uint64_t rank = 0; rank < count; ++rank) {
      const uint64_t end = rank + 1 == count ? bytes.size() : each * (rank + 1);
      add(bytes.data() + each * rank, end - each * rank, int(rank),
          /*isDivided=*/false);
    }
    return;
  }
  std::vector<std::pair<Range, int>> ranges;
  for (int rank = 0; rank < ranks.size(); ++rank)
    if (const Range &range = (*cut)[size_t(rank)]; range.count)
      ranges.emplace_back(range, rank);
  std::sort(ranges.begin(), ranges.end(), [](const auto &a, const auto &b) {
    return a.first.begin < b.first.begin;
  });
  int64_t end = 0;
  for (const auto &[range, rank] : ranges) {
    if (range.begin != end)
      failParts("have ranges that overlap");
    end += range.count;
    add(bytes.data() + range.begin * width, uint64_t(range.count * width), rank,
        /*isDivided=*/true);
  }
}

/// Calls `visitor(segment, begin, end)` for the segments of a range of the
/// stream until it returns false.
template <class Visitor>
void DividedDigest::visit(uint64_t begin, uint64_t end, Visitor visitor) const {
  auto at = std::upper_bound(segments.begin(), segments.end(), begin,
                             [](uint64_t place, const Segment &segment) {
                               return place < segment.end;
                             });
  for (; at != segments.end() && at->begin < end; ++at)
    if (!visitor(*at, std::max(begin, at->begin), std::min(end, at->end)))
      return;
}

/// The rank that has all bytes of a range and is to hash them.
int DividedDigest::findRank(uint64_t begin, uint64_t size) const {
  int found = kAnyRank;
  visit(begin, begin + size, [&](const Segment &segment, uint64_t, uint64_t) {
    if (segment.rank != kAnyRank && found != kAnyRank && found != segment.rank)
      found = kSeveralRanks;
    else if (segment.rank != kAnyRank)
      found = segment.rank;
    return found != kSeveralRanks;
  });
  return found == kAnyRank ? 0 : found;
}

void DividedDigest::divide(uint64_t begin, uint64_t size) {
  const int rank = findRank(begin, size);
  if (rank == kSeveralRanks && size > Hasher::kChunk) {
    divide(begin, size / 2);
    divide(begin + size / 2, size / 2);
    return;
  }
  nodes.push_back({begin, size, rank});
}

void DividedDigest::divideStream() {
  uint64_t begin = 0;
  // Each subtree is as large as its place allows, and a byte is left.
  while (total - begin > Hasher::kChunk) {
    uint64_t size = Hasher::kChunk;
    while (begin % (2 * size) == 0 && total - begin > 2 * size)
      size *= 2;
    divide(begin, size);
    begin += size;
  }
  nodes.push_back({begin, total - begin, kSeveralRanks});
}

Subtree DividedDigest::digest(uint64_t begin, uint64_t size) const {
  if (size > kPiece)
    return Hasher::join(digest(begin, size / 2),
                        digest(begin + size / 2, size / 2));
  std::vector<std::byte> copied;
  const std::byte *bytes = nullptr;
  visit(begin, begin + size,
        [&](const Segment &segment, uint64_t from, uint64_t to) {
          const std::byte *own = segment.bytes + (from - segment.begin);
          if (to - from == size)
            bytes = own;
          else
            copied.insert(copied.end(), own, own + (to - from));
          return true;
        });
  return Hasher::digestSubtree(begin, bytes ? bytes : copied.data(), size);
}

std::vector<Subtree> DividedDigest::digestOwn() const {
  std::vector<Subtree> subtrees;
  for (const Node &node : nodes)
    if (node.rank == ranks.rank())
      subtrees.push_back(digest(node.begin, node.size));
  return subtrees;
}

/// The bytes that a rank has alone of nodes of several ranks.
uint64_t DividedDigest::countRest(int rank) const {
  uint64_t count = 0;
  for (const Node &node : nodes)
    if (node.rank == kSeveralRanks)
      visit(node.begin, node.begin + node.size,
            [&](const Segment &segment, uint64_t from, uint64_t to) {
              if (segment.isDivided && segment.rank == rank)
                count += to - from;
              return true;
            });
  return count;
}

std::vector<std::byte> DividedDigest::copyOwn() const {
  std::vector<std::byte> rest;
  for (const Node &node : nodes)
    if (node.rank == kSeveralRanks)
      visit(node.begin, node.begin + node.size,
            [&](const Segment &segment, uint64_t from, uint64_t to) {
              const std::byte *own = segment.bytes + (from - segment.begin);
              if (segment.isDivided && segment.rank == ranks.rank())
                rest.insert(rest.end(), own, own + (to - from));
              return true;
            });
  return rest;
}

std::string
DividedDigest::join(const std::vector<std::vector<Subtree>> &subtrees,
                    const std::vector<std::vector<std::byte>> &rests) const {
  std::vector<size_t> nextSubtree(subtrees.size()), nextByte(rests.size());
  Hasher hasher;
  for (const Node &node : nodes) {
    if (node.rank != kSeveralRanks) {
      const auto rank = size_t(node.rank);
      hasher.addSubtree(subtrees[rank][nextSubtree[rank]++], node.size);
      continue;
    }
    std::vector<std::byte> bytes;
    visit(node.begin, node.begin + node.size,
          [&](const Segment &segment, uint64_t from, uint64_t to) {
            const std::byte *place = segment.bytes + (from - segment.begin);
            if (segment.isDivided && segment.rank != 0) {
              size_t &next = nextByte[size_t(segment.rank)];
              place = rests[size_t(segment.rank)].data() + next;
              next += to - from;
            }
            bytes.insert(bytes.end(), place, place + (to - from));
            return true;
          });
    if (&node == &nodes.back())
      hasher.update(bytes.data(), bytes.size());
    else
      hasher.addSubtree(
          Hasher::digestSubtree(node.begin, bytes.data(), bytes.size()),
          node.size);
  }
  return hasher.hex();
}

std::string DividedDigest::compute() {
  divideStream();
  const auto count = size_t(ranks.size());
  std::vector<std::vector<Subtree>> subtrees(count);
  std::vector<std::vector<std::byte>> rests(count);
  std::vector<Transfer> transfers;
  auto transfer = [&](auto begin, int rank, auto &values) {
    if (!values.empty())
      transfers.push_back(
          begin(rank, std::as_writable_bytes(std::span(values))));
  };
  auto wait = [&] {
    for (const Transfer &one : transfers)
      ranks.wait(one);
  };
  reportFailures(ranks, [&] {
    if (ranks.rank() != 0) {
      auto send = [&](int rank, std::span<std::byte> bytes) {
        return ranks.send(rank, kDigestTag, bytes);
      };
      auto own = digestOwn();
      auto rest = copyOwn();
      transfer(send, 0, own);
      transfer(send, 0, rest);
      wait();
      return;
    }
    for (const Node &node : nodes)
      if (node.rank > 0)
        subtrees[size_t(node.rank)].emplace_back();
    auto receive = [&](int rank, std::span<std::byte> bytes) {
      return ranks.receive(rank, kDigestTag, bytes);
    };
    for (int rank = 1; rank < ranks.size(); ++rank) {
      rests[size_t(rank)].resize(countRest(rank));
      transfer(receive, rank, subtrees[size_t(rank)]);
      transfer(receive, rank, rests[size_t(rank)]);
    }
    subtrees[0] = digestOwn();
    wait();
  });
  return ranks.rank() == 0 ? join(subtrees, rests) : "";
}

} // namespace gensyn::runtime
