// See DividedTensors.h.

#include "DividedTensors.h"

#include "DividedDigest.h"
#include "PartInputs.h"
#include "ReportFailures.h"
#include "Tags.h"
#include "gensyn/Executable/Support/AlignedMemory.h"

#include <algorithm>
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

bool DividedTensors::sharesFiles() const {
  return std::count(sharers.begin(), sharers.end(), true) > 1;
}

/// Begins to receive the elements of other ranks than these.
DividedTensors::Flight
DividedTensors::receive(const std::string &name,
                        const std::vector<bool> &without) {
  Flight flight{name, {}};
  Value &value = store.value(name);
  Tensor whole = takeTensor(value);
  const CutBytes bytes = bytesOf(whole, *findCut(name));
  value = Value(std::move(whole));
  for (int rank = 1; rank < ranks->size(); ++rank)
    if (const auto range = bytes.range(rank);
        !range.empty() && !without[size_t(rank)])
      flight.transfers.push_back(ranks->receive(rank, kWholeTag, range));
  return flight;
}

/// Calls `visitor` for each tensor in turn when it has the elements of all
/// other ranks than these.
void DividedTensors::visitReceived(
    const std::vector<std::string> &names, const std::vector<bool> &without,
    const std::function<void(const std::string &)> &visitor) {
  auto isReceived = [&](const std::string &name) {
    const Cut *cut = gathered.contains(name) ? nullptr : findCut(name);
    for (size_t rank = 1; cut && rank < cut->size(); ++rank)
      if ((*cut)[rank].count && !without[rank])
        return true;
    return false;
  };
  std::vector<std::string> missing;
  std::copy_if(names.begin(), names.end(), std::back_inserter(missing),
               isReceived);
  std::deque<Flight> flights;
  size_t begun = 0;
  for (const std::string &name : names) {
    while (begun < missing.size() && flights.size() < kInFlight)
      flights.push_back(receive(missing[begun++], without));
    const bool isMissing = !flights.empty() && flights.front().name == name;
    if (isMissing)
      wait(flights.front());
    visitor(name);
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
      visitReceived(
          names, std::vector<bool>(size_t(ranks->size())),
          [&](const std::string &name) { visitor(name, store.at(name)); });
    else
      sendRanges(names);
  });
}

/// The elements that each rank has alone or, of tensors that all have, is to
/// write: each a contiguous part of them, about the same number of bytes.
std::map<std::string, Cut>
DividedTensors::divideFiles(const std::vector<std::string> &names) {
  std::vector<Port> whole;
  for (const std::string &name : names)
    if (const Value &value = store.value(name); !findCut(name)) {
      Port &port = whole.emplace_back();
      port.name = name;
      port.type = value.elementType();
      port.shape = value.shape();
    }
  const auto count = std::count(sharers.begin(), sharers.end(), true);
  const std::vector<Cut> cuts = cutEvenly(whole, int(count));
  std::map<std::string, Cut> all;
  for (const std::string &name : names)
    if (const Cut *cut = findCut(name))
      all.emplace(name, *cut);
  for (size_t i = 0; i < whole.size(); ++i) {
    Cut &cut = all[whole[i].name];
    size_t next = 0;
    for (const bool isSharer : sharers)
      cut.push_back(isSharer ? cuts[i][next++] : Range());
  }
  return all;
}

void DividedTensors::visitRanges(const std::vector<std::string> &names,
                                 const RangeVisitor &visitor) {
  const std::map<std::string, Cut> cuts = divideFiles(names);
  auto visitRange = [&](const std::string &name, size_t rank) {
    const Tensor &whole = store.at(name);
    const int64_t width = byteWidth(whole.elementType());
    if (const Range range = cuts.at(name)[rank]; range.count)
      visitor(name, uint64_t(range.begin * width),
              whole.byteSpan().subspan(size_t(range.begin * width),
                                       size_t(range.count * width)));
  };
  reportFailures(*ranks, [&] {
    if (!usesFiles())
      return sendRanges(names);
    if (!isFirst()) {
      for (const std::string &name : names)
        visitRange(name, size_t(ranks->rank()));
      return;
    }
    visitReceived(names, sharers, [&](const std::string &name) {
      for (size_t rank = 0; rank < sharers.size(); ++rank)
        if (rank == 0 || !sharers[rank])
          visitRange(name, rank);
    });
  });
}

