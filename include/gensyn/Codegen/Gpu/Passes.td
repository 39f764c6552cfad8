//===- Passes.td - kernels for GPUs ------------------------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_GPU_PASSES_TD
#define GENSYN_CODEGEN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitGpuKernelsPass : Pass<"gensyn-emit-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into entries of a gpu.module, by their schedules";
  let description = [{
    Each `repro.kernel` becomes the entries of its schedule, `llvm.func` over
    pointers, whose attributes `gensyn.schedule`, `gensyn.grid` and
    `gensyn.shared` say who emitted them and how they are launched. What only the
    baseline takes becomes a function over memrefs, as `convert-repro-to-linalg`
    leaves it. The functions that held the kernels are removed.

    Numerics: keeps bits (a schedule cannot name an order).
    Needs: `repro.kernel` regions with static shapes and orders.
    Leaves: `gpu.module @kernels` for gensyn-map-kernels-to-gpu and
    gensyn-lower-gpu-to-nvvm.
  }];
  let options = [
    Option<"sm", "sm", "int", /*default=*/"90", "GPU generation">,
    Option<"baseline", "baseline", "bool", /*default=*/"false",
           "Ask no schedule">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def MapKernelsToGpuPass : Pass<"gensyn-map-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Give every element of a kernel's results a thread";
  let description = [{
    Each function with one outermost `scf.parallel` becomes a `gpu.func` of a
    `gpu.module`: thread t of a flat grid runs iteration t in row-major order,
    the last block's surplus threads do nothing. Order inside a thread is the
    op's own, so the mapping cannot change a result.

    Numerics: keeps bits (g3).
    Needs: functions over static memrefs, as `convert-repro-to-linalg` and
    `convert-linalg-to-parallel-loops` leave them.
    Leaves: `gpu.module @kernels`; the functions are gone but for declarations.
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", /*default=*/"128",
           "Threads of a block; more hide more latency and need more registers">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerGpuToNvvmPass : Pass<"gensyn-lower-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower the kernels of a gpu.module to the NVVM and LLVM dialects";
  let description = [{
    One conversion with upstream's patterns. Not upstream's pass: that one turns
    math ops into libdevice calls and square roots into `sqrt.approx`; here
    `math.fma` and `math.sqrt` become the LLVM intrinsics, which NVPTX selects
    as `fma.rn` and `sqrt.rn`. Any other math op is an error.

    Numerics: keeps bits (g3).
    Needs: gpu.func over static memrefs; scf, arith, memref, vector, fma and sqrt.
    Leaves: llvm and nvvm ops only; one pointer parameter per buffer.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif
