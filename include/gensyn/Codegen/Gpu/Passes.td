//===- Passes.td - kernels for GPUs ------------------------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_GPU_PASSES_TD
#define GENSYN_CODEGEN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseGpuSchedulesPass : Pass<"gensyn-choose-gpu-schedules", "::mlir::ModuleOp"> {
  let summary = "Give kernels the schedules of a file";
  let description = [{
    The same as gensyn-choose-cpu-schedules, for a GPU generation.

    Numerics: keeps bits (a schedule cannot change an order).
    Needs: `repro.kernel` regions with static shapes and orders.
    Leaves: the same kernels.
  }];
  let options = [
    Option<"sm", "sm", "int", /*default=*/"90", "GPU generation">,
    Option<"schedules", "schedules", "std::string", /*default=*/"\"{}\"",
           "The text of a file of schedules (JSON)">];
}

def EmitGpuKernelsPass : Pass<"gensyn-emit-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to entries of a gpu.module";
  let description = [{
    Lowers each `repro.kernel` to the entries of its schedule, which are `llvm.func` over
    pointers. Their attributes `gensyn.schedule`, `gensyn.grid` and `gensyn.shared` name
    the schedule and the launch configuration. A kernel that only the baseline supports
    becomes a function over memrefs, as `convert-repro-to-linalg`
    leaves it. The functions that contained the kernels are removed.

    Numerics: keeps bits (a schedule cannot change an order).
    Needs: `repro.kernel` regions with static shapes and orders.
    Leaves: `gpu.module @kernels` for gensyn-map-kernels-to-gpu and the target's
    lowering, gensyn-lower-gpu-to-nvvm.
  }];
  let options = [
    Option<"sm", "sm", "int", /*default=*/"90", "GPU generation">,
    Option<"baseline", "baseline", "bool", /*default=*/"false",
           "Use the baseline only">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def MapKernelsToGpuPass : Pass<"gensyn-map-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Map each result element of a kernel to a thread";
  let description = [{
    Lowers each function with one outermost `scf.parallel` to a `gpu.func` of a
    `gpu.module`. Thread t of a flat grid runs iteration t in row-major order; surplus
    threads of the last block do nothing. Each thread follows the order of its ops, so the
    mapping cannot change a result.

    Numerics: keeps bits (g3).
    Needs: functions over static memrefs, as `convert-repro-to-linalg` and
    `convert-linalg-to-parallel-loops` leave them.
    Leaves: `gpu.module @kernels`; functions are removed except for declarations.
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", /*default=*/"128",
           "Threads of a block; more threads hide more latency and need more registers">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif
