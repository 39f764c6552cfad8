//===- ReproControl.td - branches, loops and assertions ----------*- tablegen -*-===//
//
// Regions see only what they are given: their block arguments. So a region is
// evaluated, encoded and differentiated as a function is.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROCONTROL_TD
#define GENSYN_DIALECT_REPRO_IR_REPROCONTROL_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

class Repro_RegionOp<string mnemonic, list<Trait> traits = []>
    : Repro_Op<mnemonic, traits # [IsolatedFromAbove, RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"YieldOp">,
        DeclareOpInterfaceMethods<Repro_ReferenceOpInterface>,
        DeclareOpInterfaceMethods<Repro_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<Repro_CostOpInterface>]>;

def Repro_IfOp : Repro_RegionOp<"if", [Repro_PlanStep]> {
  let summary = "Conditional";
  let description = [{
    Runs only the region that `predicate`, a tensor<i1> (if_c1), chooses. Both
    get `captures` as block arguments and yield the result types (if_c2).

    ```mlir
    %y = repro.if %p (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      repro.yield %a : tensor<4xf32>
    } else {
      %b = repro.neg %a : tensor<4xf32>
      repro.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Repro_BoolTensor:$predicate, Variadic<Repro_Tensor>:$captures);
  let results = (outs Variadic<Repro_Tensor>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getThenBlock() { return getThenRegion().front(); }
    ::mlir::Block &getElseBlock() { return getElseRegion().front(); }
  }];
}

def Repro_LoopOp : Repro_RegionOp<"loop", [Repro_PlanStep, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Repro_FaultOpInterface>]> {
  let summary = "Bounded loop";
  let description = [{
    Runs the body for i = 0, 1, ... while i < `trips` (loop_c1) and, with
    `while`, as long as the flag holds (loop_r1). The body is given i (a
    tensor<i64>), the carried values and the invariants; it yields the next flag
    where there is one, then the carried values, whose types stay (loop_c2).
    With `exhaust fault` the op faults where the flag still holds at the bound
    (loop_r2).

    ```mlir
    %n = repro.loop trips 8 (%i, %a = %x : tensor<4xf32>) invariant (%b = %y : tensor<4xf32>) {
      %c = repro.add %a, %b : tensor<4xf32>
      repro.yield %c : tensor<4xf32>
    }
    %m = repro.loop trips 8 while %go exhaust fault (%i, %a = %x : tensor<4xf32>) {
      ...
      repro.yield %next, %c : tensor<i1>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$trips, DefaultValuedAttr<Repro_ExhaustAttr, "Exhaust::Stop">:$exhaust,
                       Optional<Repro_BoolTensor>:$condition, Variadic<Repro_Tensor>:$inits,
                       Variadic<Repro_Tensor>:$invariants);
  let results = (outs Variadic<Repro_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool faultsByElement() { return false; }
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::BlockArgument getIndex() { return getBlock().getArgument(0); }
    /// The block arguments that hold the carried values and the invariants.
    ::llvm::MutableArrayRef<::mlir::BlockArgument> getCarried() {
      return getBlock().getArguments().slice(1, getInits().size());
    }
    ::llvm::MutableArrayRef<::mlir::BlockArgument> getInvariantArguments() {
      return getBlock().getArguments().drop_front(1 + getInits().size());
    }
    /// What the body yields for the carried values, without the flag.
    ::mlir::OperandRange getYielded() {
      return getBlock().getTerminator()->getOperands().take_back(getInits().size());
    }
    /// The flag that the body yields; null without `while`.
    ::mlir::Value getYieldedFlag() {
      return getCondition() ? getBlock().getTerminator()->getOperand(0) : ::mlir::Value();
    }
  }];
}

def Repro_CheckOp : Repro_Op<"check", [Repro_PlanStep, DeclareOpInterfaceMethods<Repro_ReferenceOpInterface>,
    DeclareOpInterfaceMethods<Repro_FaultOpInterface>, DeclareOpInterfaceMethods<Repro_CostOpInterface>]> {
  let summary = "Runtime assertion on tensor data";
  let description = [{
    Faults where `ok`, a tensor<i1> (check_c1), is false, with `message`. The
    only op that is not pure (g9).

    ```mlir
    repro.check %ok "the mask has 3 ones" : tensor<i1>
    ```
  }];
  let arguments = (ins Repro_BoolTensor:$ok, StrAttr:$message);
  let assemblyFormat = "$ok $message attr-dict `:` type($ok)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool faultsByElement() { return false; }
  }];
}

#endif
