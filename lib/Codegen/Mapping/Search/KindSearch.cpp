// See KindSearch.h.

#include "KindSearch.h"

#include "gensyn/Dialect/Repro/IR/SplitOp.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

/// How many parts of a kernel cores of several kinds compute, and how many
/// grids are looked at with their tiles, the most promising first.
static constexpr int64_t kMostParts = 32;
static constexpr size_t kMostOfKindMeasured = 24;

namespace {

/// Some kinds of cores, the fastest first, that compute a kernel together.
class SharedSearch {
public:
  struct Member {
    uint32_t kind;
    int64_t cores;
    PieceCosts costs;
  };

  SharedSearch(KernelOp kernel, const machine::Description &machine,
               MutableArrayRef<Member> members, int64_t share,
               TileSearch::Rules rules)
      : kernel(kernel), machine(machine), members(members), share(share),
        rules(rules), whole(getWholePiece(kernel)), sizes(whole.size(), 1) {
    for (const Member &member : members)
      cores += member.cores;
    for (const Split &split : kernel.getSplits())
      isFree.push_back(split.kind == Split::Kind::Free);
  }

  /// Replaces the choice if it finds a faster one.
  void improve(PartChoice &best) {
    visit(0, 1);
    llvm::stable_sort(candidates, [](const PartChoice &a, const PartChoice &b) {
      return a.time < b.time;
    });
    for (PartChoice &candidate :
         MutableArrayRef(candidates).take_front(kMostOfKindMeasured)) {
      if (candidate.time >= best.time)
        break;
      if (measure(candidate) && candidate.time < best.time)
        best = candidate;
    }
  }

private:
  void visit(size_t dimension, int64_t parts) {
    if (dimension == whole.size())
      return add(parts);
    const int64_t extent = std::max<int64_t>(whole[dimension].size, 1);
    int64_t last = -1;
    for (int64_t count = 1; parts * count <= kMostParts; ++count) {
      const int64_t size = llvm::divideCeilSigned(extent, count);
      if (size == last)
        continue;
      last = sizes[dimension] = size;
      visit(dimension + 1, parts * llvm::divideCeilSigned(extent, size));
      if (size == 1 || !isFree[dimension])
        break;
    }
  }

  /// Gives each part to the kind whose cores have done theirs first.
  void add(int64_t parts) {
    if (parts < int64_t(members.size()))
      return;
    SmallVector<int64_t> counts;
    const Tile part = findMiddlePart(whole, sizes, counts);
    SmallVector<int64_t> times;
    for (Member &member : members)
      times.push_back(
          overlap(member.costs.compute(part),
                  member.costs.copy(part, concurrent(counts, parts), share),
                  rules.delaysCopies));
    PartChoice choice;
    choice.sizes = sizes;
    for (const Member &member : members)
      choice.kinds.push_back({member.kind, 0});
    for (int64_t left = parts; left > 0;) {
      size_t first = 0;
      for (size_t i = 1; i < times.size(); ++i)
        if ((choice.kinds[i].parts + 1) * times[i] <
            (choice.kinds[first].parts + 1) * times[first])
          first = i;
      ++choice.kinds[first].parts;
      left -= members[first].cores;
    }
    for (auto [kind, time] : llvm::zip_equal(choice.kinds, times)) {
      if (kind.parts == 0)
        return;
      choice.time = std::max(choice.time, kind.parts * time);
    }
    candidates.push_back(std::move(choice));
  }

  /// As many parts as cores copy at the same time.
  SmallVector<int64_t> concurrent(ArrayRef<int64_t> counts,
                                  int64_t parts) const {
    if (parts <= cores)
      return SmallVector<int64_t>(counts);
    SmallVector<int64_t> made(counts.size(), 1);
    made.front() = cores;
    return made;
  }

  bool measure(PartChoice &choice) {
    choice.time = 0;
    for (auto [member, kind] : llvm::zip_equal(members, choice.kinds)) {
      TileSearch tiles(kernel, machine, member.costs, choice.sizes,
                       cores * share, rules);
      if (!tiles.run())
        return false;
      choice.time = std::max(choice.time, tiles.getTime(kind.parts));
      choice.tiles = tiles.getTiles();
    }
    return true;
  }

  KernelOp kernel;
  const machine::Description &machine;
  MutableArrayRef<Member> members;
  const int64_t share;
  const TileSearch::Rules rules;
  const Tile whole;
  SmallVector<bool> isFree;
  SmallVector<int64_t> sizes;
  int64_t cores = 0;
  std::vector<PartChoice> candidates;
};

} // namespace

PartChoice chooseParts(KernelOp kernel, const machine::Description &machine,
                       PieceCosts &costs, int64_t share,
                       TileSearch::Rules rules) {
  if (costs.getKinds().size() == 1) {
    PartSearch search(kernel, machine, costs, share, rules);
    PartChoice choice;
    choice.sizes = search.run();
    choice.time = search.getTime();
    choice.tiles = search.getTiles();
    return choice;
  }
  PartChoice best;
  best.time = std::numeric_limits<int64_t>::max();
  std::vector<SharedSearch::Member> members;
  std::vector<std::pair<int64_t, uint32_t>> order;
  for (uint32_t kind : costs.getKinds()) {
    PieceCosts own(kernel, machine, kind);
    if (own.getCores().empty())
      continue;
    PartSearch search(kernel, machine, own, share, rules);
    SmallVector<int64_t> sizes = search.run();
    order.push_back({search.getTime(), kind});
    if (search.getTime() < best.time || best.sizes.empty())
      best = {
          std::move(sizes), {{kind, 1}}, search.getTime(), search.getTiles()};
  }
  llvm::sort(order);
  uint64_t memory = std::numeric_limits<uint64_t>::max();
  for (auto [time, kind] : order) {
    PieceCosts own(kernel, machine, kind);
    const int64_t all = int64_t(own.getCores().size());
    memory = std::min(memory, own.getMemory());
    members.push_back(
        {kind, std::max<int64_t>(all / share, 1), std::move(own)});
    for (SharedSearch::Member &member : members)
      member.costs.limitMemory(memory);
    if (members.size() > 1)
      SharedSearch(kernel, machine, members, share, rules).improve(best);
  }
  return best;
}

} // namespace gensyn::mapping
