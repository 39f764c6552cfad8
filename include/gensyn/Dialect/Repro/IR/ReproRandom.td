//===- ReproRandom.td - counter-based random bits ---------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPRORANDOM_TD
#define GENSYN_DIALECT_REPRO_IR_REPRORANDOM_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

// A tensor type that the assembly format leaves out, since only one is allowed.
class BuildableRankedTensor<string shape, string spelling> : Type<
    CPred<"$_self == ::mlir::RankedTensorType::get({" # shape # "}, "
          "::mlir::IntegerType::get($_self.getContext(), 32, ::mlir::IntegerType::Unsigned))">,
    spelling, "::mlir::RankedTensorType">,
  BuildableType<"::mlir::RankedTensorType::get({" # shape # "}, $_builder.getIntegerType(32, false))">;

def Repro_Key : BuildableRankedTensor<"2", "tensor<2xui32>">;
def Repro_Counter : BuildableRankedTensor<"", "tensor<ui32>">;

def Repro_RandomBitsOp : Repro_PureOp<"random_bits", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>]> {
  let summary = "Counter-based random words (Philox4x32-10)";
  let description = [{
    Sets row-major element i to word i mod 4 of the Philox4x32-10 block of the
    counter (i div 4, draw, stream, step) and the key (random_r1). Each op of a
    program has a stream of its own, which `repro-assign-streams` assigns. No
    gradient flows through the op.

    ```mlir
    %bits = repro.random_bits %key, %step, %draw stream 3 : tensor<4x5xui32>
    ```
  }];
  let arguments = (ins Arg<Repro_Key, "the key of the run, low word first">:$key,
                       Arg<Repro_Counter, "the step of the run">:$step,
                       Arg<Repro_Counter, "the iteration of the enclosing loop; 0 outside of loops">:$draw,
                       Arg<OptionalAttr<I64Attr>, "the stream of the op; assigned before the freeze">:$stream);
  let results = (outs Res<Repro_TensorOf<[UI32]>, "the random words">:$result);
  let constraints = [
    Verified<"random_c1", "The result has fewer than 2^34 elements.", "draws ..., a draw has fewer than 2^34 words",
             ["random_c1"]>,
    Verified<"random_c2", "0 <= `stream` < 2^32.", "has stream ..., which is not in [0, 2^32)",
             ["random_c2", "random_c2_negative"]>,
    Verified<"random_c2", "In a frozen program each op has a stream (`repro-verify-frozen`).",
             "has no stream, so its bits are not defined", ["random_c2_frozen"]>,
    Verified<"random_c2", "No two ops of a frozen program have the same stream (`repro-verify-frozen`).",
             "has stream ..., which another draw has", ["random_c2_shared"]>];
  let assemblyFormat = [{
    $key `,` $step `,` $draw (`stream` $stream^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif
