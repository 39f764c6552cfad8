// The parts of a kernel without reductions that have nothing to do with each
// other.

#ifndef GENSYN_LIB_DIALECT_REPRO_ANALYSIS_KERNELCOMPONENTS_H
#define GENSYN_LIB_DIALECT_REPRO_ANALYSIS_KERNELCOMPONENTS_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

namespace gensyn::repro {

/// The components, in the order of their first results. Two results are of one
/// component where an op that reads something serves both, or where both have
/// as many elements as an argument that they read. Empty where results of one
/// component differ in their number of elements, or the kernel has reductions.
llvm::SmallVector<KernelComponent> findComponents(KernelOp kernel);

/// The computation of one element of the component, as text; empty if it reads
/// other elements than its own and uniform ones. See KernelForm::signature.
std::string getSignature(KernelOp kernel, const KernelComponent &component);

} // namespace gensyn::repro

#endif
