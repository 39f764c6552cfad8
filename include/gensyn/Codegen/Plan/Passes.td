//===- Passes.td - passes before a plan is made -----------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_PLAN_PASSES_TD
#define GENSYN_CODEGEN_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def RematerializePass : Pass<"repro-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "Rematerialize values for a smaller arena";
  let description = [{
    Copies kernels to late readers of their results, so that a value which the backward
    pass reads is not kept from the forward pass on. `nodes` are patterns (`*`, `?`) for
    names of source nodes: their values are not kept across the largest live set. `budget`
    is the largest size of the arena in bytes. `cheap` drops values at no cost to speak
    of, such as a parameter that was rounded to a narrower type for a product, if they
    are in the largest live set: elementwise kernels whose operands are in memory anyway,
    and whose cost is a small part of that of their late readers. While the arena is larger, the pass
    recomputes values of the largest live set that have the lowest cost per byte saved, by
    CostOpInterface and the bytes they move (`Rematerialize.h`). If no candidate is left
    and the arena is still too large, the pass fails and reports the excess.

    The pass runs after kernel fusion; only CSE would merge the copies again. Random bits
    are functions of a counter, so recomputed ones are the same.

    The compiler includes the workspaces of the target's schedules; the pass by itself
    does not.

    ```mlir
    // before: %a is live while %b ... %c are computed
    %a = repro.kernel "k0_exp" (%i = %x : tensor<64xf32>) -> (tensor<64xf32>) {...}
    %b = repro.kernel "k1_neg" (%i = %a : tensor<64xf32>) -> (tensor<64xf32>) {...}
    ...
    %d = repro.kernel "k9_mul" (%i = %a : tensor<64xf32>, %j = %c : tensor<64xf32>) -> (tensor<64xf32>) {...}
    // after
    %a = repro.kernel "k0_exp" (%i = %x : tensor<64xf32>) -> (tensor<64xf32>) {...}
    %b = repro.kernel "k1_neg" (%i = %a : tensor<64xf32>) -> (tensor<64xf32>) {...}
    ...
    %e = repro.kernel "k0_exp" (%i = %x : tensor<64xf32>) -> (tensor<64xf32>) {...}
    %d = repro.kernel "k9_mul" (%i = %e : tensor<64xf32>, %j = %c : tensor<64xf32>) -> (tensor<64xf32>) {...}
    ```

    Numerics: keeps bits (g9: recomputed values have the same bits).
    Needs: `repro.kernel`.
    Leaves: more kernels, or fewer, if one can run later instead of twice.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Largest size of the arena in bytes; negative: no limit">,
    Option<"cheap", "cheap", "bool", /*default=*/"false",
           "First recompute values of the largest live set at no cost to speak of">,
    ListOption<"nodes", "nodes", "std::string",
               "Patterns of source nodes whose values are recomputed">];
}

#endif
