// Emits vectors of elements that are all needed in place.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_INPLACEEMITTER_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_INPLACEEMITTER_H

#include "../Common/CpuBuilder.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"

namespace gensyn::cpu {

/// Every value is needed at one element of its tensor, or at one vector of
/// them, so indices have no use. `define` places the values in memory.
class InPlaceEmitter : public codegen::KernelEmitter {
public:
  /// `lanes`: of the vectors; 0 for scalars.
  InPlaceEmitter(CpuBuilder &code, int64_t lanes);

  mlir::Value splat(mlir::Value scalar) override;
  mlir::Value element(mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> indices) override;

private:
  int64_t lanes;
};

} // namespace gensyn::cpu

#endif
