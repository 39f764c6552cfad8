//===- Passes.td - passes of all code generators ----------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_EMIT_PASSES_TD
#define GENSYN_CODEGEN_EMIT_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyTargetBitsPass : Pass<"gensyn-verify-target-bits"> {
  let summary = "Reject ops whose results may differ between targets";
  let description = [{
    Emits an error on the first op that breaks one of the rules below, with its kernel
    and the reason. All dialects that a kernel passes through between `repro` and LLVM are
    checked.

    - `fast-math`: fast-math flags on an op. `function-attributes`: such attributes on a
      function.
    - `float-atomic`: the result depends on the order of threads.
    - `math-library`: ops of the math dialect except `fma` and `sqrt`. `remainder`: fmod.
      `external-call`: a function without a body, or inline assembly.
    - `split-fma`: `vector.fma` and fmuladd may round twice.
    - `unstated-order`: `vector.reduction`, `vector.contract`, reductions of linalg, scf
      and gpu.
    - `loose-extremum`: minnum and maxnum do not order zeros of different signs.
    - `inexact-intrinsic`, `vendor-arithmetic`: the result is not specified exactly.
    - `other-rounding`: rounding modes other than to nearest even.
    - `narrow-arithmetic`: arithmetic on floats narrower than f32.

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the operation unchanged, or an error.
  }];
}

def ExpandFmaPass : Pass<"gensyn-expand-fma"> {
  let summary = "Expand math.fma for targets without the instruction";
  let description = [{
    Replaces `math.fma` for a target without fused multiply-add, where LLVM would call the
    math library. In f32 the product is exact in f64, and the sum is rounded to odd in f64
    before it is narrowed. In f64 a private function computes with the exact parts of
    product and sum (lib/Numerics/EmulatedFma.h). Results have the bits of the
    instruction, except for the payload of a NaN.

    Numerics: keeps bits (g3).
    Needs: `math.fma` on f32 and f64, or 1-D vectors of them.
    Leaves: no `math.fma`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def SpeculateFmaPass : Pass<"gensyn-speculate-fma"> {
  let summary = "Compute loops of math.fma with sums that are rounded twice where that is the same";
  let description = [{
    Computes each loop of f32 `math.fma` first with f64 sums that are rounded to f64 and
    then to f32, at half the cost of `gensyn-expand-fma`. If a sum of the loop may have
    other bits that way, the loop is computed again with `math.fma`. A loop of few
    iterations is computed with `math.fma` alone.

    Numerics: keeps bits (g3), except for the payload of a NaN.
    Needs: nothing. Loops that write to memory, call functions or contain loops stay as
    they are, and so do scalar `math.fma`.
    Leaves: the loops twice, for `gensyn-expand-fma`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

#endif
