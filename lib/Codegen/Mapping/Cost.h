// What pieces of a kernel cost on the cores of a machine.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_COST_H
#define GENSYN_LIB_CODEGEN_MAPPING_COST_H

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Description.h"

#include <optional>
#include <vector>

namespace gensyn::mapping {

/// How many elements of an operand a kernel reads, by the block argument.
uint64_t countLoads(mlir::BlockArgument argument);

/// How many indices a piece has.
int64_t countIndices(llvm::ArrayRef<repro::IndexRange> piece);

/// The work of a kernel, without units.
std::vector<Work> describeWork(repro::KernelOp kernel);

/// Sets the unit of each piece of work for cores of a kind. Returns the first
/// that no unit of such a core computes; null: none.
const Work *chooseUnits(const machine::Description &machine, uint32_t kind,
                        std::vector<Work> &work);

/// Bytes of the elements of a tile.
uint64_t bytesOf(mlir::Value tensor, llvm::ArrayRef<repro::IndexRange> tile);

/// Rows of adjacent bytes of a tensor that a tile consists of, and of the tile
/// itself, in which they lie one after another.
struct Rows {
  int64_t offset = 0; ///< bytes from the tensor's begin
  int64_t rowBytes = 0;
  llvm::SmallVector<int64_t> counts;
  llvm::SmallVector<int64_t> strides; ///< bytes
  int64_t count() const;
};
Rows rowsOf(mlir::Value tensor, llvm::ArrayRef<repro::IndexRange> tile);

/// The tile of each result that a piece has.
llvm::SmallVector<repro::Tile>
getResultTiles(repro::KernelOp kernel, llvm::ArrayRef<repro::IndexRange> piece);

/// What counts of copies that are in nobody's way: of choices that take about
/// the same time, that which copies less takes less energy.
inline int64_t preferFew(int64_t copy) { return copy / 32; }

/// The time of computing and copying that overlap. Half of what is hidden
/// counts too where it is in the way of other copies, and of other cores.
inline int64_t overlap(int64_t compute, int64_t copy,
                       bool delaysCopies = true) {
  const int64_t hidden =
      delaysCopies ? std::min(compute, copy) / 2 : preferFew(copy);
  return std::max(compute, copy) + hidden;
}

/// Estimates for pieces of one kernel.
class PieceCosts {
public:
  /// Of cores of some kinds alone: those that the kernel names (`task.kinds`,
  /// or those of `task.cores`), or `only`; without, of all that have units for
  /// all work.
  PieceCosts(repro::KernelOp kernel, const machine::Description &machine,
             std::optional<uint32_t> only = std::nullopt);

  /// The kinds of cores that have units for all work, ascending.
  llvm::ArrayRef<uint32_t> getKinds() const { return kinds; }
  /// The first work that no kind of core computes, if there are no kinds.
  const Work *getMissing() const { return missing ? &*missing : nullptr; }
  /// The live cores of those kinds.
  llvm::ArrayRef<uint32_t> getCores() const { return cores; }
  /// How many chips these are on.
  int64_t countChips() const { return chips; }
  /// The operand with the most bytes as a whole; nothing: there are none. Parts
  /// that read the same of it are to lie on one chip.
  std::optional<size_t> getLargestOperand() const { return largest; }
  /// The machine's smallest memory of such a core, in bytes that programs may
  /// use.
  uint64_t getMemory() const { return memory; }
  /// For a core whose tiles others have, too.
  void limitMemory(uint64_t bytes) { memory = std::min(memory, bytes); }

