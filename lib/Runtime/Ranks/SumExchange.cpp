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

SumExchange::Buffer SumExchange::allocate(int64_t size) {
  return {size, allocateAligned(size_t(size))};
}

SumExchange::Buffer SumExchange::pack(const Slice &slice,
                                      const Sums &sums) const {
  Buffer buffer = allocate(slice.bytes);
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
  const Buffer other = addNodes(right, buffers, next);
  addition.add(slices[size_t(ranks.rank())], sum.span().data(),
               reinterpret_cast<const std::byte *>(other.bytes.get()));
  return sum;
}

Sums SumExchange::run(std::vector<Sums> own) {
  const int rank = ranks.rank(), size = ranks.size();
  const Slice &mine = slices[size_t(rank)];
  // The nodes of all ranks, in the order of microbatches.
  std::vector<Buffer> buffers;
  std::vector<Transfer> receives, sends;
  for (int from = 0; from < size; ++from)
    for (size_t i = 0; i < nodes[size_t(from)].size(); ++i) {
      if (from == rank) {
        buffers.push_back(pack(mine, own[i]));
        continue;
      }
      buffers.push_back(allocate(mine.bytes));
      receives.push_back(
          ranks.receive(from, kPartialTag, buffers.back().span()));
    }
  std::vector<Buffer> outgoing;
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size;
    for (const Sums &sums : own) {
      outgoing.push_back(pack(slices[size_t(to)], sums));
      sends.push_back(ranks.send(to, kPartialTag, outgoing.back().span()));
    }
  }
  Sums total;
  if (own.empty())
    for (const Port &port : ports)
      total.emplace_back(port.type, port.shape);
  else
    total = std::move(own.front());
  for (const Transfer &receive : receives)
    ranks.wait(receive);
  size_t next = 0;
  Buffer sum = addNodes({0, microbatches}, buffers, next);
  for (const Transfer &send : sends)
    ranks.wait(send);
  outgoing.clear();
  sends.clear();
  receives.clear();
  std::vector<Buffer> incoming(static_cast<size_t>(size));
  for (int from = 0; from < size; ++from)
    if (from != rank) {
      incoming[size_t(from)] = allocate(slices[size_t(from)].bytes);
      receives.push_back(
          ranks.receive(from, kTotalTag, incoming[size_t(from)].span()));
    }
  for (int step = 1; step < size; ++step)
    sends.push_back(ranks.send((rank + step) % size, kTotalTag, sum.span()));
  unpack(mine, sum, total);
  for (const Transfer &receive : receives)
    ranks.wait(receive);
  for (int from = 0; from < size; ++from)
    if (from != rank)
      unpack(slices[size_t(from)], incoming[size_t(from)], total);
  for (const Transfer &send : sends)
    ranks.wait(send);
  return total;
}

} // namespace gensyn::runtime
