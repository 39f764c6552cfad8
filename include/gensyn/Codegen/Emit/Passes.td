//===- Passes.td - passes of all code generators ----------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_EMIT_PASSES_TD
#define GENSYN_CODEGEN_EMIT_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyTargetBitsPass : Pass<"gensyn-verify-target-bits"> {
  let summary = "Refuse what could have other bits on another target";
  let description = [{
    Names the first op that breaks one of the rules below, its kernel and what it
    means. Everything that a kernel goes through between `repro` and LLVM is
    held to them.

    - `fast-math`: flags on an op. `function-attributes`: on a function.
    - `float-atomic`: the order of threads would show.
    - `math-library`: the math dialect, but for `fma` and `sqrt`. `remainder`:
      fmod. `external-call`: a function without a body, inline assembly.
    - `split-fma`: `vector.fma` and fmuladd may be two roundings.
    - `unstated-order`: `vector.reduction`, `vector.contract`, reductions of
      linalg, scf and gpu.
    - `loose-extremum`: minnum and maxnum of zeros of both signs.
    - `inexact-intrinsic`, `vendor-arithmetic`: no exact result is promised.
    - `other-rounding`: only nearest even is part of the numerics.
    - `narrow-arithmetic`: floats below f32 are storage.

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