  /// Picoseconds that a core takes to compute a piece, which reads these tiles
  /// of the operands.
  int64_t compute(llvm::ArrayRef<repro::IndexRange> piece,
                  llvm::ArrayRef<repro::Tile> operands) const;
  int64_t compute(llvm::ArrayRef<repro::IndexRange> piece) const {
    return compute(piece, repro::getOperandTiles(kernel, piece));
  }
  /// Picoseconds until a tile of an operand or result has been copied, while as
  /// many cores copy.
  int64_t copy(mlir::Value tensor, llvm::ArrayRef<repro::IndexRange> tile,
               int64_t cores) const;
  /// Picoseconds until the operands and results of a part have been copied,
  /// while cores copy the others: `parts` of them along each split dimension,
  /// and as many of `share` - 1 other kernels.
  int64_t copy(llvm::ArrayRef<repro::IndexRange> part,
               llvm::ArrayRef<int64_t> parts, int64_t share = 1);

  /// For each operand and split dimension: true if pieces at other places along
  /// it read other elements. False where the kernel cannot be cut.
  llvm::ArrayRef<llvm::SmallVector<bool>> getDependences() const {
    return dependences;
  }
  /// Of a tile of an operand that as many cores fetch at the same time as there
  /// are parts, in picoseconds: one core of a chip for all that read the same,
  /// where the network repeats packets.
  int64_t fetch(size_t operand, llvm::ArrayRef<repro::IndexRange> tile,
                llvm::ArrayRef<int64_t> parts, int64_t cores,
                int64_t share = 1);

  /// True if one core of a chip fetches an operand for others, too.
  bool isShared(size_t operand, llvm::ArrayRef<int64_t> parts, int64_t cores,
                int64_t share) const {
    return countFetches(operand, parts, cores, share) < cores;
  }

  /// True if cores can read a tile of an operand where it lies: all of it, or
  /// a part, whose indices they have to compute.
  bool canReadInPlace(mlir::Value input,
                      llvm::ArrayRef<repro::IndexRange> tile) const;

private:
  /// A unit that takes several points at once, and the time of all of an op's.
  struct Array {
    const machine::Rate *rate;
    int64_t hertz, time;
  };
  void findTimes(uint32_t kind, llvm::ArrayRef<Work> work);
  void findLargest();
  void findDependences();
  void findArrays();
  int64_t countPadding(const Array &array, mlir::Operation *op,
                       llvm::ArrayRef<repro::IndexRange> piece,
                       int64_t elements) const;
  void findLinks();
  uint64_t burstOf(mlir::Value tensor) const;
  /// How many of `cores` fetch an operand, if there are so many parts along
  /// each split dimension.
  int64_t countFetches(size_t operand, llvm::ArrayRef<int64_t> parts,
                       int64_t cores, int64_t share) const;

  repro::KernelOp kernel;
  const machine::Description &machine;
  llvm::SmallVector<uint32_t> kinds, cores;
  std::optional<Work> missing;
  uint64_t memory = 0;
  /// Of the kernel as one piece: what each piece takes besides, and what is
  /// divided among them.
  int64_t startTime = 0, wholeTime = 0, slowestTime = 0;
  int64_t wholeElements = 1;
  /// Of operands that are read as a whole: the time of loading them, of which
  /// pieces that read the same take all; that is not in `wholeTime`. Of others
  /// it is 0.
  llvm::SmallVector<int64_t> loadTimes;
  /// Of the ops that such units compute.
  llvm::SmallDenseMap<mlir::Operation *, Array> arrays;
  /// With cores of those kinds.
  int64_t chips = 0;
  /// Of the link that the cores of a node share on their way to the first
  /// shared memory, bytes a second; 0: there is none.
  int64_t linkBandwidth = 0, neighbours = 1;
  llvm::SmallVector<llvm::SmallVector<bool>> dependences;
  llvm::SmallVector<int64_t> extents;
  std::optional<size_t> largest;
  /// How many indices along each split dimension read the same of the largest
  /// operand.
  llvm::SmallVector<int64_t> samePieces;
};

/// Reports that no core has a unit for some work of a kernel.
void reportMissing(repro::KernelOp kernel, const PieceCosts &costs,
                   llvm::StringRef machine);

} // namespace gensyn::mapping

#endif
