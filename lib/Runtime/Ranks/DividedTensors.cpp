// See DividedTensors.h.

#include "DividedTensors.h"

#include "PartInputs.h"
#include "ReportFailures.h"
#include "Tags.h"
#include "gensyn/Executable/Support/AlignedMemory.h"

#include <deque>

namespace gensyn::runtime {

using communication::Transfer;

/// Tensors in flight: one that is used and the next.
static constexpr size_t kInFlight = 2;

struct DividedTensors::Flight {
  std::string name;
  std::vector<Transfer> transfers;
};

static CutBytes bytesOf(Tensor &tensor, const Cut &cut) {
  return {tensor.data(), byteWidth(tensor.elementType()), &cut};
}

const Cut *DividedTensors::findCut(const std::string &name) const {
  if (!ranks || !state || !state->isDivided)
    return nullptr;
  auto found = state->cuts.find(name);
  return found == state->cuts.end() ? nullptr : &found->second;
}

bool DividedTensors::hasDivided() const {
  return ranks && state && state->isDivided && !state->cuts.empty();
}

Tensor DividedTensors::ownPart(const std::string &name) const {
  const Tensor &whole = store.at(name);
  Range own = {0, whole.numElements()};
  if (const Cut *cut = findCut(name))
    own = (*cut)[size_t(ranks->rank())];
  return Tensor::view(whole.elementType(), {own.count},
                      whole.data() + own.begin * byteWidth(whole.elementType()),
                      nullptr);
}

void DividedTensors::wait(const Flight &flight) {
  for (const Transfer &transfer : flight.transfers)
    ranks->wait(transfer);
}

void DividedTensors::forgetOthers(const std::string &name, const Cut &cut) {
  Value &value = store.value(name);
  Tensor whole = takeTensor(value);
  const CutBytes bytes = bytesOf(whole, cut);
  for (int rank = 0; rank < ranks->size(); ++rank)
    if (const auto range = bytes.range(rank);
        rank != ranks->rank() && !range.empty())
      releasePages(range.data(), range.size());
  value = Value(std::move(whole));
}

/// Begins to receive the elements of other ranks.
DividedTensors::Flight DividedTensors::receiveWhole(const std::string &name) {
  Flight flight{name, {}};
  Value &value = store.value(name);
  Tensor whole = takeTensor(value);
  const CutBytes bytes = bytesOf(whole, *findCut(name));
  value = Value(std::move(whole));
  for (int rank = 1; rank < ranks->size(); ++rank)
    if (const auto range = bytes.range(rank); !range.empty())
      flight.transfers.push_back(ranks->receive(rank, kWholeTag, range));
  return flight;
}

void DividedTensors::visitWhole(const std::vector<std::string> &names,
                                const Visitor &visitor) {
  std::vector<std::string> missing;
  for (const std::string &name : names)
    if (findCut(name) && !gathered.contains(name))
      missing.push_back(name);
  std::deque<Flight> flights;
  size_t begun = 0;
  for (const std::string &name : names) {
    while (begun < missing.size() && flights.size() < kInFlight)
      flights.push_back(receiveWhole(missing[begun++]));
    const bool isMissing = !flights.empty() && flights.front().name == name;
    if (isMissing)
      wait(flights.front());
    visitor(name, store.at(name));
    if (!isMissing)
      continue;
    forgetOthers(name, *findCut(name));
    flights.pop_front();
  }
}

void DividedTensors::sendRanges(const std::vector<std::string> &names) {
  std::deque<Flight> flights;
  for (const std::string &name : names) {
    const Cut *cut = findCut(name);
    if (!cut || gathered.contains(name))
      continue;
    const Tensor own = ownPart(name);
    if (own.byteSize() == 0)
      continue;
    flights.push_back({name, {ranks->send(0, kWholeTag, own.byteSpan())}});
    if (flights.size() <= kInFlight)
      continue;
    wait(flights.front());
    flights.pop_front();
  }
  for (const Flight &flight : flights)
    wait(flight);
}

void DividedTensors::visit(const std::vector<std::string> &names,
                           const Visitor &visitor) {
  if (!hasDivided()) {
    for (const std::string &name : names)
      visitor(name, store.at(name));
    return;
  }
  reportFailures(*ranks, [&] {
    if (isFirst())
      visitWhole(names, visitor);
    else
      sendRanges(names);
  });
}

void DividedTensors::gather(const std::vector<std::string> &names) {
  if (!hasDivided())
    return;
  reportFailures(*ranks, [&] {
    std::vector<Flight> flights;
    if (!isFirst())
      sendRanges(names);
    else
      for (const std::string &name : names)
        if (findCut(name) && !gathered.contains(name))
          flights.push_back(receiveWhole(name));
    for (const Flight &flight : flights)
      wait(flight);
  });
  for (const std::string &name : names)
    if (findCut(name))
      gathered.insert(name);
}

Tensor DividedTensors::copyWhole(const std::string &name) {
  const Cut *cut = findCut(name);
  if (!cut)
    return store.at(name);
  const Tensor own = ownPart(name);
  Tensor whole(own.elementType(), store.at(name).shape());
  const CutBytes bytes = bytesOf(whole, *cut);
  reportFailures(*ranks, [&] {
    Flight flight{name, {}};
    for (int rank = 0; rank < ranks->size(); ++rank) {
      if (const auto range = bytes.range(rank); !range.empty())
        flight.transfers.push_back(ranks->receive(rank, kWholeTag, range));
      if (own.byteSize())
        flight.transfers.push_back(
            ranks->send(rank, kWholeTag, own.byteSpan()));
    }
    wait(flight);
  });
  return whole;
}

void DividedTensors::forget() {
  if (isFirst())
    for (const std::string &name : gathered)
      if (const Cut *cut = findCut(name))
        forgetOthers(name, *cut);
  gathered.clear();
}

void DividedTensors::distribute(const std::vector<std::string> &names,
                                const Reader &reader) {
  std::deque<Flight> flights;
  auto finish = [&] {
    wait(flights.front());
    if (const Cut *cut = findCut(flights.front().name))
      forgetOthers(flights.front().name, *cut);
    flights.pop_front();
  };
  for (const std::string &name : names) {
    Tensor whole = reader(name);
    // Also makes the bytes this tensor's own.
    const std::span<std::byte> all = {whole.data(), size_t(whole.byteSize())};
    const Cut *cut = findCut(name);
    Flight flight{name, {}};
    for (int rank = 1; rank < ranks->size(); ++rank)
      if (const auto bytes = cut ? bytesOf(whole, *cut).range(rank) : all;
          !bytes.empty())
        flight.transfers.push_back(ranks->send(rank, kTensorTag, bytes));
    store.value(name) = Value(std::move(whole));
    flights.push_back(std::move(flight));
    if (flights.size() == kInFlight)
      finish();
  }
  while (!flights.empty())
    finish();
}

void DividedTensors::receiveRanges(const std::vector<std::string> &names) {
  std::deque<Flight> flights;
  for (const std::string &name : names) {
    Value &value = store.value(name);
    Tensor whole(value.elementType(), value.shape());
    const std::span<std::byte> all = {whole.data(), size_t(whole.byteSize())};
    const Cut *cut = findCut(name);
    const auto bytes = cut ? bytesOf(whole, *cut).range(ranks->rank()) : all;
    value = Value(std::move(whole));
    if (!bytes.empty())
      flights.push_back({name, {ranks->receive(0, kTensorTag, bytes)}});
    if (flights.size() < kInFlight)
      continue;
    wait(flights.front());
    flights.pop_front();
  }
  for (const Flight &flight : flights)
    wait(flight);
}

void DividedTensors::replace(const std::vector<std::string> &names,
                             const Reader &reader) {
  if (!ranks) {
    for (const std::string &name : names)
      store.value(name) = Value(reader(name));
    return;
  }
  gathered.clear();
  if (state && !state->cuts.empty())
    state->isDivided = true;
  reportFailures(*ranks, [&] {
    if (isFirst())
      distribute(names, reader);
    else
      receiveRanges(names);
  });
}

} // namespace gensyn::runtime
