//===- TrainSteps.td - parts of a training step -------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINSTEPS_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINSTEPS_TD

include "gensyn/Dialect/Train/IR/TrainBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Train_AssignOp : Op<Train_Dialect, "assign", [
    AllTypesMatch<["value", "stored"]>, MemoryEffects<[MemWrite]>]> {
  let summary = "Assignment to a stored tensor of the model";
  let description = [{
    Replaces `stored`, an initializer, by `value` in a training step; running
    statistics are updated so. A training step makes the initializer a state, and
    later reads of it in program order read the new value (assign_r1). Other programs
    ignore the op.

    ```mlir
    train.assign %mean to %running_mean : tensor<16xf32>
    ```
  }];
  let arguments = (ins Arg<Train_AnyTensor, "the new value">:$value,
                       Arg<Train_AnyTensor, "the initializer">:$stored);
  list<Verified> constraints = [
    Verified<"", "Value and initializer have the same type.",
             "failed to verify that all of {value, stored} have same type", ["assign_type"]>];
  let assemblyFormat = "$value `to` $stored attr-dict `:` type($stored)";
}

def Train_AccumulateOp : Op<Train_Dialect, "accumulate", [
    SingleBlock, AttrSizedOperandSegments, IsolatedFromAbove,
    RecursiveMemoryEffects]> {
  let summary = "Accumulation over microbatches";
  let description = [{
    Splits the first dimension of each `split` value into `microbatches` equal parts
    and runs the body for each part in order. The body gets the number of the
    microbatch (a tensor<i64>), its parts, the carried values and the shared values.
    It yields the next carried values, then the values to sum. The results are the
    last carried values and the sums. The sum over n microbatches is a tree: the sum
    over the first p plus the sum over the other n - p, where p is the largest power
    of two below n (accumulate_r1).

    ```mlir
    %n, %l = train.accumulate 4 split(%x) carried(%s) shared(%w)
        : (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
    ^bb0(%i: tensor<i64>, %part: tensor<2x3xf32>, %state: tensor<3xf32>, %weight: tensor<3xf32>):
      %next = repro.add %state, %weight : tensor<3xf32>
      %loss = repro.reduce sum %part domain <[2, 3], reduce [0, 1]>
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>] : tensor<2x3xf32> -> tensor<f32>
      train.yield %next, %loss : tensor<3xf32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins Arg<ConfinedAttr<I64Attr, [IntPositive]>, "the number of microbatches">:$microbatches,
                       Arg<Variadic<Train_AnyTensor>, "values that are split into microbatches">:$split,
                       Arg<Variadic<Train_AnyTensor>, "initial carried values">:$carried,
                       Arg<Variadic<Train_AnyTensor>, "values that are the same in each microbatch">:$shared);
  let results = (outs Res<Variadic<Train_AnyTensor>, "the last carried values, then the sums">:$results);
  let regions = (region SizedRegion<1>:$body);
  list<Verified> constraints = [
    Verified<"", "`microbatches` is positive.",
             "attribute 'microbatches' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive",
             ["accumulate_count"]>,
    Verified<"g9", "The body uses only its block arguments and its own values.",
             "using value defined outside the region", ["accumulate_isolated"]>,
    Verified<"accumulate_c1", "The first dimension of each `split` value is a multiple of `microbatches`.",
             "cannot cut ... into ...", ["split"]>,
    Verified<"accumulate_c1", "The body's block arguments are the number of the microbatch, the parts, the carried values and the shared values.",
             "gives its body other values than it has", ["accumulate_c1"]>,
    Verified<"accumulate_c2", "The body yields values of the types of the results, at least one for each carried value.",
             "yields other values than it returns", ["yields"]>,
    Verified<"accumulate_c2", "The types of carried values stay the same.", "carries ... and yields ...",
             ["accumulate_c2"]>,
    Verified<"accumulate_c2", "The summed values are floats.", "sums ..., expected a tensor of floats", ["sums"]>];
  let assemblyFormat = [{
    $microbatches (`split` `(` $split^ `)`)? (`carried` `(` $carried^ `)`)?
    (`shared` `(` $shared^ `)`)? attr-dict `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
}

def Train_YieldOp : Train_Op<"yield", [Terminator, ReturnLike, ParentOneOf<["AccumulateOp"]>]> {
  let summary = "Terminator of train.accumulate";
  let description = [{
    Ends the body of `train.accumulate` and gives its results for one microbatch
    (accumulate_r1).

    ```mlir
    %sum = train.accumulate 4 split(%x) : (tensor<4xf32>) -> tensor<1xf32> {
    ^bb0(%i: tensor<i64>, %part: tensor<1xf32>):
      train.yield %part : tensor<1xf32>
    }
    ```
  }];
  let arguments = (ins Arg<Variadic<Train_AnyTensor>, "the next carried values, then the values to sum">:$values);
  let constraints = [
    Verified<"", "The parent is `train.accumulate`.", "expects parent op 'train.accumulate'", ["yield_parent_train"]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
