// See EvenStages.h. Each move makes the list of the stages' costs, the largest
// first, lexicographically less, so there is an end.

#include "EvenStages.h"

#include "gensyn/Numerics/Sizes.h"

#include <vector>

using namespace gensyn;

namespace {
class Balance {
public:
  Balance(llvm::ArrayRef<int64_t> costs, llvm::ArrayRef<int64_t> crossing,
          llvm::ArrayRef<unsigned> earliest, unsigned stages,
          llvm::MutableArrayRef<unsigned> cuts)
      : crossing(crossing), earliest(earliest), cuts(cuts),
        before(costs.size() + 1, 0), ofStage(stages, 0) {
    for (size_t i = 0; i < costs.size(); ++i)
      before[i + 1] = saturatingAdd(before[i], costs[i]);
    for (size_t chunk = 0; chunk <= cuts.size(); ++chunk)
      ofStage[chunk % stages] += before[endOf(chunk)] - before[startOf(chunk)];
  }

  /// Moves a cut to its best place; false if it stays.
  bool move(size_t cut);

private:
  unsigned startOf(size_t chunk) const {
    return chunk == 0 ? 0 : cuts[chunk - 1];
  }
  unsigned endOf(size_t chunk) const {
    return chunk < cuts.size() ? cuts[chunk]
                               : static_cast<unsigned>(before.size() - 1);
  }

  llvm::ArrayRef<int64_t> crossing;
  llvm::ArrayRef<unsigned> earliest;
  llvm::MutableArrayRef<unsigned> cuts;
  /// The costs of all links before each.
  std::vector<int64_t> before;
  std::vector<int64_t> ofStage;
};
} // namespace

bool Balance::move(size_t cut) {
  const unsigned old = cuts[cut], start = startOf(cut), end = endOf(cut + 1);
  int64_t &left = ofStage[cut % ofStage.size()];
  int64_t &right = ofStage[(cut + 1) % ofStage.size()];
  unsigned best = old;
  int64_t least = std::max(left, right);
  for (unsigned place = start + 1; place < end; ++place) {
    if (crossing[place] > crossing[old] || start < earliest[place] ||
        place < earliest[end])
      continue;
    const int64_t moved = before[place] - before[old];
    const int64_t largest = std::max(left + moved, right - moved);
    if (largest < least) {
      least = largest;
      best = place;
    }
  }
  const int64_t moved = before[best] - before[old];
  left += moved;
  right -= moved;
  cuts[cut] = best;
  return best != old;
}

void train::evenStages(llvm::ArrayRef<int64_t> costs,
                       llvm::ArrayRef<int64_t> crossing,
                       llvm::ArrayRef<unsigned> earliest, unsigned stages,
                       llvm::MutableArrayRef<unsigned> cuts) {
  Balance balance(costs, crossing, earliest, stages, cuts);
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (size_t cut = 0; cut < cuts.size(); ++cut)
      goesOn |= balance.move(cut);
  }
}
