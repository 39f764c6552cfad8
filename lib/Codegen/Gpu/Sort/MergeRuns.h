// Writes sorted runs to global memory, and merges them by further launches.

#ifndef GENSYN_LIB_CODEGEN_GPU_MERGERUNS_H
#define GENSYN_LIB_CODEGEN_GPU_MERGERUNS_H

#include "SortNetwork.h"

namespace gensyn::gpu {

/// Writes the sorted items of this thread's group, up to sizes.count items of
/// each chunk, to `buffers`, one buffer per word of an item.
void writeRuns(SortNetwork &network, const SortNetwork::Items &sorted,
               mlir::ValueRange buffers);

/// Emits merge `pass`. A thread per item in `buffers` counts, by binary search,
/// the items of each other run that precede it; this gives its place in the
/// merged run. Calls `put` with the item, its row and its place in the row
/// (both of type index), which counts the items of all merged runs. Items after
/// the last one that is needed are dropped.
void mergeRuns(KernelBuilder &b, const SortSizes &sizes, unsigned pass,
               mlir::ValueRange buffers,
               llvm::function_ref<void(const SortItem &item, mlir::Value row,
                                       mlir::Value place)>
                   put);

/// The same, from buffers to buffers.
void mergeRuns(KernelBuilder &b, const SortSizes &sizes, unsigned pass,
               mlir::ValueRange from, mlir::ValueRange to);

} // namespace gensyn::gpu

#endif
