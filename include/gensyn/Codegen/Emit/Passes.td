//===- Passes.td - passes of all code generators ----------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_EMIT_PASSES_TD
#define GENSYN_CODEGEN_EMIT_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyTargetBitsPass : Pass<"gensyn-verify-target-bits"> {
  let summary = "Refuse what could have other bits on another target";
  let description = [{
    Names the first op that carries fast-math flags, is an atomic operation on
    floats, computes a float by the math dialect other than `fma` and `sqrt`
    (they become calls of a math library), contracts without saying so
    (`vector.fma`, `vector.contract`, `vector.outerproduct`,
    `llvm.intr.fmuladd`) or reduces floats in no stated order
    (`vector.reduction`, `llvm.intr.vector.reduce.*`).

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the operation as it is, or an error.
  }];
}

def ExpandFmaPass : Pass<"gensyn-expand-fma"> {
  let summary = "Compute math.fma without the instruction";
  let description = [{
    For a target without fused multiply-add, where LLVM would call the math
    library. In f32 the product is exact in f64 and the sum is rounded to odd
    there before it is narrowed. In f64 a private function holds the three exact
    parts apart (lib/Numerics/EmulatedFma.h). Bits are those of the instruction, up to the payload of a NaN.

    Numerics: keeps bits (g3).
    Needs: `math.fma` on f32 and f64, or 1-D vectors of them.
    Leaves: no `math.fma`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

#endif
