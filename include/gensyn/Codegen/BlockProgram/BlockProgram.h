// Command streams of a mapping's cores that are accelerator blocks
// (docs/Block.md).

#ifndef GENSYN_CODEGEN_BLOCKPROGRAM_BLOCKPROGRAM_H
#define GENSYN_CODEGEN_BLOCKPROGRAM_BLOCKPROGRAM_H

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Description.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gensyn::blockprogram {

struct BlockProgram {
  uint32_t core = 0;
  /// False for a core that is no block: then the stream has its waits and
  /// signals, and places of tasks, so that who drives the block knows when.
  bool isBlock = false;
  /// The stream, a file.
  std::string file;
  /// Descriptors of the stream.
  uint64_t computations = 0, copies = 0, waits = 0, signals = 0;
};

/// Makes the stream of each core of a mapping that has tasks, in ascending
/// order. `module` has the pieces, as exportMapping needs them. Fails after an
/// error if no kind of core is a block, or a block cannot do one of its tasks.
llvm::FailureOr<std::vector<BlockProgram>>
makeBlockPrograms(mlir::ModuleOp module, const machine::Description &machine,
                  const plan::Plan &plan, const mapping::Mapping &mapping);

} // namespace gensyn::blockprogram

#endif
