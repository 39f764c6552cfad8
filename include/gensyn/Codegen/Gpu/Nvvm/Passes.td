//===- Passes.td - the NVVM target ------------------------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_GPU_NVVM_PASSES_TD
#define GENSYN_CODEGEN_GPU_NVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerGpuToNvvmPass : Pass<"gensyn-lower-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower the kernels of a gpu.module to the NVVM and LLVM dialects";
  let description = [{
    Converts in one step, with upstream's patterns. Upstream's own pass lowers math ops to
    libdevice calls and square roots to `sqrt.approx`. This pass lowers `math.fma` and
    `math.sqrt` to the LLVM intrinsics, which NVPTX selects as `fma.rn` and `sqrt.rn`; any
    other math op is an error.

    Numerics: keeps bits (g3).
    Needs: gpu.func over static memrefs; scf, arith, memref, vector, fma and sqrt.
    Leaves: llvm and nvvm ops only; one pointer parameter per buffer.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif
