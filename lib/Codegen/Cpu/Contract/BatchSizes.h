// The tuning parameters of the schedule for vectors along a batch, and their
// choice.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHSIZES_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHSIZES_H

#include "GemmSizes.h"
#include "gensyn/Codegen/Contraction/ContractBox.h"
#include "gensyn/Machine/Cpu.h"

#include <optional>

namespace gensyn::cpu {

using codegen::ContractBox;
using codegen::LinearIndex;
using codegen::LinearIndices;

/// Any values that passed `fitted` give the same bits.
struct BatchSizes {
  int64_t lanes = 16;   ///< sums in a vector
  int64_t sumBytes = 4; ///< of a sum, as the types say
  /// The lanes of vectors count through these iterators, outermost first. None
  /// shares an index of a tensor with another iterator.
  llvm::SmallVector<unsigned> laneIterators;
  /// Values of each iterator in a tile; of points, in a visit of the tile.
  llvm::SmallVector<int64_t> blocks;
  /// Values of each parallel iterator in a register tile.
  llvm::SmallVector<int64_t> factors;
  int64_t unroll = 4; ///< points per iteration of a long innermost loop
};

/// Returns the iterators that `laneIterators` may have.
llvm::SmallVector<unsigned> findLaneIterators(const ContractBox &box);

/// Returns the nearest sizes that the box permits: blocks and factors no larger
/// than the extents, and blocks of points that are consecutive.
BatchSizes fitted(BatchSizes sizes, const ContractBox &box);

/// Sizes, and the estimated processor cycles of the box with them.
struct BatchChoice {
  BatchSizes sizes;
  double cycles;
};
/// Returns the best sizes; std::nullopt if there is no batch.
std::optional<BatchChoice> chooseBatchSizes(const ContractBox &box,
                                            int64_t sumBytes,
                                            const machine::Cpu &target);

/// Returns the estimated cycles of a product with the sizes of its table.
double estimateCycles(const GemmView &view, const GemmMachine &machine,
                      const machine::Cpu &target);

} // namespace gensyn::cpu

#endif
