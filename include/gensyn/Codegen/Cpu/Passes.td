//===- Passes.td - passes of the CPU code generator -------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_CPU_PASSES_TD
#define GENSYN_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseCpuSchedulesPass : Pass<"gensyn-choose-cpu-schedules", "::mlir::ModuleOp"> {
  let summary = "Give kernels the schedules of a file";
  let description = [{
    Sets the attribute `schedule` of each `repro.kernel` that has none and whose name by
    what it computes is in `schedules`, for this target. Only sizes and flags that the kernel's schedule
    offers as alternatives are used; a warning says how many are not. With
    `--remarks-filter=schedule` the remarks have the names of kernels and their
    alternatives.

    Numerics: keeps bits (a schedule cannot change an order).
    Needs: `repro.kernel` regions with static shapes and orders.
    Leaves: the same kernels.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"x86-64-v4\"",
           "Instruction set, a name of include/gensyn/Machine/Cpu.def">,
    Option<"schedules", "schedules", "std::string", /*default=*/"\"{}\"",
           "The text of a file of schedules (JSON)">];
}

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
