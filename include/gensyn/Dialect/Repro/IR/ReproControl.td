//===- ReproControl.td - branches, loops and assertions ----------*- tablegen -*-===//
//
// Regions are isolated: they see only their block arguments. So a region is
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

class Repro_Isolated<list<string> tests>
    : Verified<"g9", "Regions use only their block arguments and their own values.",
               "using value defined outside the region", tests>;

def Repro_IfOp : Repro_RegionOp<"if", [Repro_PlanStep]> {
  let summary = "Conditional";
  let description = [{
    Runs one of two regions, as `predicate` says, and returns what it yields. Both
    regions get `captures` as block arguments. Ops of the other region do not fault
    (if_r1). The derivative is an `if` of the regions' derivatives (if_r2).

    ```mlir
    %y = repro.if %p (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
      repro.yield %a : tensor<4xf32>
    } else {
      %b = repro.neg %a : tensor<4xf32>
      repro.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Arg<Repro_BoolTensor, "chooses the first region where it is true">:$predicate,
                       Arg<Variadic<Repro_Tensor>, "values that the regions use">:$captures);
  let results = (outs Res<Variadic<Repro_Tensor>, "the yielded values">:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let constraints = [
    Repro_Isolated<["if_isolated"]>,
    Verified<"if_c1", "The predicate is a tensor<i1>.", "has the predicate ..., expected tensor<i1>", ["if_c1"]>,
    Verified<"if_c2", "Both regions have as many block arguments as there are captures.",
             "gives a region ... values, expected ...", ["if_c2_arguments"]>,
    Verified<"if_c2", "The block arguments have the types of the captures.",
             "gives a region ... as value ..., expected ...", ["if_c2_argument_type"]>,
    Verified<"if_c2", "Both regions yield as many values as the op has results.", "yields ... values, expected ...",
             ["if_c2_count"]>,
    Verified<"if_c2", "The yielded values have the types of the results.", "yields ... as value ..., expected ...",
             ["if_c2"]>];
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
    Runs the body for i = 0, 1, ... while i < `trips` and, with `while`, as long as
    the flag holds (loop_r1). The body gets i (a tensor<i64>), the carried values and
    the invariants as block arguments. It yields the next flag, if there is one, then
    the next carried values. The results are the last carried values.

    With `exhaust fault` the op faults if the flag still holds after `trips`
    iterations (loop_r2). The derivative runs the iterations in reverse (loop_r3) and
    recomputes their values from saved carried values (loop_r4).

    ```mlir
    %n = repro.loop trips 8 (%i, %a = %x : tensor<4xf32>) invariant (%b = %y : tensor<4xf32>) {
      %c = repro.add %a, %b : tensor<4xf32>
      repro.yield %c : tensor<4xf32>
    }
    %m = repro.loop trips 8 while %go exhaust fault (%i, %a = %z : tensor<f32>) {
      %half = repro.constant dense<0.5> : tensor<f32>
      %next = repro.mul %a, %half : tensor<f32>
      %on = repro.compare gt %next, %half : tensor<f32>
      repro.yield %on, %next : tensor<i1>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins Arg<I64Attr, "the largest number of iterations">:$trips,
                       Arg<DefaultValuedAttr<Repro_ExhaustAttr, "Exhaust::Stop">, "behavior if the flag still holds at the bound">:$exhaust,
                       Arg<Optional<Repro_BoolTensor>, "the initial flag">:$condition,
                       Arg<Variadic<Repro_Tensor>, "initial carried values">:$inits,
                       Arg<Variadic<Repro_Tensor>, "values that are the same in each iteration">:$invariants);
  let results = (outs Res<Variadic<Repro_Tensor>, "the last carried values">:$results);
  let regions = (region SizedRegion<1>:$body);
  let constraints = [
    Repro_Isolated<["loop_isolated"]>,
    Verified<"loop_c1", "`trips` is at least 0.", "has ... trips, expected 0 or more", ["loop_c1"]>,
    Verified<"loop_c2", "The flag is a tensor<i1>.", "has the flag ..., expected tensor<i1>", ["loop_flag"]>,
    Verified<"", "`exhaust fault` goes with a flag.", "has no flag that could hold at its bound", ["loop_r2"]>,
    Verified<"loop_c2", "The body has a block argument for the index, each carried value and each invariant.",
             "gives its body ... values, expected ...", ["loop_c2_arguments"]>,
    Verified<"loop_c2", "Block arguments are a tensor<i64> for the index, and have the types of the carried values and invariants.",
             "gives its body ... as value ..., expected ...", ["loop_c2_argument_type"]>,
    Verified<"loop_c2", "The body yields the flag, if there is one, and each carried value.",
             "yields ... values, expected ...", ["loop_c2_flag"]>,
    Verified<"loop_c2", "The types of carried values stay the same.", "yields ... as value ..., expected ...",
             ["loop_c2"]>,
    Verified<"loop_c2", "The op has a result for each carried value.", "returns ... values, expected ...",
             ["loop_c2_results"]>,
    Verified<"loop_c2", "Results have the types of the carried values.", "returns ... as value ..., expected ...",
             ["loop_c2_result_type"]>];
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
    /// The values that the body yields for the carried values, without the flag.
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
    Faults with `message` if `ok` is false (check_r1). It is the only op that is not
    pure (g9).

    ```mlir
    repro.check %ok "the mask has 3 ones" : tensor<i1>
    ```
  }];
  let arguments = (ins Arg<Repro_BoolTensor, "the condition">:$ok, Arg<StrAttr, "the text of the error">:$message);
  let constraints = [
    Verified<"check_c1", "`ok` is a tensor<i1>.", "checks ..., expected tensor<i1>", ["check_c1"]>];
  let assemblyFormat = "$ok $message attr-dict `:` type($ok)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool faultsByElement() { return false; }
  }];
}

#endif
