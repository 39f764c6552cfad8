// Vectors of long elementwise code that are computed at once.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_INTERLEAVING_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_INTERLEAVING_H

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

namespace gensyn::cpu {

/// Returns how many vectors of f32 the code of a kernel's functions computes at
/// once, a power of two. A function is one chain of about thirty dependent
/// operations, and a processor sees the operations of few vectors ahead;
/// interleaved vectors keep it busy. Each needs about eight registers, and
/// emulated fma much code. Functions of several hundred operations, such as
/// pow, have chains enough of their own.
inline int64_t vectorsAtOnce(repro::KernelOp kernel, const Target &target) {
  constexpr int64_t mostOperations = 150;
  if (!target.hasFma)
    return 1;
  for (mlir::Operation &op : kernel.getBlock().without_terminator()) {
    auto cost = llvm::dyn_cast<repro::CostOpInterface>(op);
    if (cost && repro::getElementCost(&op) == repro::ElementCost::Function &&
        cost.getFlops() > mostOperations * repro::elementsOf(op.getResult(0)))
      return 1;
  }
  return target.vectorRegisters / 8;
}

} // namespace gensyn::cpu

#endif
