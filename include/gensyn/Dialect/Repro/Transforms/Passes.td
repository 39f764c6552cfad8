//===- Passes.td - passes on repro -------------------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_TRANSFORMS_PASSES_TD
#define GENSYN_DIALECT_REPRO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignOrdersPass : Pass<"repro-assign-orders"> {
  let summary = "Give every float reduction an order";
  let description = [{
    Asks each op that needs an order for the one of the policy, which looks at
    reduced extents only (g8). Orders that are there already stay. `accuracy`
    says what the policy prefers: `fast` orders that kernels like best,
    `accurate` shorter chains of roundings at a small cost, `exact` every sum
    and contraction rounded once, which takes thirty times as long or more.
    `repro-report-orders` shows what came of it.

    Numerics: changes bits, in that it defines them: before it a float sum has none.
    Needs: static shapes.
    Leaves: an order on every op that needs one.
  }];
  let options = [Option<"accuracy", "accuracy", "std::string", /*default=*/"\"fast\"",
                        "fast, accurate or exact: from the least to the most accurate">];
}

def CheckSizesPass : Pass<"repro-check-sizes"> {
  let summary = "Refuse values and iteration spaces that are too large";
  let description = [{
    A value may have 2^40 elements (g2), the domain of an op 2^52 points. Works on
    ops of any dialect, so that sizes are known to be bounded before anything is
    allocated or unrolled by them.

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the module as it is.
  }];
}

def ReportOrdersPass : Pass<"repro-report-orders", "::mlir::ModuleOp"> {
  let summary = "Print which order each float reduction has, and its error bound";
  let description = [{
    A line per reduction, or a JSON object with `json`: function, op, source
    node, number of points, order, and the most roundings a point passes: times
    u sum |terms| (u = 2^-24 or 2^-53) they bound the error. To the standard
    output, before the module.

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the module as it is.
  }];
  let options = [Option<"json", "json", "bool", /*default=*/"false",
                        "One JSON object a line instead of a table">];
}

def AssignStreamsPass : Pass<"repro-assign-streams", "::mlir::func::FuncOp"> {
  let summary = "Give every draw of random bits a stream of its own";
  let description = [{
    Numbers the `repro.random_bits` without a stream from 2^30 on in program
    order, past the numbers that are taken; streams that are there already stay.
    To be run before ops are merged: two draws without streams look equal, and
    with one stream they would be (g9).

    ```mlir
    // before
    %a = repro.random_bits %key, %step, %zero : tensor<4xui32>
    // after
    %a = repro.random_bits %key, %step, %zero stream 1073741824 : tensor<4xui32>
    ```

    Numerics: changes bits, in that it defines them: before it a draw has none.
    Needs: nothing.
    Leaves: a stream on every draw (random_c2).
  }];
}

def FreezePass : Pass<"repro-freeze", "::mlir::ModuleOp"> {
  let summary = "End the part of the pipeline that may change numerics";
  let description = [{
    Checks that the module is frozen (see repro-verify-frozen) and stamps it
    with the version of the numerics and the program digest: BLAKE3 over a
    canonical encoding of its functions, which knows neither locations nor names
    of values nor how MLIR prints. From here on every pass keeps bits.

    Numerics: keeps bits.
    Needs: only repro ops, static shapes, an order on every float reduction, a
    stream on every draw.
    Leaves: module attributes `repro.numerics` and `repro.digest`.
  }];
}

def FoldTransposesPass : Pass<"repro-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "Let contractions write their results transposed";
  let description = [{
    A transpose that alone reads a contraction is gone, and the contraction's
    parallel iterators stand in another order: the gradient of a weight that is
    transposed where it is used is written as the weight lies. Points, their
    order and the operands stay as they are.

    Numerics: keeps bits (each element is the chain that it was).
    Needs: `repro.contract`, `repro.transpose`.
    Leaves: everything else.
  }];
}

def SplitConcatsPass : Pass<"repro-split-concats", "::mlir::func::FuncOp"> {
  let summary = "Make trees of concats of many operands";
  let description = [{
    An element of a concat is computed by reading all operands at clamped indices
    and choosing, so n operands cost n reads an element, and code as long, and on
    a GPU as many pointers, of which a kernel has 512. A concat of more than
    `width` operands becomes a tree of concats of at most `width` neighbours,
    which copies its elements once more for each level.

    Numerics: keeps bits (elements are moved).
    Needs: `repro.concat`.
    Leaves: no concat of more than `width` operands.
  }];
  let options = [Option<"width", "width", "unsigned", /*default=*/"32",
                        "Operands that a concat may have, 2 or more">];
}

def FormKernelsPass : Pass<"repro-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "Group ops into kernels";
  let description = [{
    What must be in memory becomes the one result of a `repro.kernel`: results
    of ops with a domain, of the function, operands of contractions, values that
    several kernels use. Everything else is computed inside the kernels that use
    it: elementwise ops that one kernel needs, and movement, splat constants,
    iotas, draws and masks made of draws as often as they are needed, up to
    limits of a kernel that stand in `FormKernels.cpp`: ops, places at which a
    point computes them, operations of the processor, buffers. A reduction takes
    its producers in where that computes nothing twice, a window also what is
    cheap, a concat no concat of more than 8 operands. A reshape of a value in
    memory stays outside: it is another name of the same bytes. A result that
    would only be a copy gets a kernel that copies.

    As each kernel has one root and reads finished values, no cycle can arise.
    `if`, `loop` and `check` are steps between kernels; their regions are grouped
    as functions are, and what crosses a region's border is in memory. An op that
    may fault keeps, as `repro.fault_slot`, its number in program order.

    Numerics: keeps bits (g9: what is computed twice has the same bits).
    Needs: a frozen function (repro ops, static shapes, orders).
    Leaves: `repro.kernel`, `repro.reshape`, non-splat `repro.constant`, `repro.if`,
    `repro.loop`, `repro.check`, return.
  }];
}

