//===- Passes.td - passes before a plan is made -----------------*- tablegen -*-===//

#ifndef GENSYN_CODEGEN_PLAN_PASSES_TD
#define GENSYN_CODEGEN_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def RematerializePass : Pass<"repro-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "Compute values again instead of keeping them, for a smaller arena";
  let description = [{
    Copies kernels to where their results are read late: a value that a backward
    pass needs is then not kept from the forward pass on. `nodes` are patterns of
    names of source nodes (`*`, `?`): what these compute is not kept across the
    largest live set. `budget` is the number of bytes that the arena may have:
    as long as it has more, the values that are cheapest to compute again, by
    CostOpInterface and the bytes they move, per byte saved, are dropped where
    the most bytes live (`Rematerialize.h`). Where no choice is left and the
    arena is still larger, the pass fails and says by how much.

    It runs after everything that joins kernels; nothing would merge the copies
    again but CSE. Draws are functions of a counter, so they come out the same.

    The compiler runs it with the workspaces of the target's schedules; as a pass
    it knows of none.

    ```mlir
    // before: %a lives while %b ... %c are computed
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

    Numerics: keeps bits (g9: what is computed twice has the same bits).
    Needs: `repro.kernel`.
    Leaves: more of them, or fewer where one could run later instead of twice.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes that the arena may have; negative: as many as it takes">,
    ListOption<"nodes", "nodes", "std::string",
               "Patterns of nodes whose values are not kept">];
}

#endif
