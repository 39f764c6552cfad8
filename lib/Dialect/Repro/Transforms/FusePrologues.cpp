// Fuses the computation of a contraction's operand into the contraction.

#include "FuseKernels.h"

using namespace mlir;

namespace gensyn::repro {
namespace {

int64_t bytesOfInputs(KernelOp kernel) {
  int64_t bytes = 0;
  for (Value input : kernel.getInputs())
    bytes += bytesOf(input.getType());
  return bytes;
}

/// True if each of the ops is a few instructions: a schedule may compute an
/// element once for every block of the result that needs it.
bool isCheap(KernelOp kernel) {
  return llvm::all_of(
      kernel.getBlock().without_terminator(),
      [](Operation &op) { return getElementCost(&op) < ElementCost::Long; });
}

/// True if a contraction needs each element of the operand at one point of its
/// own iterators, as a matrix is needed and an image under windows is not.
bool readsOnce(ContractOp contraction, unsigned operand) {
  int64_t points = 1;
  const AffineMap map = contraction.getMap(operand);
  const ArrayRef<int64_t> extents = contraction.getDomain().getExtents();
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim))
      points *= extents[dim];
  return points <= elementsOf(contraction->getOperand(operand));
}

/// True if the kernel computes no more than an operand of the contraction, and
/// from fewer bytes.
bool isPrologue(KernelOp kernel, KernelOp reader, ContractOp contraction) {
  if (!isPointwise(kernel) || kernel.getNumResults() != 1 || !isCheap(kernel) ||
      bytesOfInputs(kernel) >= bytesOf(kernel.getResult(0).getType()) ||
      getReaders(kernel.getResult(0), 2).size() != 1)
    return false;
  for (auto [number, operand] : llvm::enumerate(contraction->getOperands()))
    if (auto argument = dyn_cast<BlockArgument>(operand);
        argument && getStorage(reader.getInputs()[argument.getArgNumber()]) ==
                        kernel.getResult(0))
      return argument.hasOneUse() && readsOnce(contraction, unsigned(number));
  return false;
}

/// Fuses one of the kernel's operands; null if none fits.
KernelOp fuseOperand(KernelOp kernel, const FusionLimits &limits) {
  const KernelForm form = getKernelForm(kernel);
  if (form.kind != KernelKind::Contraction)
    return {};
  for (Operation *op : getProducers(kernel)) {
    auto producer = cast<KernelOp>(op);
    if (producer->getBlock() != kernel->getBlock() ||
        !isPrologue(producer, kernel, form.contraction))
      continue;
    FusionAttempt attempt({producer, kernel}, limits);
    if (attempt.refuse().empty() &&
        attempt.getForm().kind == KernelKind::Contraction)
      return commitFusion(attempt);
  }
  return {};
}

} // namespace

void fusePrologues(Block &block, FusionLimits limits) {
  limits.prologues = true;
  for (KernelOp kernel : SmallVector<KernelOp>(block.getOps<KernelOp>()))
    // Producers stand before their readers, so they were visited already.
    while (kernel)
      kernel = fuseOperand(kernel, limits);
}

} // namespace gensyn::repro
