// The conversion from the train dialect to repro.
#ifndef GENSYN_CONVERSION_TRAINTOREPRO_PASSES_TD
#define GENSYN_CONVERSION_TRAINTOREPRO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTrainToReproPass : Pass<"convert-train-to-repro", "::mlir::func::FuncOp"> {
  let summary = "Give losses and optimizers their meaning to the last bit";
  let description = [{
    Replaces losses, updates and advances by what they build of themselves. It
    comes before `train-differentiate`: a loss then needs no derivative rule of
    its own, since that of its ops is right; and an update is nothing that a
    gradient could flow through, so it may be lowered at the same time.

    ```mlir
    // before
    %l = train.mse %y, %t reduction sum : tensor<8xf32> -> tensor<f32>
    // after
    %0 = repro.sub %y, %t : tensor<8xf32>
    %1 = repro.mul %0, %0 : tensor<8xf32>
    %l = repro.reduce sum %1 domain <[8], reduce [0]>
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<8xf32> -> tensor<f32>
    ```

    Numerics: changes bits; docs/Numerics.md, loss_r1 to optimizer_r6, says
    which operations each one is.
    Needs: nothing.
    Leaves: of `train` only `train.gradient` and `train.stop_gradient`, which
    `train-differentiate` takes; reductions without an order.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect", "::gensyn::train::TrainDialect"];
}

#endif