std::string DividedTensors::digest(const Stream &stream) {
  DividedDigest digest(*ranks);
  for (const auto &[text, name] : stream) {
    digest.addText(text);
    if (name.empty())
      continue;
    const Tensor &tensor = store.at(name);
    digest.addTensor(tensor.byteSpan(), byteWidth(tensor.elementType()),
                     findCut(name));
  }
  return ranks->broadcast(digest.compute(), 0);
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
          flights.push_back(
              receive(name, std::vector<bool>(size_t(ranks->size()))));
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

/// Replaces a tensor by one whose elements are undefined.
std::span<std::byte> DividedTensors::makeRoom(const std::string &name) {
  Value &value = store.value(name);
  Tensor whole(value.elementType(), value.shape());
  const std::span<std::byte> bytes = {whole.data(), size_t(whole.byteSize())};
  value = Value(std::move(whole));
  return bytes;
}

void DividedTensors::distribute(const std::vector<std::string> &names,
                                const RangeReader &reader,
                                const std::vector<bool> &without) {
  std::deque<Flight> flights;
  auto finish = [&] {
    wait(flights.front());
    if (const Cut *cut = findCut(flights.front().name))
      forgetOthers(flights.front().name, *cut);
    flights.pop_front();
  };
  for (const std::string &name : names) {
    const std::span<std::byte> all = makeRoom(name);
    const Cut *cut = findCut(name);
    const CutBytes parts = {all.data(),
                            byteWidth(store.value(name).elementType()), cut};
    Flight &flight = flights.emplace_back(name);
    for (int rank = 0; rank < ranks->size(); ++rank) {
      const auto bytes = cut ? parts.range(rank) : all;
      if (bytes.empty() || (rank && without[size_t(rank)]))
        continue;
      // What all ranks have is read once.
      if (cut || rank == 0)
        reader(name, uint64_t(bytes.data() - all.data()), bytes);
      if (rank)
        flight.transfers.push_back(ranks->send(rank, kTensorTag, bytes));
    }
    if (flights.size() == kInFlight)
      finish();
  }
  while (!flights.empty())
    finish();
}

/// Gets this rank's elements from `reader` or, if that is null, from the first
/// rank.
void DividedTensors::receiveRanges(const std::vector<std::string> &names,
                                   const RangeReader *reader) {
  std::deque<Flight> flights;
  for (const std::string &name : names) {
    const std::span<std::byte> all = makeRoom(name);
    const Cut *cut = findCut(name);
    const CutBytes parts = {all.data(),
                            byteWidth(store.value(name).elementType()), cut};
    const auto bytes = cut ? parts.range(ranks->rank()) : all;
    if (!bytes.empty() && reader)
      (*reader)(name, uint64_t(bytes.data() - all.data()), bytes);
    else if (!bytes.empty())
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
                             const RangeReader &reader, bool readsFiles) {
  if (!ranks) {
    for (const std::string &name : names)
      if (const std::span<std::byte> bytes = makeRoom(name); !bytes.empty())
        reader(name, 0, bytes);
    return;
  }
  gathered.clear();
  if (state && !state->cuts.empty())
    state->isDivided = true;
  std::vector<bool> without(size_t(ranks->size()));
  if (readsFiles && !sharers.empty())
    without = sharers;
  reportFailures(*ranks, [&] {
    if (isFirst())
      distribute(names, reader, without);
    else
      receiveRanges(names, without[size_t(ranks->rank())] ? &reader : nullptr);
  });
}

} // namespace gensyn::runtime
