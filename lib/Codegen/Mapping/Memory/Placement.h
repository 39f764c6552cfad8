// Places blocks of memory that live for a while, each where others have left.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_MEMORY_PLACEMENT_H
#define GENSYN_LIB_CODEGEN_MAPPING_MEMORY_PLACEMENT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace gensyn::mapping {

/// Bytes that are in use from one time to another.
struct LiveBlock {
  int64_t bytes;
  int64_t begin, end;
  int64_t address = 0;
  bool livesWith(const LiveBlock &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// The most bytes that live at once: no placement takes less.
int64_t countMostLive(llvm::ArrayRef<LiveBlock> blocks);

/// Gives the blocks addresses from `first` on, so that the end of the last one
/// is low, and returns that end. Tries several orders, and none after one that
/// takes no more than lives at once.
int64_t placeBlocks(llvm::MutableArrayRef<LiveBlock> blocks, int64_t first);

} // namespace gensyn::mapping

#endif
