// One function of a rank.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_PHASEBUILDER_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_PHASEBUILDER_H

#include "Places.h"
#include "VerifyTiles.h"

#include "gensyn/Executable/Role.h"
#include "mlir/IR/Builders.h"

#include <map>

namespace gensyn::train {

/// The parameters that a rank reads, with the tiles that it reads, none of
/// which another contains. By the arguments that stand for them.
using ParameterTiles =
    llvm::DenseMap<mlir::Value, llvm::SmallVector<repro::Tile, 1>>;

class PhaseBuilder {
public:
  PhaseBuilder(const Places &places, PhaseId id, mlir::OpBuilder &outer,
               llvm::StringRef name, ParameterTiles &parameters);

  /// Nodes in the order of the program; then the function is complete.
  void add(unsigned node);
  BuiltPhase finish();

private:
  mlir::Value argumentFor(mlir::Value like, mlir::Type type,
                          mlir::DictionaryAttr attributes);
  mlir::Value argumentOf(mlir::Value value,
                         llvm::ArrayRef<repro::IndexRange> tile);
  mlir::Value travelled(mlir::Value value, size_t rank, repro::Tile &tile);
  mlir::Value tileOf(mlir::Value value, llvm::ArrayRef<repro::IndexRange> tile);
  mlir::Value denseTileOf(mlir::Value value,
                          llvm::ArrayRef<repro::IndexRange> tile);
  mlir::Value join(mlir::Value value, llvm::ArrayRef<repro::IndexRange> tile);
  llvm::SmallVector<mlir::Value> build(mlir::Operation *op,
                                       llvm::ArrayRef<repro::IndexRange> piece);
  void addReturned(const TensorNode &node, mlir::Value value,
                   llvm::ArrayRef<repro::IndexRange> part);
  mlir::DictionaryAttr describe(llvm::StringRef name, Role role) const;
  void addTravelling(unsigned node);

  const Places &places;
  const TensorProgram &program;
  PhaseId id;
  int64_t stage;
  mlir::OpBuilder builder;
  ParameterTiles &parameters;
  mlir::func::FuncOp function;
  std::vector<BuiltPiece> pieces;
  std::vector<unsigned> nodes;
  /// What this function makes of nodes' results, and tiles that it has built.
  llvm::DenseMap<mlir::Value, mlir::Value> made;
  llvm::DenseMap<mlir::Value,
                 llvm::SmallVector<std::pair<repro::Tile, mlir::Value>, 1>>
      built;
  llvm::DenseMap<mlir::Value, unsigned> arguments;
  std::map<int64_t, mlir::Value> cutArguments;
  llvm::SmallVector<mlir::Attribute> argumentAttributes, resultAttributes;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<int64_t> donated;
};

} // namespace gensyn::train

#endif
