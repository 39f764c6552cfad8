// See TensorCuts.h.

#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include "PartInputs.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>

namespace gensyn::runtime {

using communication::Transfer;

TensorCuts::TensorCuts(const plan::SplitStep &step, const Islands &islands) {
  const int ranks = islands.ranks();
  for (const plan::Cut &given : step.cuts()) {
    if (given.begins_size() != ranks || given.counts_size() != ranks)
      failParts("are of another number of ranks");
    Cut &cut = cuts[given.name()];
    for (int rank = 0; rank < ranks; ++rank) {
      const int position = islands.positionOf(rank);
      cut.push_back({given.begins(position), given.counts(position)});
    }
  }
}

const Cut *TensorCuts::find(const std::string &name) const {
  auto found = cuts.find(name);
  return found == cuts.end() ? nullptr : &found->second;
}

const Cut *TensorCuts::find(const std::string &name, int64_t elements) const {
  const Cut *cut = find(name);
  if (!cut)
    return nullptr;
  int64_t total = 0;
  for (const Range &range : *cut) {
    if (range.begin < 0 || range.count < 0 ||
        range.count > elements - range.begin)
      failParts("cut another tensor than " + quote(name));
    total += range.count;
  }
  if (total != elements)
    failParts("leave out elements of " + quote(name));
  return cut;
}

Range joinRanges(const Cut &cut, const Islands &islands, int place) {
  Range whole;
  for (int island = 0; island < islands.count; ++island) {
    const Range &next = cut[size_t(islands.rankOf(island, place))];
    if (next.count == 0)
      continue;
    if (whole.count == 0)
      whole.begin = next.begin;
    if (next.begin != whole.begin + whole.count)
      failParts("cut a tensor in another order");
    whole.count += next.count;
  }
  return whole;
}

std::vector<Cut> cutEvenly(std::span<const Port> tensors, int ranks) {
  auto bytesOf = [](const Port &tensor) {
    return countBytes(tensor.type, tensor.shape).value_or(0);
  };
  auto unitsOf = [&](const Port &tensor) {
    return (bytesOf(tensor) + kRangeAlignment - 1) / kRangeAlignment;
  };
  int64_t total = 0;
  for (const Port &tensor : tensors)
    total += unitsOf(tensor);
  std::vector<Cut> cuts;
  int64_t first = 0; // the unit with which the tensor begins
  for (const Port &tensor : tensors) {
    const int64_t width = byteWidth(tensor.type);
    const int64_t units = unitsOf(tensor);
    Cut &cut = cuts.emplace_back();
    for (int64_t rank = 0; rank < ranks; ++rank) {
      auto place = [&](int64_t unit) {
        return std::min(std::clamp<int64_t>(unit - first, 0, units) *
                            kRangeAlignment,
                        bytesOf(tensor)) /
               width;
      };
      const int64_t begin = place(total * rank / ranks);
      cut.push_back({begin, place(total * (rank + 1) / ranks) - begin});
    }
    first += units;
  }
  return cuts;
}

/// A message takes some microseconds of its sender and its receiver: a range of
/// at most so many bytes is not worth one.
static constexpr size_t kShort = 4 << 10;

static std::vector<std::span<std::byte>>
findShort(std::span<const CutBytes> tensors, int rank) {
  std::vector<std::span<std::byte>> ranges;
  for (const CutBytes &tensor : tensors)
    if (const auto range = tensor.range(rank); range.size() <= kShort)
      ranges.push_back(range);
  return ranges;
}

static std::span<std::byte> withoutShort(std::span<std::byte> range) {
  return range.size() > kShort ? range : std::span<std::byte>();
}

void gatherRanges(communication::Communicator &ranks, uint32_t tag,
                  std::span<const CutBytes> tensors) {
  const int own = ranks.rank(), size = ranks.size();
  // The short ones travel end to end.
  std::vector<std::vector<std::byte>> together(static_cast<size_t>(size));
  for (const auto range : findShort(tensors, own))
    together[size_t(own)].insert(together[size_t(own)].end(), range.begin(),
                                 range.end());
  std::vector<Transfer> transfers;
  auto begin = [&](int from, std::span<std::byte> arriving, int to,
                   std::span<const std::byte> leaving) {
    if (!arriving.empty())
      transfers.push_back(ranks.receive(from, tag, arriving));
    if (!leaving.empty())
      transfers.push_back(ranks.send(to, tag, leaving));
  };
  // Each begins with another rank, so that none gets all at once.
  for (int i = 1; i < size; ++i) {
    const int from = (own + size - i) % size, to = (own + i) % size;
    size_t bytes = 0;
    for (const auto range : findShort(tensors, from))
      bytes += range.size();
    together[size_t(from)].resize(bytes);
    begin(from, together[size_t(from)], to, together[size_t(own)]);
    for (const CutBytes &tensor : tensors)
      begin(from, withoutShort(tensor.range(from)), to,
            withoutShort(tensor.range(own)));
  }
  for (const Transfer &transfer : transfers)
    ranks.wait(transfer);
  for (int from = 0; from < size; ++from) {
    if (from == own)
      continue;
    auto next = together[size_t(from)].begin();
    for (const auto range : findShort(tensors, from)) {
      std::copy_n(next, range.size(), range.begin());
      next += std::ptrdiff_t(range.size());
    }
  }
}

} // namespace gensyn::runtime
