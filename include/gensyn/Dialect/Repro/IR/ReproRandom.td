//===- ReproRandom.td - counter-based random bits ---------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPRORANDOM_TD
#define GENSYN_DIALECT_REPRO_IR_REPRORANDOM_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

// Types that need not be written, as there is only one.
class BuildableRankedTensor<string shape, string spelling> : Type<
    CPred<"$_self == ::mlir::RankedTensorType::get({" # shape # "}, "
          "::mlir::IntegerType::get($_self.getContext(), 32, ::mlir::IntegerType::Unsigned))">,
    spelling, "::mlir::RankedTensorType">,
  BuildableType<"::mlir::RankedTensorType::get({" # shape # "}, $_builder.getIntegerType(32, false))">;

def Repro_Key : BuildableRankedTensor<"2", "tensor<2xui32>">;
def Repro_Counter : BuildableRankedTensor<"", "tensor<ui32>">;

def Repro_RandomBitsOp : Repro_PureOp<"random_bits"> {
  let summary = "Counter-based random words (Philox4x32-10)";
  let description = [{
    Row-major element i is word i mod 4 of Philox4x32-10 with the counter
    (i div 4, draw, stream, step) and the key (random_r1). Fewer than 2^34
    elements (random_c1); streams differ between the ops of a program
    (random_c2). `draw` is the index of the loop around, 0 outside of one. No
    gradient flows.

    ```mlir
    %bits = repro.random_bits %key, %step, %draw stream 3 : tensor<4x5xui32>
    ```
  }];
  let arguments = (ins Repro_Key:$key, Repro_Counter:$step, Repro_Counter:$draw, OptionalAttr<I64Attr>:$stream);
  let results = (outs Repro_TensorOf<[UI32]>:$result);
  let assemblyFormat = [{
    $key `,` $step `,` $draw (`stream` $stream^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif
