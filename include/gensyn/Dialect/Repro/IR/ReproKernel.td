//===- ReproKernel.td - a fusion group --------------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROKERNEL_TD
#define GENSYN_DIALECT_REPRO_IR_REPROKERNEL_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

def Repro_KernelOp : Repro_Op<"kernel", [Pure, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<Repro_ReferenceOpInterface>]> {
  let summary = "Ops that run as one kernel (fusion group)";
  let description = [{
    The region sees only the operands, through its block arguments, and yields
    the results. Grouping keeps bits: the ops inside keep their domains, bounds
    and orders. Yielded tensors may differ in shape. `schedule` may hold sizes and
    flags for a code generator; no value of it changes a result.

    ```mlir
    %y = repro.kernel "relu" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      %z = repro.constant dense<0.0> : tensor<4xf32>
      %m = repro.max %a, %z : tensor<4xf32>
      repro.yield %m : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$sym, Variadic<Repro_Tensor>:$inputs, OptionalAttr<AnyAttr>:$schedule);
  let results = (outs Variadic<Repro_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
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
  let summary = "Results of a region";
  let description = [{
    ```mlir
    repro.yield %y : tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Repro_Tensor>:$results);
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
}

#endif
