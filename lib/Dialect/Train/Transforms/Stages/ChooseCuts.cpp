// Chooses cuts exactly. A largest part is possible or not, which one pass over
// the chain tells, so the least one is found by bisection. The least crossing
// under such a bound is a dynamic program with a window that only moves on: one
// pass for each part.

#include "ChooseCuts.h"

#include "gensyn/Numerics/Sizes.h"

#include <deque>
#include <limits>
#include <vector>

using namespace gensyn;

namespace {
class Chain {
public:
  Chain(llvm::ArrayRef<int64_t> costs, llvm::ArrayRef<int64_t> crossing,
        llvm::ArrayRef<unsigned> earliest, unsigned parts)
      : crossing(crossing), earliest(earliest), parts(parts),
        before(costs.size() + 1, 0) {
    for (size_t i = 0; i < costs.size(); ++i) {
      before[i + 1] = saturatingAdd(before[i], costs[i]);
      largest = std::max(largest, costs[i]);
    }
  }

  /// The least bound of a part's cost from `low` on for which `fits` is true.
  template <class Fits>
  int64_t leastBound(int64_t low, int64_t high, Fits fits) {
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (fits(middle))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
  /// None if there are no such parts.
  std::optional<int64_t> leastBound() {
    if (!fits(before.back()))
      return std::nullopt;
    return leastBound(largest, before.back(),
                      [&](int64_t bound) { return fits(bound); });
  }
  /// The least sum of what is crossed if no part costs more than the bound; the
  /// cuts, if asked for.
  int64_t leastCrossing(int64_t bound, llvm::SmallVector<unsigned> *cuts);

private:
  size_t links() const { return before.size() - 1; }
  /// True if parts of at most that cost suffice. Fewer parts do, too, since
  /// each but a single link can be cut again.
  bool fits(int64_t bound) const;
  bool isPart(size_t first, size_t end, int64_t bound) const {
    return before[end] - before[first] <= bound && first >= earliest[end];
  }

  llvm::ArrayRef<int64_t> crossing;
  llvm::ArrayRef<unsigned> earliest;
  unsigned parts;
  /// The costs of all links before each.
  std::vector<int64_t> before;
  int64_t largest = 0;
};
} // namespace

bool Chain::fits(int64_t bound) const {
  unsigned used = 1;
  size_t first = 0;
  for (size_t i = 0; i < links(); ++i)
    if (!isPart(first, i + 1, bound)) {
      first = i;
      if (++used > parts || !isPart(first, i + 1, bound))
        return false;
    }
  return true;
}

int64_t Chain::leastCrossing(int64_t bound, llvm::SmallVector<unsigned> *cuts) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  // Of the links before each: the least crossing of parts that hold them.
  std::vector<int64_t> least(links() + 1, kNever);
  least[0] = 0;
  std::vector<std::vector<unsigned>> chosen;
  for (unsigned part = 0; part < parts; ++part) {
    std::vector<int64_t> next(links() + 1, kNever);
    std::vector<unsigned> from(cuts ? links() + 1 : 0);
    std::deque<unsigned> window; // of starts, with rising costs
    auto startAt = [&](unsigned first) {
      return saturatingAdd(least[first], part == 0 ? 0 : crossing[first]);
    };
    for (unsigned end = 1; end <= links(); ++end) {
      if (least[end - 1] != kNever) {
        while (!window.empty() && startAt(window.back()) > startAt(end - 1))
          window.pop_back();
        window.push_back(end - 1);
      }
      while (!window.empty() && !isPart(window.front(), end, bound))
        window.pop_front();
      if (window.empty())
        continue;
      next[end] = startAt(window.front());
      if (cuts)
        from[end] = window.front();
    }
    least = std::move(next);
    chosen.push_back(std::move(from));
  }
  if (cuts) {
    unsigned end = static_cast<unsigned>(links());
    for (unsigned part = parts - 1; part > 0; --part)
      cuts->push_back(end = chosen[part][end]);
    std::reverse(cuts->begin(), cuts->end());
  }
  return least.back();
}

std::optional<llvm::SmallVector<unsigned>> train::chooseCuts(
    llvm::ArrayRef<int64_t> costs, llvm::ArrayRef<int64_t> crossing,
    llvm::ArrayRef<unsigned> earliest, unsigned parts, int64_t slack) {
  Chain chain(costs, crossing, earliest, parts);
  const auto found = chain.leastBound();
  if (!found)
    return std::nullopt;
  const int64_t least = *found;
  const int64_t allowed =
      saturatingAdd(least, saturatingMultiply(least / 100, slack) +
                               (least % 100) * slack / 100);
  const int64_t crossed = chain.leastCrossing(allowed, nullptr);
  const int64_t bound = chain.leastBound(least, allowed, [&](int64_t bound) {
    return chain.leastCrossing(bound, nullptr) == crossed;
  });
  llvm::SmallVector<unsigned> cuts;
  chain.leastCrossing(bound, &cuts);
  return cuts;
}
