// See ArrivingRanges.h.

#include "ArrivingRanges.h"

#include "Tags.h"

#include <vector>

namespace gensyn::runtime {

using communication::Communicator;
using communication::Transfer;

namespace {

class ArrivingRanges final : public ArrivingTensor {
public:
  ArrivingRanges(Communicator &ranks, Tensor given)
      : ArrivingTensor(std::move(given)), ranks(ranks) {}

  ~ArrivingRanges() override {
    for (const std::vector<Transfer> *transfers : {&receives, &sends})
      for (const Transfer &one : *transfers)
        try {
          // The communicator may have been destroyed; then all have ended.
          if (!one.hasEnded())
            ranks.wait(one);
        } catch (const Failure &) {
          // Whoever needs the tensor, or another transfer, gets it too.
        }
  }

  void begin(const Islands &islands, size_t number, const Cut &cut);

  void wait() override {
    for (const Transfer &one : receives)
      ranks.wait(one);
  }

private:
  Communicator &ranks;
  std::vector<Transfer> receives, sends;
};

} // namespace

void ArrivingRanges::begin(const Islands &islands, size_t number,
                           const Cut &cut) {
  const int self = ranks.rank();
  const int island = islands.of(self), place = islands.placeOf(self);
  const CutBytes bytes = {tensor.data(), byteWidth(tensor.elementType()), &cut};
  // A range has the tag of its island: a rank has some of each on their way to
  // another one.
  auto tagOf = [&](int ofIsland) {
    return tagOfArriving(number * size_t(islands.count) + size_t(ofIsland));
  };
  // Each begins with another rank, so that none gets all at once.
  auto forOwnIsland = [&](auto function) {
    for (int i = 1; i < islands.size; ++i)
      function(islands.rankOf(island, (place + i) % islands.size));
  };
  for (int i = 0; i < islands.count; ++i) {
    const int other = (island + i) % islands.count;
    // Ranks of this island have, or get, the ranges of those at their places.
    forOwnIsland([&](int from) {
      const int owner = islands.rankOf(other, islands.placeOf(from));
      if (const auto range = bytes.range(owner); !range.empty())
        receives.push_back(ranks.receive(from, tagOf(other), range));
    });
    const int owner = islands.rankOf(other, place);
    if (const auto range = bytes.range(owner); i > 0 && !range.empty()) {
      const Transfer arrival = ranks.receive(owner, tagOf(other), range);
      receives.push_back(arrival);
      forOwnIsland([&](int to) {
        sends.push_back(ranks.relay(arrival, to, tagOf(other)));
      });
    }
  }
  const std::span<const std::byte> own = bytes.range(self);
  if (own.empty())
    return;
  for (int i = 1; i < islands.count; ++i)
    sends.push_back(
        ranks.send(islands.rankOf((island + i) % islands.count, place),
                   tagOf(island), own));
  forOwnIsland(
      [&](int to) { sends.push_back(ranks.send(to, tagOf(island), own)); });
}

std::unique_ptr<ArrivingTensor> beginToArrive(Communicator &ranks,
                                              const Islands &islands,
                                              size_t number, Tensor tensor,
                                              const Cut &cut) {
  auto arriving = std::make_unique<ArrivingRanges>(ranks, std::move(tensor));
  arriving->begin(islands, number, cut);
  return arriving;
}

} // namespace gensyn::runtime
