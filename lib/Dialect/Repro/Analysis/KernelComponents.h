// The independent parts of a kernel without reductions.

#ifndef GENSYN_LIB_DIALECT_REPRO_ANALYSIS_KERNELCOMPONENTS_H
#define GENSYN_LIB_DIALECT_REPRO_ANALYSIS_KERNELCOMPONENTS_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

namespace gensyn::repro {

/// The components, in the order of their first results. Two results are in one
/// component if they share an op with operands, or an argument that has as many
/// elements as each of them. Empty if results of one component differ in their
/// number of elements, or the kernel has reductions.
llvm::SmallVector<KernelComponent> findComponents(KernelOp kernel);

/// The computation of one element of the component, as bytes; empty if it reads
/// elements other than its own and uniform ones. See KernelForm::signature.
std::string getSignature(KernelOp kernel, const KernelComponent &component);

} // namespace gensyn::repro

#endif
