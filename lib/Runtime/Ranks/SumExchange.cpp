// See SumExchange.h.

#include "SumExchange.h"

#include "Tags.h"

#include <algorithm>
#include <cstring>

namespace gensyn::runtime {

using communication::Transfer;

SumExchange::SumExchange(communication::Communicator &ranks,
                         std::span<const Port> sums, int64_t microbatches,
                         Addition &addition)
    : ranks(ranks), ports(sums.begin(), sums.end()), microbatches(microbatches),
      addition(addition), slices(makeSlices(sums, ranks.size())) {
  for (int rank = 0; rank < ranks.size(); ++rank)
    nodes.push_back(
        nodesIn(rangeOf(rank, ranks.size(), microbatches), microbatches));
}

SumExchange::Buffer SumExchange::take(int64_t size) {
  for (Buffer &buffer : unused)
    if (buffer.size == size) {
      std::swap(buffer, unused.back());
      Buffer taken = std::move(unused.back());
      unused.pop_back();
      return taken;
    }
  return {size, allocateInLargePages(size_t(size))};
}

void SumExchange::waitFor(std::vector<Transfer> &transfers) {
  for (const Transfer &transfer : transfers)
    ranks.wait(transfer);
  transfers.clear();
}

SumExchange::Buffer SumExchange::pack(const Slice &slice, const Sums &sums) {
  Buffer buffer = take(slice.bytes);
  for (const SlicePiece &piece : slice.pieces)
    std::memcpy(buffer.span().data() + piece.offset,
                sums[piece.sum].data() + piece.first * byteWidth(piece.type),
                size_t(piece.bytes()));
  return buffer;
}

void SumExchange::unpack(const Slice &slice, Buffer &buffer, Sums &sums) const {
  for (const SlicePiece &piece : slice.pieces)
    std::memcpy(sums[piece.sum].data() + piece.first * byteWidth(piece.type),
                buffer.span().data() + piece.offset, size_t(piece.bytes()));
}

bool SumExchange::isLeaf(TreeNode node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto &own) {
    return std::find(own.begin(), own.end(), node) != own.end();
  });
}

SumExchange::Buffer SumExchange::addNodes(TreeNode node,
                                          std::vector<Buffer> &buffers,
                                          size_t &next) {
  if (isLeaf(node))
    return std::move(buffers[next++]);
  const auto [left, right] = node.children();
  Buffer sum = addNodes(left, buffers, next);
  Buffer other = addNodes(right, buffers, next);
  addition.add(slices[size_t(ranks.rank())], sum.span().data(),
               reinterpret_cast<const std::byte *>(other.bytes.get()));
  giveBack(std::move(other));
  return sum;
}

/// Returns this rank's slice of the sums over all microbatches.
SumExchange::Buffer SumExchange::addSlice(std::vector<Sums> &own) {
  const int rank = ranks.rank(), size = ranks.size();
  const Slice &mine = slices[size_t(rank)];
  // The nodes of all ranks, in the order of microbatches.
  std::vector<Buffer> buffers, outgoing;
  std::vector<Transfer> receives, sends;
  for (int from = 0; from < size; ++from)
    for (size_t i = 0; i < nodes[size_t(from)].size(); ++i) {
      if (from == rank) {
        buffers.push_back(pack(mine, own[i]));
        continue;
      }
      buffers.push_back(take(mine.bytes));
      receives.push_back(
          ranks.receive(from, kPartialTag, buffers.back().span()));
    }
  // Each begins with another rank, so that none gets all at once.
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size;
    for (const Sums &sums : own) {
      outgoing.push_back(pack(slices[size_t(to)], sums));
      sends.push_back(ranks.send(to, kPartialTag, outgoing.back().span()));
    }
  }
  waitFor(receives);
  size_t next = 0;
  Buffer sum = addNodes({0, microbatches}, buffers, next);
  waitFor(sends);
  for (Buffer &buffer : outgoing)
    giveBack(std::move(buffer));
  return sum;
}

/// Sends this rank's slice to all others, and gets theirs.
void SumExchange::shareSlice(Buffer sum, Sums &total) {
  const int rank = ranks.rank(), size = ranks.size();
  std::vector<Transfer> receives, sends;
  std::vector<Buffer> incoming(static_cast<size_t>(size));
  for (int from = 0; from < size; ++from)
    if (from != rank) {
      incoming[size_t(from)] = take(slices[size_t(from)].bytes);
      receives.push_back(
          ranks.receive(from, kTotalTag, incoming[size_t(from)].span()));
    }
  for (int step = 1; step < size; ++step)
    sends.push_back(ranks.send((rank + step) % size, kTotalTag, sum.span()));
  unpack(slices[size_t(rank)], sum, total);
  waitFor(receives);
  for (int from = 0; from < size; ++from)
    if (from != rank) {
      unpack(slices[size_t(from)], incoming[size_t(from)], total);
      giveBack(std::move(incoming[size_t(from)]));
    }
  waitFor(sends);
  giveBack(std::move(sum));
}

Sums SumExchange::run(std::vector<Sums> &own) {
  Buffer sum = addSlice(own);
  Sums total;
  if (own.empty())
    for (const Port &port : ports)
      total.emplace_back(port.type, port.shape);
  else
    total = std::exchange(own.front(), {});
  shareSlice(std::move(sum), total);
  return total;
}

} // namespace gensyn::runtime
