// Which rank computes which piece, in which phase, and what travels.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_PLACES_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_PLACES_H

#include "DimensionClasses.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

namespace gensyn::train {

/// A function: what a rank of a segment's stage computes between two exchanges
/// with others.
struct PhaseId {
  unsigned segment = 0, phase = 0, rank = 0;
  auto operator<=>(const PhaseId &) const = default;
};

/// A part of a value that one function makes, and those that read it.
struct TravellingTile {
  int64_t number = 0; ///< of gensyn.cut
  repro::Tile tile;
  llvm::SmallVector<PhaseId> readers;
};

/// Each rank computes what its results and its tiles that others read depend
/// on. The phase of a piece is the first in which all that it reads is there:
/// another rank's tile is there one phase after it was made.
class Places {
public:
  /// `cuts` are those of the nodes.
  Places(const TensorProgram &program, llvm::ArrayRef<TensorCut> cuts,
         int64_t ranks);

  const TensorProgram &program;
  llvm::ArrayRef<TensorCut> cuts;
  size_t ranks;

  /// True if the rank computes its piece of the node.
  bool computes(unsigned node, size_t rank) const {
    return computed[node][rank];
  }
  /// The function in which it does.
  PhaseId phaseOf(unsigned node, size_t rank) const {
    return {program.nodes[node].segment, phases[node][rank],
            static_cast<unsigned>(rank)};
  }
  /// A rank's piece of a node's op, and its part of the results.
  repro::Tile pieceOf(unsigned node, size_t rank) const;
  repro::Tile partOf(unsigned node, mlir::Value value, size_t rank) const {
    return cuts[node].part(repro::shapeOf(value), rank);
  }

  /// Where a rank finds a tile of a node's result: ranks of the node's stage,
  /// with what each has of it, which follow each other along the cut.
  llvm::SmallVector<std::pair<size_t, repro::Tile>>
  findMakers(mlir::Value value, llvm::ArrayRef<repro::IndexRange> tile,
             int64_t stage, size_t rank) const;

  /// What others read of a rank's part of a node's result.
  llvm::ArrayRef<TravellingTile> travelling(mlir::Value value,
                                            size_t rank) const;

private:
  struct Reader {
    int64_t stage = 0;
    unsigned rank = 0;
    repro::Tile tile;
    llvm::SmallVector<PhaseId> functions;
  };

  bool isEmptyPiece(unsigned node, size_t rank) const;
  void findOwners();
  void demandSources(unsigned node, size_t rank);
  void demand(unsigned node);
  void findPhase(unsigned node, size_t rank);
  void noteReader(mlir::Value value, size_t maker, const PhaseId &reader,
                  llvm::ArrayRef<repro::IndexRange> tile);
  void numberTiles();

  using Key = std::pair<mlir::Value, unsigned>;
  std::vector<std::vector<bool>> computed;
  std::vector<std::vector<unsigned>> phases;
  /// The rank that alone keeps what a node makes, or -1; the rank that sends
  /// the whole results of a node to other stages, or -1 if these read none.
  std::vector<int> owners, senders;
  llvm::DenseMap<Key, std::vector<Reader>> readers;
  llvm::DenseMap<Key, std::vector<TravellingTile>> tiles;
};

} // namespace gensyn::train

#endif
