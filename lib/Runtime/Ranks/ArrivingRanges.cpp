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
  const uint32_t tag = tagOfArriving(number);
  const CutBytes bytes = {tensor.data(), byteWidth(tensor.elementType()), &cut};
  // Before anything is on its way: it may throw.
  std::vector<std::span<std::byte>> ofPlaces;
  for (int each = 0; each < islands.size; ++each)
    ofPlaces.push_back(bytes.of(joinRanges(cut, islands, each)));
  // Each begins with another rank, so that none gets all at once.
  for (int i = 1; i < islands.count; ++i) {
    const int from = islands.rankOf((island + i) % islands.count, place);
    if (const auto range = bytes.range(from); !range.empty())
      receives.push_back(ranks.receive(from, tag, range));
  }
  const std::vector<Transfer> fromFar = receives;
  for (int i = 1; i < islands.size; ++i) {
    const int other = (place + i) % islands.size;
    if (const auto range = ofPlaces[size_t(other)]; !range.empty())
      receives.push_back(
          ranks.receive(islands.rankOf(island, other), tag, range));
  }
  if (const auto range = bytes.range(self); !range.empty())
    for (int i = 1; i < islands.count; ++i)
      sends.push_back(ranks.send(
          islands.rankOf((island + i) % islands.count, place), tag, range));
  if (const auto range = ofPlaces[size_t(place)]; !range.empty())
    for (int i = 1; i < islands.size; ++i)
      sends.push_back(ranks.sendAfter(
          fromFar, islands.rankOf(island, (place + i) % islands.size), tag,
          range));
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
