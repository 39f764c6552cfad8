//===- Passes.td - passes of the train dialect ------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_PASSES_TD
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TrainBuildStepPass : Pass<"train-build-step", "::mlir::ModuleOp"> {
  let summary = "Make a model's forward function the program of a recipe";
  let description = [{
    Takes `@main`, whose arguments carry `gensyn.role` ("parameter", "input" or
    "constant") and `gensyn.name`, and makes of it, by `kind`,

    - `train`: (parameters, constants, states, averages, inputs, target, step) ->
      (parameters', states', averages', loss, metrics); the module's
      `gensyn.donated` lists for each result the argument that it is in the next
      step, or -1;
    - `grad`: (parameters, constants, inputs, target) -> (loss, gradients) with
      a gradient, named after it, of each parameter and each float input;
    - `eval`: (parameters, constants, inputs, target) -> (graph outputs, loss);
    - `infer`: what it was.

    A parameter that the recipe freezes, that is no float tensor, or that a
    training step's loss does not depend on becomes a constant. What the model
    assigns to (`train.assign`) is a state of a training step, with the start that
    it has, and else a constant. The states of optimizers are called
    `<parameter>.<state>`, those that all parameters of a rule share
    `optimizer.<state>`, of a further rule in `groups` `optimizer.<number>.<state>`,
    and carry `gensyn.initial`, {fill = number}. The averages of `ema` are called
    `<parameter>.ema`. A schedule and `ema` read the step number. Metrics are
    scalars for the log: `lr`, and `grad_norm` where `clip` has a norm.

    With `microbatches` (unless given the recipe's `accumulate`) the program takes
    so many times the samples that `@main` takes, and the ops of `@main` and the
    gradient are in a `train.accumulate`.

    Numerics: changes bits; it says what is computed.
    Needs: static shapes.
    Leaves: `train.gradient`, `train.update`, `train.advance`, `train.accumulate`
    and a loss beside the forward ops.
  }];
  let options = [
    Option<"kind", "kind", "std::string", /*default=*/"\"train\"",
           "Which program: infer, eval, grad or train">,
    Option<"recipe", "recipe", "std::string", /*default=*/"\"{}\"",
           "The recipe, as JSON text">,
    Option<"microbatches", "microbatches", "int64_t", /*default=*/"0",
           "How many the program takes; 0: as the recipe says">];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
}

def TrainWidenParametersPass : Pass<"train-widen-parameters", "::mlir::ModuleOp"> {
  let summary = "Give a model of f16 or bf16 parameters masters in f32";
  let description = [{
    Where an argument of `@main` with `gensyn.role` "parameter" is f16 or bf16,
    every f16 and bf16 of the function becomes f32 (precision_r4), so that what is
    rounded is up to the recipe's `precision`, as with a model of f32. Other models
    are left as they are. Graph inputs keep their types and are converted. Starting
    values that lie in a file are converted when they are loaded: `type` in their
    `gensyn.initial` is what they are there.

    ```mlir
    // before
    func.func @main(%w: tensor<4xf16> {gensyn.role = "parameter"}, %x: tensor<4xf16> {gensyn.role = "input"}) ... {
      %0 = repro.convert %w : tensor<4xf16> to tensor<4xf32>
      %1 = repro.convert %x : tensor<4xf16> to tensor<4xf32>
      %2 = repro.mul %0, %1 : tensor<4xf32>
      %y = repro.convert %2 : tensor<4xf32> to tensor<4xf16>
    // after
    func.func @main(%w: tensor<4xf32> {gensyn.role = "parameter"}, %x: tensor<4xf16> {gensyn.role = "input"}) ... {
      %0 = repro.convert %x : tensor<4xf16> to tensor<4xf32>
      %y = repro.mul %w, %0 : tensor<4xf32>
    ```

    Numerics: changes bits; it says in what a model of narrow floats trains.
    Needs: a forward function of repro ops.
    Leaves: no f16 and bf16 but in inputs, where there was a parameter of them.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def TrainAssignPrecisionPass : Pass<"train-assign-precision", "::mlir::ModuleOp"> {
  let summary = "Compute parts of a forward function in narrow floats";
  let description = [{
    Makes every rounding of the recipe's `precision` a `repro.convert` in `@main`,
    before it is differentiated, so that the derivatives of the conversions do the
    rest and gradients of f32 parameters come out f32. With `compute` bf16 or f16:

    - a contraction of f32 rounds its operands, accumulates in f32 and rounds its
      result (precision_r1, precision_r2); so matrix products and convolutions.
    - everything else computes in f32, from what contractions rounded: softmax,
      normalizations, losses, reductions, functions, and the elementwise work
      between contractions.
    - `keep_f32` (or `"ops": {pattern: "f32"}`) leaves contractions alone by
      the name of their node, of the ONNX operator, or of the op;
      `"ops": {pattern: "compute"}` rounds results of others.

    ```mlir
    // before
    %y = repro.contract %x, %w ... : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
    // after
    %a = repro.convert %x : tensor<4x8xf32> to tensor<4x8xbf16>
    %b = repro.convert %w : tensor<8x6xf32> to tensor<8x6xbf16>
    %c = repro.contract %a, %b ... : tensor<4x8xbf16>, tensor<8x6xbf16> -> tensor<4x6xf32>
    %d = repro.convert %c : tensor<4x6xf32> to tensor<4x6xbf16>
    %y = repro.convert %d : tensor<4x6xbf16> to tensor<4x6xf32>
    ```

    Numerics: changes bits; it says where values are rounded.
    Needs: a forward function of repro ops.
    Leaves: the same types at its border.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", /*default=*/"\"{}\"",
           "The recipe, as JSON text: its key precision">];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def TrainCancelShiftsPass : Pass<"train-cancel-shifts", "::mlir::ModuleOp"> {
  let summary = "Cut gradients of shift-invariant operands";
  let description = [{
    A softmax does not change when all of its operands along its axis are shifted
    alike. What such a shift is computed from, as the bias of an attention's keys,
    has the gradient zero; computed, it would be the rounding errors of others,
    which optimizers that divide by a gradient's size make steps of (shift_r1).
    The pass follows each broadcast summand through sums, products with what is
    one number along the axis, contractions, masks and movement, and puts
    `train.stop_gradient` where every way ends in such a shift. Of a sum that is
    read in slices each slice is looked at for itself.

    ```mlir
    // before
    %b = repro.broadcast %bias dims [1] : tensor<3xf32> to tensor<8x3xf32>
    %k = repro.add %a, %b : tensor<8x3xf32>
    // after, where %k leads to a softmax over its first dimension alone
    %s = train.stop_gradient %b : tensor<8x3xf32>
    %k = repro.add %a, %s : tensor<8x3xf32>
    ```

    Numerics: changes bits; it says how a gradient is computed.
    Needs: losses in repro form (`convert-train-to-repro`).
    Leaves: `train.gradient`.
  }];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
}

def TrainDifferentiatePass : Pass<"train-differentiate", "::mlir::ModuleOp"> {
  let summary = "Replace gradients by the ops that compute them";
  let description = [{
    Reverse accumulation: visits the ops between the values of `train.gradient`
    and its loss in reverse program order and asks each, through
    DifferentiableOpInterface, for the product of its Jacobian and the
    cotangents of its results. Only floats that lie on a path from a listed value
    to the loss are visited; a cotangent that is zero because nothing flows is
    never built.

    Where a value has several uses its cotangents are added in reverse program
    order of the uses, operands of one op from left to right: the last use in
    the program comes first, and each further one is added to the sum so far
    (gradient_r1). It is a sum too, so its order is part of the meaning.

    An op on a path that has no derivative is an error that names the value.
    `train.stop_gradient` has done its work then and is removed.

    ```mlir
    // before
    %l = repro.mul %x, %x : tensor<f32>
    %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    // after
    %l = repro.mul %x, %x : tensor<f32>
    %one = repro.constant dense<1.0> : tensor<f32>
    %0 = repro.mul %one, %x : tensor<f32>
    %1 = repro.mul %one, %x : tensor<f32>
    %g = repro.add %0, %1 : tensor<f32>
    ```

    Numerics: changes bits; it says how a gradient is computed.
    Needs: losses in repro form (`convert-train-to-repro`).
    Leaves: no `train.gradient`, no `train.stop_gradient`.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def TrainLowerAccumulatePass : Pass<"train-lower-accumulate", "::mlir::ModuleOp"> {
  let summary = "Accumulation over microbatches as loops";
  let description = [{
    The microbatches of each power of two in their number become loops of two in
    loops of two; their sums begin at -0, to which a number adds as itself. So the
    body is there once for each such power, and the sum is the tree of
    accumulate_r1.

    ```mlir
    // before
    %g = train.accumulate 2 split(%x) shared(%w) : (tensor<8xf32>, tensor<f32>) -> tensor<f32> {...}
    // after
    %p = repro.reshape %x : tensor<8xf32> to tensor<2x4xf32>
    %g = repro.loop trips 2 (%i, %sum = %zero : tensor<f32>) invariant (...) {
      ...
      %next = repro.add %sum, %part : tensor<f32>
      repro.yield %next : tensor<f32>
    }
    ```

    Numerics: changes bits; it says how a sum over microbatches is computed.
    Needs: no `train.gradient` in it, which would be expanded once for each power.
    Leaves: no `train.accumulate`.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

#endif
