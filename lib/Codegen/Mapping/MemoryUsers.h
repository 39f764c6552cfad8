// What tasks wait for that take memory which others used before.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_MEMORYUSERS_H
#define GENSYN_LIB_CODEGEN_MAPPING_MEMORYUSERS_H

#include "gensyn/Dialect/Task/IR/Task.h"

#include <map>
#include <optional>
#include <vector>

namespace gensyn::mapping {

/// The bytes that a buffer takes: copies of cores begin at multiples of 64, as
/// tensors do.
int64_t alignedBytes(int64_t size);

/// Of cores: the end of the weights that lie at the beginning of their memory.
using ResidentEnds = llvm::DenseMap<uint32_t, int64_t>;
ResidentEnds findResidentEnds(mlir::ModuleOp module);

/// The tasks that used a core's memory last.
class FormerUsers {
public:
  /// Returns those of a buffer's memory, which it overwrites.
  llvm::SmallVector<mlir::Operation *> take(int64_t begin, int64_t size);
  void add(int64_t begin, int64_t size,
           llvm::ArrayRef<mlir::Operation *> users);

private:
  struct Past {
    int64_t begin, end;
    llvm::SmallVector<mlir::Operation *> users;
  };
  std::vector<Past> past;
};

/// What the multicasts of a segment have to wait for: on their own core for the
/// tasks, and on others for a counter of each multicast.
class MulticastWaits {
public:
  explicit MulticastWaits(task::SegmentOp segment);
  void addFormerUser(uint32_t number, task::TaskOpInterface user);
  /// When there are no more.
  void setAwaits();

private:
  struct State {
    task::MulticastOp op;
    std::optional<int32_t> counter;
    int32_t users = 0;
  };
  task::SegmentOp segment;
  std::map<uint32_t, State> states;
};

} // namespace gensyn::mapping

#endif
