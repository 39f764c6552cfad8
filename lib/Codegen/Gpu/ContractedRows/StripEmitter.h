// Emits the body of a launch of strips; see StripLayout.h.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_STRIPEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEDROWS_STRIPEMITTER_H

#include "TileCopy.h"
#include "TileElements.h"

namespace gensyn::gpu {

class StripEmitter {
public:
  StripEmitter(repro::KernelOp kernel, const repro::KernelForm &form,
               const StripLayout &layout, const Target &target,
               const KernelFunction &function, mlir::OpBuilder &builder);

  llvm::LogicalResult emit();

private:
  using Values = KernelBuilder::Values;

  /// What the loop over tiles carries, for the reductions and sums of a walk.
  struct Carried {
    llvm::SmallVector<Values> lanes, sums;
  };
  Values pack(const Carried &carried) const;
  Carried unpack(mlir::ValueRange values, const Carried &like) const;

  void locate();
  void keepOperands();
  mlir::Value tensorOf(const repro::RowContraction &contraction,
                       const StripTensor &tensor,
                       llvm::ArrayRef<int64_t> groupExtents);
  /// Returns the number of the thread's moving position `j` in a tile.
  mlir::Value movingOf(int64_t j);

  llvm::LogicalResult emitWalk(const StripWalk &walk);
  /// The thread's moving positions in a tile, all of which exist, and whether
  /// they are its own (null: yes).
  struct Moving {
    mlir::Value first;
    Values positions, inside;
  };
  Moving placeMoving(mlir::Value tile);
  llvm::LogicalResult emitTile(const StripWalk &walk, mlir::Value tile,
                               Carried &carried);
  /// Adds a tile that is masked, and returns the condition that it is.
  mlir::Value addMasked(const StripWalk &walk, TileElements &elements,
                        const Moving &moving, Carried &carried);
  /// Computes the scores of a tile, and adds it.
  llvm::LogicalResult addTile(const StripWalk &walk, const Moving &moving,
                              Carried &carried);
  llvm::LogicalResult emitOperand(mlir::Value tensor, TileElements &elements,
                                  llvm::ArrayRef<mlir::Value> inside,
                                  Values &values);
  /// Writes the operand of a sum to shared memory.
  void storeTile(llvm::ArrayRef<mlir::Value> values);
  /// Adds the products of two tiles in shared memory, of StripLayout::kPoints
  /// points each: of `tm` positions of `x`, and of runs of `width` adjacent
  /// positions of `y`, which begin at `starts`.
  void multiply(mlir::Value x, int64_t pitchX, mlir::Value y, int64_t pitchY,
                llvm::ArrayRef<int64_t> starts, int64_t width, Values &sums);
  /// Adds the products of `chunks` tiles at `x`, one behind the other, with
  /// those that `copy` brings, from point `first` on.
  Values emitProduct(TileCopy &copy, llvm::ArrayRef<mlir::Value> offsets,
                     mlir::Value first, int64_t chunks, mlir::Value x,
                     int64_t pitchX, int64_t positions,
                     llvm::ArrayRef<int64_t> starts, int64_t width,
                     mlir::Value ownPositions, Values sums);
  Values emitSource(unsigned number, mlir::Value first);
  Values emitSum(unsigned number, mlir::Value first, Values sums);

  /// Reduces the thread's elements of a tile.
  llvm::LogicalResult reduceTile(const StripReduction &reduction,
                                 TileElements &elements,
                                 llvm::ArrayRef<mlir::Value> inside,
                                 Values &lanes);
  /// Ends a block of the order, if it ends with the tile.
  void endBlock(const StripReduction &reduction, mlir::Value tile,
                Values &lanes);
  /// Joins the lanes of the thread's rows and writes them to shared memory.
  void joinLanes(const StripReduction &reduction, const Values &lanes,
                 mlir::Value to);
  /// Joins the blocks of the order, a row a thread.
  void joinBlocks(const StripReduction &reduction);
  /// Writes rows' results for the launch of columns.
  void passOn(const StripReduction &reduction);
  Values identities(const StripReduction &reduction);
  /// Defines the results of finished reductions at the thread's rows.
  void defineReductions(TileElements &elements,
                        llvm::ArrayRef<mlir::Value> moving);

  void savePartial(const StripSum &sum, mlir::Value tile, Values &sums);
  mlir::Value partialOf(const StripSum &sum, int64_t vector);
  /// Returns the elements of an access to partial sums.
  int64_t partialWidth(const StripSum &sum) const;
  Values addPartial(const StripSum &sum, const Values &sums);
  void storeSum(unsigned number, Values sums);
  llvm::LogicalResult storeRows();

  TileElements makeElements(llvm::ArrayRef<mlir::Value> fixed,
                            llvm::ArrayRef<mlir::Value> moving);
  mlir::Value at(TileElements &elements, mlir::Value tensor, int64_t i,
                 int64_t j) {
    return layout.side == StripSide::Rows
               ? elements.at(tensor, size_t(i), size_t(j))
               : elements.at(tensor, size_t(j), size_t(i));
  }

  repro::KernelOp kernel;
  const repro::KernelForm &form;
  const StripLayout &layout;
  const Target &target;
  const KernelFunction &function;
  KernelBuilder k;
  mlir::Value thread, ownMoving, ownFixed; ///< numbers of 16 and 8 threads
  mlir::Value block, group, first;         ///< the strip's first fixed position
  std::unique_ptr<GroupIndices> groups;
  /// Copies of moving operands of sources, and of factors of sums.
  llvm::SmallVector<std::unique_ptr<TileCopy>> moved, factors;
  /// Offsets of the factors' positions, which are the same for all tiles.
  llvm::SmallVector<Values> factorOffsets;
  llvm::SmallVector<unsigned> done; ///< finished reductions of rows
  mlir::Value isLimited;            ///< operands are limited, for masked walks
  Values fixed; ///< the thread's fixed positions that exist, at least one
};

} // namespace gensyn::gpu

#endif
