//===- Passes.td - passes of the CPU code generator -------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_CPU_PASSES_TD
#define GENSYN_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitCpuKernelsPass : Pass<"gensyn-emit-cpu-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to functions over tiles";
  let description = [{
    Lowers each `repro.kernel` to the functions of its schedule. Arguments are the buffers
    of its inputs and results, workspaces, scratch memory of a thread and a range of
    tiles. The attribute `gensyn.tiles` is the number of tiles. The functions that
    contained the kernels are removed.

    Numerics: keeps bits (a schedule cannot change an order).
    Needs: `repro.kernel` regions with static shapes and orders.
    Leaves: functions on memrefs in arith, math.fma, math.sqrt, scf, vector.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"x86-64-v4\"",
           "Instruction set, a name of include/gensyn/Machine/Cpu.def">,
    Option<"baseline", "baseline", "bool", /*default=*/"false",
           "Use the baseline schedule only">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif
