//===- Passes.td - passes of the train dialect ------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_PASSES_TD
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TrainBuildStepPass : Pass<"train-build-step", "::mlir::ModuleOp"> {
  let summary = "Build the program of a recipe from a forward function";
  let description = [{
    Rewrites `@main`, whose arguments have `gensyn.role` ("parameter", "input" or
    "constant") and `gensyn.name`, to the program of `kind`:

    - `train`: (parameters, constants, states, averages, inputs, target, step) ->
      (parameters', states', averages', loss, metrics). The module attribute
      `gensyn.donated` lists for each result the argument that receives it in the next
      step, or -1.
    - `grad`: (parameters, constants, inputs, target) -> (loss, gradients), with a
      gradient of each parameter and each float input, which has the same name.
    - `eval`: (parameters, constants, inputs, target) -> (graph outputs, loss).
    - `infer`: the function unchanged.

    A parameter becomes a constant if the recipe freezes it, if it is not a float tensor,
    or if the loss of a training step does not depend on it. An initializer that the
    model assigns to (`train.assign`) is a state of a training step with its initial
    value, and a constant of other programs. The states of optimizers are called
    `<parameter>.<state>`. Shared states are called `optimizer.<state>`, or
    `optimizer.<number>.<state>` for further rules in `groups`, and have `gensyn.initial`,
    {fill = number}. The averages of `ema` are called `<parameter>.ema`. A schedule and
    `ema` read the step number. Metrics are scalars for the log: `lr`, and `grad_norm` if
    `clip` has a norm.

    With `microbatches` (by default the recipe's `accumulate`) the program takes that many
    times the samples of `@main`, and the ops of `@main` and the gradient are in a
    `train.accumulate`.

    Numerics: changes bits; it defines what is computed.
    Needs: static shapes.
    Leaves: `train.gradient`, `train.update`, `train.advance`, `train.accumulate`
    and a loss in addition to the forward ops.
  }];
  let options = [
    Option<"kind", "kind", "std::string", /*default=*/"\"train\"",
           "Program to build: infer, eval, grad or train">,
    Option<"recipe", "recipe", "std::string", /*default=*/"\"{}\"",
           "The recipe, as JSON text">,
    Option<"microbatches", "microbatches", "int64_t", /*default=*/"0",
           "Number of microbatches of a step; 0: that of the recipe">];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
}

def TrainWidenParametersPass : Pass<"train-widen-parameters", "::mlir::ModuleOp"> {
  let summary = "Replace f16 and bf16 parameters by f32 master weights";
  let description = [{
    If an argument of `@main` with `gensyn.role` "parameter" is f16 or bf16, replaces
    every f16 and bf16 type of the function by f32 (precision_r4). The recipe's
    `precision` then decides where values are rounded, as for a model in f32. Other
    models stay unchanged. Graph inputs keep their types and are converted. Initial
    values in a file are converted on loading: `type` in their `gensyn.initial` is their
    type in the file.

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

    Numerics: changes bits; it defines the type in which a model of narrow floats trains.
    Needs: a forward function of repro ops.
    Leaves: f16 and bf16 in inputs only, if a parameter had one of these types.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def TrainAssignPrecisionPass : Pass<"train-assign-precision", "::mlir::ModuleOp"> {
  let summary = "Round parts of a forward function to narrow floats";
  let description = [{
    Inserts a `repro.convert` for every rounding of the recipe's `precision` in `@main`,
    before differentiation. The derivatives of the conversions round the cotangents, and
    gradients of f32 parameters are f32. With `compute` bf16 or f16:

    - A contraction of f32, such as a matrix product or a convolution, rounds its
      operands, accumulates in f32 and rounds its result (precision_r1, precision_r2).
    - All other ops compute in f32, from rounded results of contractions: softmax,
      normalizations, losses, reductions, functions and elementwise ops.
    - `keep_f32` (or `"ops": {pattern: "f32"}`) excludes contractions by the name of
      their node, of the ONNX operator, or of the op; `"ops": {pattern: "compute"}` rounds
      the results of other ops.

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

    Numerics: changes bits; it defines where values are rounded.
    Needs: a forward function of repro ops.
    Leaves: the function's argument and result types unchanged.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", /*default=*/"\"{}\"",
           "The recipe, as JSON text; only its key precision is read">];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def TrainCancelShiftsPass : Pass<"train-cancel-shifts", "::mlir::ModuleOp"> {
  let summary = "Cut gradients of shift-invariant operands";
  let description = [{
    A softmax does not change if all of its operands along its axis are shifted by the
    same amount. So values that only contribute such a shift, such as the bias of an
    attention's keys, have the gradient zero. A computed gradient would consist of
    rounding errors, which an optimizer that divides by the gradient's size would turn
    into steps (shift_r1). The pass follows each broadcast summand through sums, products
    with values that are constant along the axis, contractions, masks and movement. It
    inserts `train.stop_gradient` if all paths end in such a shift. Slices of a sum are
    examined separately.

    ```mlir
    // before
    %b = repro.broadcast %bias dims [1] : tensor<3xf32> to tensor<8x3xf32>
    %k = repro.add %a, %b : tensor<8x3xf32>
    // after, if only a softmax over its first dimension depends on %k
    %s = train.stop_gradient %b : tensor<8x3xf32>
    %k = repro.add %a, %s : tensor<8x3xf32>
    ```

    Numerics: changes bits; it defines how a gradient is computed.
    Needs: losses in repro form (`convert-train-to-repro`).
    Leaves: `train.gradient`.
  }];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
}

def TrainDifferentiatePass : Pass<"train-differentiate", "::mlir::ModuleOp"> {
  let summary = "Lower gradients by reverse-mode differentiation";
  let description = [{
    Visits the ops between the values of `train.gradient` and its loss in reverse
    program order, and builds the vector-Jacobian product of each through
    DifferentiableOpInterface. Only float values on a path from a listed value to the
    loss are visited, and zero cotangents are not built.

    If a value has several uses, its cotangents are added in reverse program order of the
    uses, operands of one op from left to right: the last use comes first, and each
    further cotangent is added to the sum so far (gradient_r1). The order of this sum is
    part of the semantics.

    An op on a path that has no derivative is an error, which names the value.
    `train.stop_gradient` is removed.

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

    Numerics: changes bits; it defines how a gradient is computed.
    Needs: losses in repro form (`convert-train-to-repro`).
    Leaves: no `train.gradient`, no `train.stop_gradient`.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def TrainLowerAccumulatePass : Pass<"train-lower-accumulate", "::mlir::ModuleOp"> {
  let summary = "Lower accumulation over microbatches to loops";
  let description = [{
    Lowers the microbatches of each power of two in their number to nested loops of two
    iterations. Sums start at -0, the neutral element of addition. So the body is emitted
    once for each power of two, and the sum is the tree of accumulate_r1.

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

    Numerics: changes bits; it defines how a sum over microbatches is computed.
    Needs: no `train.gradient` in the body, which would be expanded once for each power.
    Leaves: no `train.accumulate`.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def TrainRaiseAccumulatePass : Pass<"train-raise-accumulate", "::mlir::ModuleOp"> {
  let summary = "Find the microbatches of a frozen training step";
  let description = [{
    The inverse of `train-lower-accumulate`: replaces the loops over the microbatches of
    a frozen step, and the microbatch behind them where their number is odd, by
    `train.accumulate`. What is left of `@main` is the work of a step that is done once.

    The result is confirmed: lowered again it must have the digest of the frozen program.
    If it has not, that is an error.

    Numerics: keeps bits (the lowered result is the same program).
    Needs: a frozen training step of `microbatches` microbatches.
    Leaves: no `repro.loop` over microbatches.
  }];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
  let options = [
    Option<"microbatches", "microbatches", "int64_t", "0", "The number of microbatches, at least 2">];
}

def TrainSplitStepPass : Pass<"train-split-step", "::mlir::ModuleOp"> {
  let summary = "Divide a frozen training step into what ranks compute";
  let description = [{
    Replaces `@main` by functions, which several ranks together run in its place
    (docs/ManyMachines.md):

    - `@microbatch` gets the parameters, a part of the inputs, the number of the
      microbatch and sums. It returns each sum with the microbatch's value added, and
      what the microbatch contributes to the values that microbatches pass on.
    - `@carry` gets the values that microbatches pass on, such as running statistics,
      and one microbatch's contributions, and returns the next values. There is none if
      nothing is passed on.
    - `@update` gets the sums of all microbatches and the last values passed on, and
      returns the results of the step.
    - `@add_f32`, or of another type, adds two pieces of sums of 2^16 elements.

    Results replace arguments as `train.donated` of a function says. It is an error if a
    sum depends on a value that microbatches pass on, since they could not run at the
    same time.

    Numerics: keeps bits (the same ops on the same values; sums are added as in
    accumulate_r1 by whoever runs the functions).
    Needs: a frozen training step of `microbatches` microbatches.
    Leaves: no `@main`, no `train.accumulate`.
  }];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
  let options = [
    Option<"microbatches", "microbatches", "int64_t", "0", "The number of microbatches, at least 2">];
}

def TrainShardUpdatePass : Pass<"train-shard-update", "::mlir::ModuleOp"> {
  let summary = "Divide the update of a step over ranks";
  let description = [{
    Replaces `@update` of train-split-step by `@update_0`, `@update_1`, ..., the
    stages of the update of one rank, which has a part of each tensor:

    - A tensor whose elements are computed each from those at its place, and in sums
      over blocks of them, is cut into ranges of elements in row-major order. Arguments
      and results are these ranges, of rank 1.
    - Other tensors belong to one rank each, with all that is computed from them, such
      as Muon's matrices and Adafactor's factors.
    - Tensors of one element, and those that no gradient changes, are everywhere.

    A number that depends on a whole tensor, such as a norm, ends a stage: it returns
    `gensyn.partial.N`, the results of the rank's blocks in the number's order, and later
    stages get those of all blocks. The last stage returns the results of `@update` of
    which the rank has elements. `train.cuts` of the module says who has which.

    Numerics: keeps bits (the same ops on the same elements; sums over blocks are joined
    in the part of their order that joins blocks).
    Needs: the functions of train-split-step.
    Leaves: no `@update`.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
  let options = [
    Option<"rank", "rank", "int64_t", "0", "The rank whose stages are built">,
    Option<"ranks", "ranks", "int64_t", "1", "The number of ranks">];
}

def TrainCutStagesPass : Pass<"train-cut-stages", "::mlir::ModuleOp"> {
  let summary = "Divide a microbatch into the segments of pipeline stages";
  let description = [{
    Replaces `@microbatch` of a divided step by functions `@segment_0` to
    `@segment_{2C-2}` of C chunks (docs/decisions/2026-11-28-pipeline-stages.md). The
    segments k and 2C-2-k belong to chunk min(k, 2C-2-k): the forward
    parts of the chunks in order, forward and backward part of the last one in one
    segment, then the backward parts back to chunk 0. Values flow to later segments only.
    Of S stages each has one chunk, or with `interleave` V: chunk k is one of stage
    k mod S (`train.stage`).

    A value that another segment computes is an argument and a result `gensyn.cut.N`;
    each has a number of its own. Parameters, inputs and sums are arguments of the
    segments that read them, and are never passed on. What takes less to compute from
    inputs alone or from parameters alone than to send is computed in each segment that
    reads it. The module attribute `train.stages` lists for each stage the parameters
    that it reads, the sums that it adds to, and its contributions.

    Cuts are chosen so that the chunk with the most floating-point operations
    (CostOpInterface), forward and backward, has as few as possible, up to `slack`; and
    then so that few bytes travel. Interleaved chunks are then evened out: cuts move to where
    no more bytes travel and the larger one of two stages becomes smaller. No chunk reads more than `most-parameter-bytes`; if
    there are no such cuts, that is an error. The result is confirmed: the segments one after
    another must have the digest of `@microbatch`, but for the order of ops and for ops
    that are there twice. Remarks of the category `stages` have the figures of each stage.

    Numerics: keeps bits (the same ops on the same values).
    Needs: a step that train-split-step divided, with a loss.
    Leaves: no `@microbatch`.
  }];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
  let options = [
    Option<"stages", "stages", "int64_t", "0", "The number of stages, at least 1">,
    Option<"interleave", "interleave", "int64_t", "1", "The number of chunks of each stage, at least 1">,
    Option<"slack", "slack", "int64_t", "5",
           "Percents by which the largest chunk may exceed the least that is possible where fewer bytes travel for it">,
    Option<"mostParameterBytes", "most-parameter-bytes", "int64_t", "0",
           "Bytes of parameters and constants that a chunk may read; 0: any number">];
}

def TrainCutTensorsPass : Pass<"train-cut-tensors", "::mlir::ModuleOp"> {
  let summary = "Divide the ops of segments over the ranks of a stage";
  let description = [{
    Replaces each segment of train-cut-stages by functions of `ranks` ranks
    (docs/decisions/2026-11-28-tensor-cuts.md). All are `@segment_N`, in an order in which
    each value is made before it is read, with their stage (`train.stage`), rank among
    those of the stage (`train.tensor`) and former segment (`train.segment`). A rank has
    several functions for a segment where it waits for others in between.

    An op is computed whole by each rank that needs it, or divided along a dimension that
    SplitOpInterface calls free. A tile that another function reads is an argument and a
    result `gensyn.cut.N`, as between stages; readers join tiles. A sum (`gensyn.sum.K`)
    whose op is divided is divided, too: its arguments and results are tiles
    (`train.tile`: first index and number of indices in each dimension). Other sums and
    each contribution belong to one rank. What takes less to compute from arguments alone
    than to send is computed where it is read, as far as it is read there. `train.stages`
    has a dictionary for each rank of each stage, with the tiles of parameters that it
    reads.

    Cuts are chosen so that no rank has many operations, few bytes travel,
    and few bytes of parameters are read by more than one rank; `exchange-bytes` is the
    price of a value that travels, besides its bytes. The result is confirmed: values are
    made before they are read, tiles of sums have each element once, and each piece reads
    the elements that SplitOpInterface says, from tiles that are joined without a gap or
    an overlap. Remarks of the category `tensors` have the figures of each rank, and name
    the ops with a hundredth of all operations that are not divided; `gensyn-run info
    --parallel` has the reasons.

    Numerics: keeps bits (pieces of ops, whose results are concatenated).
    Needs: segments of train-cut-stages.
    Leaves: segments of one rank each.
  }];
  let dependentDialects = ["::gensyn::train::TrainDialect", "::gensyn::repro::ReproDialect"];
  let options = [
    Option<"ranks", "ranks", "int64_t", "1", "The number of ranks of each stage, at least 1">,
    Option<"exchangeBytes", "exchange-bytes", "int64_t", "8192",
           "Bytes that each value that travels costs in addition; more divide less">];
}

#endif
