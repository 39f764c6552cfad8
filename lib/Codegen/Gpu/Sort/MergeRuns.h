// Sorted runs in global memory, and the launches that join them.

#ifndef GENSYN_LIB_CODEGEN_GPU_MERGERUNS_H
#define GENSYN_LIB_CODEGEN_GPU_MERGERUNS_H

#include "SortNetwork.h"

namespace gensyn::gpu {

/// Writes what this thread's group has sorted, up to sizes.count items of each
/// chunk, to `buffers`, one for each word of an item.
void writeRuns(SortNetwork &network, const SortNetwork::Items &sorted,
               mlir::ValueRange buffers);

/// Emits merge `pass`: a thread for each item in `buffers` finds by binary
/// search how many items of each other run come before it, which is its place.
/// Calls `put` with the item, its row and its place there (both are indices);
/// places count the items of all runs that the merge leaves. What ends up
/// behind the last item that is wanted is dropped.
void mergeRuns(KernelBuilder &b, const SortSizes &sizes, unsigned pass,
               mlir::ValueRange buffers,
               llvm::function_ref<void(const SortItem &item, mlir::Value row,
                                       mlir::Value place)>
                   put);

/// The same between buffers.
void mergeRuns(KernelBuilder &b, const SortSizes &sizes, unsigned pass,
               mlir::ValueRange from, mlir::ValueRange to);

} // namespace gensyn::gpu

#endif
