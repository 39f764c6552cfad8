//===- Passes.td - kernels as linalg ----------------------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_KERNEL_PASSES_TD
#define GENSYN_CODEGEN_KERNEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertReproToLinalgPass
    : Pass<"convert-repro-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to functions over buffers";
  let description = [{
    Lowers each `repro.kernel` to a function of its name, whose arguments are the buffers
    of its inputs and results, with one `linalg.generic` that computes an element of every
    result per point. The functions that contained the kernels are removed: the plan, not
    the module, has the order of launches.

    Numerics: keeps bits (g3, g4, g5; order_r1 to order_r3 through
    lib/Numerics/Reduce.h).
    Needs: `repro.kernel` regions with static shapes and orders.
    Leaves: `linalg.generic` on memrefs with arith, math.fma, math.sqrt, scf.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif
