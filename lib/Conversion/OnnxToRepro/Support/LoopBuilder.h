// A repro.loop around what a NodeBuilder builds.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_LOOPBUILDER_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_LOOPBUILDER_H

#include "NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// First says what the loop shares and carries; then, between `open` and
/// `close`, the node builder builds its body. What `share` and `carry` return
/// are the body's names for the values.
class LoopBuilder {
public:
  LoopBuilder(NodeBuilder &b, int64_t trips);

  mlir::Value share(mlir::Value value);
  mlir::Value carry(mlir::Value init);
  /// The loop goes on while a flag holds: `init` at first, then the first value
  /// that `close` is given, before those of what it carries.
  void goOnWhile(mlir::Value init) { condition = init; }

  void open();
  mlir::Value index() const { return block->getArgument(0); }
  /// Part `index` (a tensor<i64>, in range) of the first dimension, dropped.
  mlir::Value read(mlir::Value value, mlir::Value index);
  /// `value` with that part replaced.
  mlir::Value write(mlir::Value value, mlir::Value index, mlir::Value part);
  /// Ends the body, which yields the next carried values, and returns the last.
  Values close(llvm::ArrayRef<mlir::Value> yielded);

private:
  NodeBuilder &b;
  int64_t trips;
  mlir::Region region;
  mlir::Block *block;
  Values inits, invariants;
  mlir::Value condition;
  mlir::OpBuilder::InsertPoint outside;
  // Arguments in the order in which they were asked for; the loop has the
  // carried ones first.
  llvm::SmallVector<mlir::BlockArgument> carried, shared;
};

} // namespace gensyn::onnx_to_repro

#endif
