// The segments of a microbatch as one program, and how its ops may be cut.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_TENSORPROGRAM_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_TENSORPROGRAM_H

#include "Tiles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <vector>

namespace gensyn::train {

/// An op of a segment, or a result of the microbatch that one rank hands over.
struct TensorNode {
  mlir::Operation *op = nullptr; ///< null: the result
  mlir::Value result;            ///< what is handed over
  unsigned segment = 0;
  int64_t stage = 0;
  /// The number of the segment's result, if this is the result or an op that
  /// adds to a sum.
  std::optional<unsigned> returned;
  bool addsToSum = false;
};

/// All segments, one after another. Values are known by one name each: that of
/// the op's result, or the argument of the first segment that has it.
///
/// Views are values that each rank computes as far as it needs them: they
/// depend on inputs alone, on parameters alone or on nothing, and computing
/// them takes less than sending them.
/// All other ops are nodes.
class TensorProgram {
public:
  /// Fails after an error if there are no segments, or if they read sums
  /// otherwise than to add to them.
  llvm::LogicalResult build(mlir::ModuleOp module);

  std::vector<mlir::func::FuncOp> segments;
  int64_t stages = 0;
  std::vector<TensorNode> nodes;
  int64_t stageOf(unsigned segment) const;

  /// The value that an operand, or an argument, stands for.
  mlir::Value resolve(mlir::Value value) const;
  /// The node whose op's result a resolved value is.
  std::optional<unsigned> nodeOf(mlir::Value value) const;
  bool isView(mlir::Operation *op) const { return views.contains(op); }
  bool isParameter(mlir::Value argument) const;
  bool isSum(mlir::Value value) const;
  llvm::StringRef nameOf(mlir::Value argument) const;

  /// Calls `call` with the tiles of parameters and of nodes' results that a
  /// tile of a value is computed from.
  using Call = llvm::function_ref<void(mlir::Value value, repro::Tile tile)>;
  void findSources(mlir::Value value, llvm::ArrayRef<repro::IndexRange> tile,
                   Call call) const;
  /// The same for a piece of a node's op, or for the result.
  void findSources(const TensorNode &node,
                   llvm::ArrayRef<repro::IndexRange> piece, Call call) const;

private:
  llvm::LogicalResult addSegment(mlir::func::FuncOp segment);
  bool findView(mlir::Operation *op);
  llvm::LogicalResult addResults(mlir::func::FuncOp segment, unsigned number,
                                 int64_t stage);

  llvm::DenseMap<mlir::Value, mlir::Value> stands; ///< for arguments
  llvm::StringMap<mlir::Value> arguments, cuts;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  struct View {
    int64_t work = 0;   ///< operations of its op and of those it depends on
    unsigned count = 1; ///< their number
    bool hasParameters = false, hasInputs = false; ///< depends on some
  };
  llvm::DenseMap<mlir::Operation *, View> views;
};

/// The piece of an op that computes a tile of its first result. It computes
/// more where dimensions of the result cannot be cut anywhere.
repro::Tile pieceOfTile(mlir::Operation *op,
                        llvm::ArrayRef<repro::IndexRange> tile);

} // namespace gensyn::train

#endif