def FuseKernelsPass : Pass<"repro-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "Join kernels with what is around them";
  let description = [{
    Makes one kernel of several where the whole still has a form that schedules
    know (`KernelForm.h`), computes nothing more often than before, and saves
    memory or a launch. `FuseKernels.h` has the limits, `FuseKernels.cpp` the
    order of attempts. Forms:

    - `nearby`: a pointwise kernel merges with an earlier one of the same shape
      that computes what it reads, element by element, or that reads the same
      tensor: an optimizer's states and parameter are updated in one loop. A pair
      stays apart where a third kernel stands between them. Runs first, and for
      every target.
    - `epilogues`: elementwise work on a contraction's result (bias, activation,
      residual, cast) joins the contraction.
    - `rows`: reductions over the last dimensions join with all work on the same
      rows: softmax, layer norm, RMS norm, cross-entropy are one kernel each.
    - `columns`: sums over the first dimensions of one tensor, as the gradients of
      a scale and a shift are, join, and take elementwise work on what they give.
    - `pointwise`: the same through reshapes and over any distance, where what
      stands between can run later; equal ops of the parts become one.
    - `recompute`: a value that follows by a few cheap ops from what is stored
      anyway is computed again where it is read, and stored no more.
    - `horizontal`: kernels that have nothing to do with each other: those that
      compute alike over other shapes (an optimizer over all parameters), and
      small ones that stand close together.
    - `all`: all of these.

    A kernel that stands between two that are joined and reads the first runs
    after both; where the second needs it, the two stay apart. What is only read
    inside is a result no more. Ops that may fault keep their numbers, and the
    joined kernel computes all their elements (g7). The last three options keep
    the time linear in programs of many alike kernels.

    ```mlir
    // before
    %c = repro.kernel "k0_contract" (%a = %x : tensor<4x8xf32>, %b = %w : tensor<8x6xf32>) -> (tensor<4x6xf32>) {...}
    %y = repro.kernel "k1_add" (%d = %c : tensor<4x6xf32>, %e = %bias : tensor<6xf32>) -> (tensor<4x6xf32>) {...}
    // after
    %y = repro.kernel "k1_add" (%a = %x : tensor<4x8xf32>, %b = %w : tensor<8x6xf32>, %e = %bias : tensor<6xf32>)
        -> (tensor<4x6xf32>) {...}
    ```

    Numerics: keeps bits (g9: what is computed elsewhere has the same bits).
    Needs: `repro.kernel`.
    Leaves: fewer of them; results of one kernel may differ in shape.
  }];
  let options = [
    ListOption<"forms", "forms", "std::string",
               "nearby, pointwise, rows, columns, epilogues, recompute, horizontal or all; none given: all">,
    Option<"readers", "readers", "size_t", "256",
           "readers of a value from which on those of them are tried together that stand near">,
    Option<"near", "near", "size_t", "32", "how many ops away that is">,
    Option<"refused", "refused", "size_t", "128",
           "kernels in a row that do not fit into a horizontal one until it is full">];
}

def WidenOperandsPass : Pass<"repro-widen-operands"> {
  let summary = "Give f16 and bf16 operands of contractions to f32 a kernel that widens them";
  let description = [{
    For targets whose schedules of contractions take f32 alone. A contraction
    widens its operands exactly, so doing that before it changes nothing. Each
    contraction gets a copy of its own, right before it: what is kept for longer
    stays narrow.

    ```mlir
    // before
    %c = repro.kernel "k0_contract" (%a = %x : tensor<4x8xbf16>, %b = %w : tensor<8x6xbf16>) -> (tensor<4x6xf32>) {...}
    // after
    %p = repro.kernel "k0_contract_widen" (%a = %x : tensor<4x8xbf16>) -> (tensor<4x8xf32>) {...}
    %q = repro.kernel "k0_contract_widen" (%a = %w : tensor<8x6xbf16>) -> (tensor<8x6xf32>) {...}
    %c = repro.kernel "k0_contract" (%a = %p : tensor<4x8xf32>, %b = %q : tensor<8x6xf32>) -> (tensor<4x6xf32>) {...}
    ```

    Numerics: keeps bits (contract_r2: narrow operands are widened exactly).
    Needs: `repro.kernel`.
    Leaves: no contraction to f32 that reads f16 or bf16 memory.
  }];
}

def ReportKernelsPass : Pass<"repro-report-kernels", "::mlir::ModuleOp"> {
  let summary = "Print the kernels, what they cost, and why they end where they do";
  let description = [{
    A line per kernel, or a JSON object with `json`: name, form, floating-point
    operations, bytes read and written, buffers; then, for each of its results,
    who reads it and why that kernel is another one. At last the totals. To the
    standard output, before the module.

    Numerics: keeps bits.
    Needs: `repro.kernel`.
    Leaves: the module as it is.
  }];
  let options = [Option<"json", "json", "bool", /*default=*/"false",
                        "One JSON object a line instead of a table">];
}

def VerifyFrozenPass : Pass<"repro-verify-frozen", "::mlir::ModuleOp"> {
  let summary = "Refuse a module whose bits are not defined";
  let description = [{
    Names the first op that is not of the closed set, has a dynamic shape, is a
    float reduction without an order, or a draw without a stream of its own.

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the module as it is, or an error.
  }];
}

#endif
