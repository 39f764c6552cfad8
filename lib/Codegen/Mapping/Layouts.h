// Chooses the chips in whose part of a memory the bytes of buffers lie.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_LAYOUTS_H
#define GENSYN_LIB_CODEGEN_MAPPING_LAYOUTS_H

#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Description.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>
#include <vector>

namespace gensyn::mapping {

/// Layouts of the buffers that lie in a memory with a part for each chip: each
/// block that a chip's cores read lies there. Nothing for buffers of which all
/// chips read the same, or blocks that are no grid, for those in the arena,
/// where others lie at other times, and for inputs that outputs replace.
class Layouts {
public:
  Layouts(mlir::func::FuncOp main, const plan::Plan &plan,
          const machine::Description &machine);

  /// Null: interleaved over all parts. Counts the bytes of buffers that have a
  /// layout: null too if a part has no room for its own.
  task::LayoutAttr find(uint32_t buffer, uint32_t memory);

private:
  /// What a part of a kernel reads, and the chip of its core.
  struct Read {
    repro::Tile tile;
    uint32_t chip;
  };
  struct Reads {
    mlir::Value tensor;
    std::vector<Read> list;
  };
  /// The distance of the blocks along a dimension, and their number; no number
  /// if they are not a grid.
  static std::pair<int64_t, int64_t>
  findBlocks(const Reads &reads, size_t dimension, int64_t extent);
  bool takeRoom(const Reads &reads, llvm::ArrayRef<int64_t> sizes,
                llvm::ArrayRef<int32_t> parts, uint32_t memory);

  mlir::func::FuncOp main;
  const machine::Description &machine;
  std::map<uint32_t, Reads> readsOf;
  /// Bytes left in each part of each memory.
  std::map<uint32_t, std::vector<int64_t>> room;
};

} // namespace gensyn::mapping

#endif
