// Which launches of a segment have to wait for which.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_CONFLICTS_H
#define GENSYN_LIB_CODEGEN_MAPPING_CONFLICTS_H

#include "gensyn/Executable/plan.pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <vector>

namespace gensyn::mapping {

/// A launch's buffers.
struct Accesses {
  llvm::SmallVector<uint32_t> reads, writes;
};

/// Finds, for each launch of a segment, those before it that access the same
/// memory, where one of both writes.
class Conflicts {
public:
  explicit Conflicts(const plan::Plan &plan);

  /// Launches are added in their order. Returns, for each buffer that the
  /// launch reads and then for each that it writes, the numbers of earlier
  /// launches that must have ended before it is accessed.
  llvm::SmallVector<llvm::SmallVector<unsigned>> add(const Accesses &accesses);

private:
  /// Bytes of one of the plan's memories: an input, an output, the arena, ...
  struct Span {
    std::pair<int, uint32_t> memory;
    uint64_t begin, end;
  };
  /// Launches that accessed the bytes up to the next key.
  struct Users {
    std::vector<unsigned> readers; ///< since the last one that wrote
    std::vector<unsigned> writers; ///< the last one; several after joins
  };
  using Bytes = std::map<uint64_t, Users>;

  Span spanOf(uint32_t buffer) const;
  /// Where a buffer may lie: a loop exchanges those of the values it carries.
  llvm::SmallVector<Span> spansOf(uint32_t buffer) const;
  /// Makes `at` a key.
  static void cut(Bytes &bytes, uint64_t at);

  const plan::Plan &plan;
  llvm::EquivalenceClasses<uint32_t> exchanged;
  std::map<std::pair<int, uint32_t>, Bytes> memories;
  unsigned added = 0;
};

} // namespace gensyn::mapping

#endif
