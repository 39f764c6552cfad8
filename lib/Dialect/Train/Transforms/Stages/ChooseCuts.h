// Where a chain is cut into parts of about the same cost.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_CHOOSECUTS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_CHOOSECUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace gensyn::train {

/// Cuts a chain of links into `parts` parts that are not empty. `costs` are
/// those of the links, none negative, and `crossing[i]` is what a cut in front
/// of link i costs. Returns the first link of each part but the first.
///
/// Among the cuts whose largest part exceeds the least that is possible by at
/// most `slack` percent, those that cross the least are taken, and of these
/// those whose largest part is least. There are at least `parts` links, and
/// one part.
///
/// A part that ends in front of link i begins with link `earliest[i]` or a
/// later one; these numbers rise, up to that of all links. Returns none if no
/// cuts are possible so.
std::optional<llvm::SmallVector<unsigned>>
chooseCuts(llvm::ArrayRef<int64_t> costs, llvm::ArrayRef<int64_t> crossing,
           llvm::ArrayRef<unsigned> earliest, unsigned parts, int64_t slack);

} // namespace gensyn::train

#endif
