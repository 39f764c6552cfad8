// Which rank has which elements of the tensors of a step.
#ifndef GENSYN_RUNTIME_RANKS_TENSORCUTS_H
#define GENSYN_RUNTIME_RANKS_TENSORCUTS_H

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Executable/Signature.h"
#include "gensyn/Runtime/Ranks/Islands.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gensyn::plan {
class SplitStep;
} // namespace gensyn::plan

namespace gensyn::runtime {

/// Elements of a tensor in row-major order.
struct Range {
  int64_t begin = 0, count = 0;

  bool operator==(const Range &) const = default;
};

/// The elements of each rank; all elements are someone's.
using Cut = std::vector<Range>;

/// The cuts of tensors by their names. A tensor that has none is the same on
/// all ranks.
class TensorCuts {
public:
  TensorCuts() = default;
  /// The program's cuts are by the positions of ranks (Islands::positionOf).
  /// Throws a Failure (bad input) if one is of another number of ranks.
  TensorCuts(const plan::SplitStep &step, const Islands &islands);

  /// Null if the tensor is not cut.
  const Cut *find(const std::string &name) const;
  /// The same, for a tensor of that many elements; throws a Failure (bad input)
  /// if the cut is one of another tensor.
  const Cut *find(const std::string &name, int64_t elements) const;
  bool empty() const { return cuts.empty(); }

private:
  std::map<std::string, Cut> cuts;
};

/// What the ranks at a place of all islands have together. Throws a Failure
/// (bad input) if that is no range.
Range joinRanges(const Cut &cut, const Islands &islands, int place);

/// Ranges begin at multiples of so many bytes, from which kernels read tensors.
inline constexpr int64_t kRangeAlignment = 64;

/// Cuts tensors, one after another, so that each rank gets about the same
/// number of bytes.
std::vector<Cut> cutEvenly(std::span<const Port> tensors, int ranks);

/// The bytes of a tensor that is cut.
struct CutBytes {
  std::byte *bytes;
  int64_t width; ///< of an element
  const Cut *cut;

  std::span<std::byte> range(int rank) const {
    return of((*cut)[size_t(rank)]);
  }
  std::span<std::byte> of(const Range &range) const {
    return {bytes + range.begin * width, size_t(range.count * width)};
  }
};

/// Copies the ranges of all ranks to all ranks, the short ones of all tensors
/// as one message. All ranks call it with the same cuts.
void gatherRanges(communication::Communicator &ranks, uint32_t tag,
                  std::span<const CutBytes> tensors);

} // namespace gensyn::runtime

#endif
