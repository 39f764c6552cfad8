// A function made of ops of a frozen program.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PARTBUILDER_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PARTBUILDER_H

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace gensyn::train {

/// A function under construction that computes some values of `main`.
class PartBuilder {
public:
  PartBuilder(mlir::func::FuncOp main, llvm::StringRef name);

  /// Adds an argument that stands for `value`. Its attributes are those of the
  /// argument `like` of `main`; its type is that of `value` unless given.
  mlir::Value addArgument(mlir::Value value, mlir::BlockArgument like,
                          mlir::Type type = {});
  mlir::Value addArgument(mlir::Value value, mlir::Type type,
                          llvm::StringRef name, Role role);
  /// Adds a result that replaces the argument that stands for `replaced`, if
  /// there is one.
  void addResult(mlir::Value value, llvm::StringRef name, Role role,
                 mlir::Value replaced);

  /// From now on what `build` makes of the argument that stands for `value`
  /// does.
  void derive(mlir::Value value,
              llvm::function_ref<mlir::Value(mlir::OpBuilder &builder,
                                             mlir::Value argument)>
                  build);

  /// Makes an op's results in the part, and says so in `mapping`.
  using Cloner = llvm::function_ref<void(
      mlir::OpBuilder &builder, mlir::Operation &op, mlir::IRMapping &mapping)>;
  /// Copies the ops of `block` that the results depend on, and ends the
  /// function. `clone` makes copies of a part of their elements.
  void finish(mlir::Block &block, Cloner clone = copyOp);
  /// The values among the arguments of `block` that the results depend on.
  llvm::SmallVector<mlir::BlockArgument>
  findArguments(mlir::Block &block) const;
  /// All values that the results depend on, but for what is behind an argument.
  llvm::DenseSet<mlir::Value> findSources() const;

private:
  static void copyOp(mlir::OpBuilder &builder, mlir::Operation &op,
                     mlir::IRMapping &mapping) {
    builder.clone(op, mapping);
  }

  mlir::func::FuncOp main, part;
  mlir::OpBuilder builder;
  mlir::IRMapping mapping;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::DictionaryAttr> argumentAttributes, resultAttributes;
  llvm::SmallVector<mlir::Value> stands, replaced;
};

} // namespace gensyn::train

#endif
