// The conversion from the train dialect to repro.
#ifndef GENSYN_CONVERSION_TRAINTOREPRO_PASSES_TD
#define GENSYN_CONVERSION_TRAINTOREPRO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTrainToReproPass : Pass<"convert-train-to-repro", "::mlir::func::FuncOp"> {
  let summary = "Lower losses and optimizers to the repro dialect";
  let description = [{
    Replaces losses, updates and advances by the ops that they build. The pass runs before
    `train-differentiate`, so a loss needs no derivative rule: its ops have theirs. No
    gradient flows through an update, so updates are lowered at the same time.

    ```mlir
    // before
    %l = train.mse %y, %t reduction sum : tensor<8xf32> -> tensor<f32>
    // after
    %0 = repro.sub %y, %t : tensor<8xf32>
    %1 = repro.mul %0, %0 : tensor<8xf32>
    %l = repro.reduce sum %1 domain <[8], reduce [0]>
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<8xf32> -> tensor<f32>
    ```

    Numerics: changes bits; docs/Numerics.md, loss_r1 to optimizer_r18, defines the
    operations.
    Needs: nothing.
    Leaves: of `train` only `train.gradient` and `train.stop_gradient`, which
    `train-differentiate` lowers; reductions without an order.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect", "::gensyn::train::TrainDialect"];
}

#endif
