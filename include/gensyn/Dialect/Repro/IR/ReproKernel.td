//===- ReproKernel.td - kernels ---------------------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROKERNEL_TD
#define GENSYN_DIALECT_REPRO_IR_REPROKERNEL_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

def Repro_KernelOp : Repro_Op<"kernel", [Pure, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<Repro_SplitOpInterface, ["getSplits"]>,
    DeclareOpInterfaceMethods<Repro_ReferenceOpInterface>]> {
  let summary = "Fusion group: ops that run as one kernel";
  let description = [{
    Runs the ops of its region as one kernel. The region gets the inputs as block
    arguments and yields the results, whose shapes may differ. Grouping keeps bits
    (g9): each op keeps its domain, bounds and order. `schedule` holds sizes and
    flags for a code generator; none of them can change a result.

    ```mlir
    %y = repro.kernel "relu" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      %z = repro.constant dense<0.0> : tensor<4xf32>
      %m = repro.max %a, %z : tensor<4xf32>
      repro.yield %m : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Arg<StrAttr, "name of the kernel; those of a frozen function differ">:$sym, Arg<Variadic<Repro_Tensor>, "values that the region uses">:$inputs,
                       Arg<OptionalAttr<AnyAttr>, "parameters of a code generator">:$schedule);
  let results = (outs Res<Variadic<Repro_Tensor>, "the yielded values">:$results);
  let regions = (region SizedRegion<1>:$body);
  let constraints = [
    Verified<"g9", "The region uses only its block arguments and its own values.",
             "using value defined outside the region", ["kernel_isolated"]>,
    Verified<"", "The region's block arguments have the types of the inputs.",
             "has block arguments that differ from its inputs", ["kernel_arguments"]>,
    Verified<"", "The region ends in `repro.yield`.", "must end in repro.yield", ["kernel_terminator"]>,
    Verified<"", "The yielded values have the types of the results.", "yields other types than its results have",
             ["kernel_results"]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The values that the region yields.
    ::mlir::OperandRange getYielded();
    /// The ops inside that may fault, in their order: the kernel has a slot for
    /// each.
    ::llvm::SmallVector<::mlir::Operation *> getFaultingOps();
  }];
}

def Repro_YieldOp : Repro_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["KernelOp", "IfOp", "LoopOp"]>]> {
  let summary = "Terminator of a region";
  let description = [{
    Ends a region of `repro.kernel`, `repro.if` or `repro.loop` and gives the
    region's results (g9).

    ```mlir
    %y = repro.kernel "exp" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      %e = repro.exp %a : tensor<4xf32>
      repro.yield %e : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Arg<Variadic<Repro_Tensor>, "the results of the region">:$results);
  let constraints = [
    Verified<"", "The parent is `repro.kernel`, `repro.if` or `repro.loop`.",
             "expects parent op to be one of 'repro.kernel, repro.if, repro.loop'", ["yield_parent"]>];
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
}

#endif
