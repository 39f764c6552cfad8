// Builds a repro.loop around the ops of a NodeBuilder.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_LOOPBUILDER_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_LOOPBUILDER_H

#include "NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// Declare the loop's invariants and carried values first. Between `open` and
/// `close`, the node builder then builds the loop's body. `share` and `carry`
/// return the body's arguments for the values.
class LoopBuilder {
public:
  LoopBuilder(NodeBuilder &b, int64_t trips);

  mlir::Value share(mlir::Value value);
  mlir::Value carry(mlir::Value init);
  /// Runs the loop while a flag is true: `init` at first, then the first value
  /// passed to `close`, which precedes the carried ones.
  void goOnWhile(mlir::Value init) { condition = init; }

  void open();
  mlir::Value index() const { return block->getArgument(0); }
  /// Slice `index` (a tensor<i64>, in range) of the first dimension, which is
  /// dropped.
  mlir::Value read(mlir::Value value, mlir::Value index);
  /// `value` with that slice replaced.
  mlir::Value write(mlir::Value value, mlir::Value index, mlir::Value part);
  /// Ends the body, which yields the next carried values, and returns the
  /// loop's final ones.
  Values close(llvm::ArrayRef<mlir::Value> yielded);

private:
  NodeBuilder &b;
  int64_t trips;
  mlir::Region region;
  mlir::Block *block;
  Values inits, invariants;
  mlir::Value condition;
  mlir::OpBuilder::InsertPoint outside;
  // Arguments in the order of the calls; the loop has the carried ones first.
  llvm::SmallVector<mlir::BlockArgument> carried, shared;
};

} // namespace gensyn::onnx_to_repro

#endif
