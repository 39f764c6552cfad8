//===- TrainSteps.td - what a step is made of -------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINSTEPS_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINSTEPS_TD

include "gensyn/Dialect/Train/IR/TrainBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Train_AssignOp : Op<Train_Dialect, "assign", [
    AllTypesMatch<["value", "stored"]>, MemoryEffects<[MemWrite]>]> {
  let summary = "What a stored tensor of the model is from here on";
  let description = [{
    A conversion says by it that `value` takes the place of `stored`, an
    initializer, when the model is trained: running statistics. A training step
    makes the initializer a state; what reads it behind the op reads the new
    value (assign_r1). Every other program takes the op for nothing.

    ```mlir
    train.assign %mean to %running_mean : tensor<16xf32>
    ```
  }];
  let arguments = (ins Train_AnyTensor:$value, Train_AnyTensor:$stored);
  let assemblyFormat = "$value `to` $stored attr-dict `:` type($stored)";
}

def Train_AccumulateOp : Op<Train_Dialect, "accumulate", [
    SingleBlock, AttrSizedOperandSegments, IsolatedFromAbove,
    RecursiveMemoryEffects]> {
  let summary = "A sum over the microbatches of a batch";
  let description = [{
    Cuts the first dimension of each `split` into `microbatches` equal parts and
    runs the body for each part in order. The body is given the number of the
    microbatch (a tensor<i64>), its parts, the carried values and what is shared
    (accumulate_c1); it yields the next carried values, and then what is summed,
    of floats (accumulate_c2). Results are the last carried values and the sums:
    of one microbatch the yielded value, of n the sum of the first p and the
    sum of the other n - p, p being the largest power of two below n
    (accumulate_r1).

    ```mlir
    %n, %l = train.accumulate 4 split(%x) carried(%s) shared(%w)
        : (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
    ^bb0(%i: tensor<i64>, %part: tensor<2x3xf32>, %state: tensor<3xf32>, %weight: tensor<3xf32>):
      ...
      train.yield %next, %loss : tensor<3xf32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$microbatches,
                       Variadic<Train_AnyTensor>:$split, Variadic<Train_AnyTensor>:$carried,
                       Variadic<Train_AnyTensor>:$shared);
  let results = (outs Variadic<Train_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $microbatches (`split` `(` $split^ `)`)? (`carried` `(` $carried^ `)`)?
    (`shared` `(` $shared^ `)`)? attr-dict `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
}

def Train_YieldOp : Train_Op<"yield", [Terminator, ReturnLike, ParentOneOf<["AccumulateOp"]>]> {
  let summary = "What a microbatch gives";
  let description = [{
    ```mlir
    train.yield %loss, %gradient : tensor<f32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Train_AnyTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
