//===- Passes.td - passes on repro -------------------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_TRANSFORMS_PASSES_TD
#define GENSYN_DIALECT_REPRO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignOrdersPass : Pass<"repro-assign-orders"> {
  let summary = "Assign an order to every float reduction";
  let description = [{
    Assigns to each op that needs an order the default order of its policy, which
    depends on reduced extents only (g8). Orders that are already assigned stay.
    `accuracy` selects the policy: `fast` prefers the orders of the fastest kernels,
    `accurate` has shorter chains of roundings at a small cost, and `exact` rounds
    every sum and contraction once, which takes thirty times as long or more.
    `repro-report-orders` prints the orders.

    Numerics: changes bits, in that it defines them: a float sum without an order has none.
    Needs: static shapes.
    Leaves: an order on every op that needs one.
  }];
  let options = [Option<"accuracy", "accuracy", "std::string", /*default=*/"\"fast\"",
                        "Policy: fast, accurate or exact, from the least to the most accurate; sliced: fast, for what repro-slice-contractions leaves">];
}

def SumIntegersPass : Pass<"repro-sum-integers", "::mlir::func::FuncOp"> {
  let summary = "Let contractions of dequantized integers sum integers";
  let description = [{
    Replaces a contraction of two operands that are integers times a scale, as
    `DequantizeLinear` makes them, by a contraction of the integers and a product of its
    sums with both scales. Scales may differ along dimensions of the result, not within a
    sum; sums that might not fit an i32 stay as they are. The result is the one that
    runtimes of quantized models compute: a sum without rounding, converted and scaled
    (docs/Numerics.md, section 5).

    Numerics: changes bits: the program is another one, with another digest.
    Needs: contractions without an order.
    Leaves: what the pass replaced, without uses.
  }];
}

def SliceContractionsPass : Pass<"repro-slice-contractions", "::mlir::func::FuncOp"> {
  let summary = "Let contractions of floats sum products of 8-bit integers";
  let description = [{
    Replaces a contraction with an f32 result by contractions of i8, whose sums have no
    order (docs/Numerics.md, slices_r1). Each row of an operand becomes integers of 30 bits
    (of f32) or 22 bits (of narrower floats) times a power of two, and these become slices
    of 8 bits. Products of slices are summed exactly, put together in an i64, and rounded
    once. Contractions of fewer than `fewest-points`, or of 2^24 and more, stay as they
    are.

    Sums of i8 need no order, so any unit that multiplies bytes computes them.

    Numerics: changes bits: the program is another one, with another digest.
    Needs: contractions without an order.
    Leaves: elementwise ops on operands and results, contractions of i8 with i32 results,
      and i64 ones where a sum might not fit.
  }];
  let options = [
    Option<"fewestPoints", "fewest-points", "int64_t", /*default=*/"64",
           "Points from which on a contraction is worth it, at least 1">];
}

def CheckSizesPass : Pass<"repro-check-sizes"> {
  let summary = "Reject tensors and iteration spaces that are too large";
  let description = [{
    Rejects tensors of more than 2^40 elements (g2) and domains of more than 2^52
    points. Works on ops of any dialect, so that sizes are bounded before anything is
    allocated or unrolled by them.

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the module unchanged.
  }];
}

def ReportOrdersPass : Pass<"repro-report-orders", "::mlir::ModuleOp"> {
  let summary = "Print the order and the error bound of each float reduction";
  let description = [{
    Prints a line per reduction, or a JSON object with `json`, to standard output:
    function, op, source node, number of points, order, and the largest number of
    roundings that a point passes. That number times u sum |terms| (u = 2^-24 or 2^-53)
    bounds the error.

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the module unchanged.
  }];
  let options = [Option<"json", "json", "bool", /*default=*/"false",
                        "One JSON object a line instead of a table">];
}

def ReportSplitsPass : Pass<"repro-report-splits", "::mlir::ModuleOp"> {
  let summary = "Print where each op may be cut without changing a bit";
  let description = [{
    Prints a line per op, or a JSON object with `json`, to standard output: function,
    source node, op, and the extents of its split dimensions (those of the result, then
    the reduced ones) with the cuts of each: `free`, `any`, `blocks<B>`, `lanes<L>`,
    `chain` or `none` (`Split.h`).

    Numerics: keeps bits.
    Needs: nothing; sums without an order can be cut along results only.
    Leaves: the module unchanged.
  }];
  let options = [Option<"json", "json", "bool", /*default=*/"false",
                        "One JSON object a line instead of a table">];
}

def AssignStreamsPass : Pass<"repro-assign-streams", "::mlir::func::FuncOp"> {
  let summary = "Assign a stream to every random_bits op";
  let description = [{
    Numbers the `repro.random_bits` ops without a stream in program order, from 2^30 on,
    and skips numbers that are in use. Streams that are already assigned stay. The pass
    runs before CSE: two ops without streams look equal (g9).

    ```mlir
    // before
    %a = repro.random_bits %key, %step, %zero : tensor<4xui32>
    // after
    %a = repro.random_bits %key, %step, %zero stream 1073741824 : tensor<4xui32>
    ```

    Numerics: changes bits, in that it defines them: an op without a stream has none.
    Needs: nothing.
    Leaves: a stream on every `repro.random_bits` (random_c2).
  }];
}

def FreezePass : Pass<"repro-freeze", "::mlir::ModuleOp"> {
  let summary = "Freeze the numerics and stamp the program digest";
  let description = [{
    Verifies that the module is frozen (see repro-verify-frozen), and stamps it with
    the numerics version and the program digest. The digest is BLAKE3 over a canonical
    encoding of the functions, which does not depend on locations, names of values or
    MLIR's printer. All later passes keep bits.

    Numerics: keeps bits.
    Needs: only repro ops, static shapes, an order on every float reduction, a
    stream on every `repro.random_bits`.
    Leaves: module attributes `repro.numerics` and `repro.digest`.
  }];
}

def FoldTransposesPass : Pass<"repro-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "Fold transposes of operands and results into contractions";
  let description = [{
    Removes a transpose that is the only reader of a contraction, and permutes the
    contraction's parallel iterators instead. So the gradient of a weight that is
    transposed before its use is written in the layout of the weight. Removes a
    transpose that contractions alone read, and permutes their maps. Elementwise ops of
    one operand may stand between, such as those that round a weight or its gradient to
    a narrower type: they work in the other layout. Points and their order stay the same.

    Numerics: keeps bits (each element is computed by the same chain).
    Needs: `repro.contract`, `repro.transpose`.
    Leaves: everything else.
  }];
}

def HoistInvariantsPass : Pass<"repro-hoist-invariants", "::mlir::func::FuncOp"> {
  let summary = "Hoist what is the same in every iteration out of loops";
  let description = [{
    Computes values of a loop's body that depend on invariants and constants alone
    before the loop, if they take no more memory than their operands. Ops that may fault
    stay: a loop that never runs has no fault.

    Numerics: keeps bits (each value is computed once, by the same ops).
    Needs: a frozen function.
    Leaves: loops with more invariants.
  }];
}

def BatchIterationsPass : Pass<"repro-batch-iterations", "::mlir::func::FuncOp"> {
  let summary = "Compute products of all iterations of a loop at once";
  let description = [{
    Computes an op with a domain (a contraction) before the loop for all iterations, if
    it depends on the number of the iteration and on invariants, but on no carried
    value. Then an operand that all iterations share, such as a matrix of weights, is
    read once, if it is larger than the result of an iteration. In the body a gather
    reads the result of the iteration. So the derivative of a recurrent network computes
    all gates again in one product.

    What an op needs is computed for all iterations too (`BatchableOpInterface`). Slices
    of the first dimension of an invariant are the invariant itself, or a reversed copy.
    Each loop gets at most as many bytes of new values as its operands and results have,
    or 64 KiB.

    ```mlir
    // before
    %y = repro.loop trips 64 (%i, %s = %zero : tensor<1x8xf32>) invariant (%x = %xs : tensor<64x1x4xf32>, %w = %weight : tensor<4x8xf32>) {
      %a = repro.gather %x[%i] ...
      %b = repro.contract %a, %w ...
    // after
    %bs = repro.contract %xs, %weight ... -> tensor<64x1x8xf32>
    %y = repro.loop trips 64 (%i, %s = %zero : tensor<1x8xf32>) invariant (%c = %bs : tensor<64x1x8xf32>) {
      %b = repro.gather %c[%i] ...
    ```

    Numerics: keeps bits (each element is computed by the same chain).
    Needs: a frozen function.
    Leaves: loops with more invariants.
  }];
}

def SumAfterLoopsPass : Pass<"repro-sum-after-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn sums that a loop carries into sums of what its iterations add";
  let description = [{
    Finds carried values that start from zeros, to which each iteration adds a term, and
    which nothing else in the body reads. Gradients of a loop's invariants have this
    form.

    - A term that is a scatter into zeros, with one update for each target, is scattered
      into the sum: only its targets are written.
    - A term that is a contraction in the order `sequential` leaves the loop. Its
      operands are kept for all iterations, and one contraction after the loop has the
      iterations as its outermost points, in the order `blocked<points of an iteration,
      sequential, sequential>`: that is the chain of the loop. The sum is then read and
      written once and not in each iteration. Operands that depend on no carried value
      are computed for all iterations, as `repro-batch-iterations` does.

    Each loop gets at most as many bytes of new values as its operands and results have,
    or 64 KiB.

    Numerics: keeps bits (order_r3; a sum from +0 is never -0).
    Needs: a frozen function.
    Leaves: loops that carry fewer sums.
  }];
}

def TransposeInvariantsPass : Pass<"repro-transpose-invariants", "::mlir::func::FuncOp"> {
  let summary = "Lay out the invariant operands of contractions in loops";
  let description = [{
    Transposes an invariant operand of a contraction before the loop, if the last
    dimension of the result runs along a dimension of it that is not its last. Then the
    vectors of a result are vectors in memory; otherwise each iteration transposes the
    operand on its way to the registers. By counts of cycles, the iterations have to gain
    more than the transpose takes. For targets whose contractions read vectors along the
    result's last dimension (CPUs).

    Numerics: keeps bits (each element is computed by the same chain).
    Needs: a frozen function.
    Leaves: loops with more invariants.
  }];
}

def TransposeSharedPass : Pass<"repro-transpose-shared", "::mlir::func::FuncOp"> {
  let summary = "Transpose once what many contractions read transposed";
  let description = [{
    Makes one `repro.transpose` of a value for the contractions whose results have a last
    dimension that runs along another dimension of it than its last, as
    `repro-transpose-invariants` does for loops: the steps of an unrolled recurrence read
    one weight so. By counts of cycles, the transpose has to take less time than the
    readers gain. What depends on kept inputs alone is transposed before runs, at no cost
    to them; contractions may have copies in a layout of their own of it, so that two
    readers gain nothing.

    Numerics: keeps bits (each element is computed by the same chain).
    Needs: a frozen function; runs after `repro-fold-transposes`, which undoes it.
    Leaves: transposes that contractions share.
  }];
}

def TransposeWindowsPass : Pass<"repro-transpose-windows", "::mlir::func::FuncOp"> {
  let summary = "Put the channels of images before positions where results have them so";
  let description = [{
    Transposes an image whose last dimension a contraction reduces, if the contraction
    reads windows of it along the last dimension of the result: as a convolution that
    `repro-fold-transposes` made of one between a norm of channels and a depthwise
    convolution. Vectors along the result are adjacent in the image then, and
    `repro-choose-layouts` can choose; otherwise each lane is read by itself.

    Numerics: keeps bits (each element combines the same points in the same order).
    Needs: a frozen function; runs after `repro-fold-transposes`, which undoes it.
    Leaves: one transpose of each such image.
  }];
}

def ChooseLayoutsPass : Pass<"repro-choose-layouts", "::mlir::func::FuncOp"> {
  let summary = "Make channels the last dimension where convolutions gain by it";
  let description = [{
    Chooses values [batch, channels, positions...] that become [batch, positions...,
    channels]. In this layout a convolution's vectors run along its filters, so that no
    lane is past the end of an image; it reads images in place, where a window is some
    elements, and multiplies them by panels of filters. In the other, vectors run along
    the positions of an image, and strided ones are copied.

    Each convolution has a gain, positive or not, by counts: vectors of multiplications,
    lanes past an end, copies, pointers to windows. Where a copy of the image with zeros
    around it costs less than pointers to each tap, or moves pixels out of one set of a
    cache, the convolution reads a `pad`, all of which is in bounds; an image of few
    channels keeps its layout there. A transpose of a value between two
    layouts has a cost by its elements. The choice with the largest gain is a minimal
    cut. Other ops follow: elementwise ones, and those of `PermutableOpInterface`
    (pooling, concats, slices). Broadcasts and splat constants are repeated for both.

    Numerics: keeps bits (each element combines the same points in the same order).
    Needs: a frozen function.
    Leaves: maps with permuted dimensions, transposes between layouts, pads of images.
  }];
  let options = [Option<"always", "always", "bool", /*default=*/"false",
                        "Take all convolutions to gain, so that tests of small ones have this layout">];
}

def SplitConcatsPass : Pass<"repro-split-concats", "::mlir::func::FuncOp"> {
  let summary = "Split concats of many operands into trees";
  let description = [{
    Replaces a concat of more than `width` operands by a tree of concats of at most
    `width` adjacent operands. An element of a concat is computed by reading all operands
    at clamped indices and selecting one. So n operands cost n reads per element, as much
    code, and on a GPU as many pointers, of which a kernel has at most 512. Each level of
    the tree copies the elements once more.

    Numerics: keeps bits (elements are moved).
    Needs: `repro.concat`.
    Leaves: no concat of more than `width` operands.
  }];
  let options = [Option<"width", "width", "unsigned", /*default=*/"32",
                        "Largest number of operands of a concat, at least 2">];
}

def ExpandSinglePointsPass
    : Pass<"repro-expand-single-points", "::mlir::func::FuncOp"> {
  let summary = "Make contractions of one point per result elementwise products";
  let description = [{
    Replaces a contraction that has one point per result by a product of broadcast
    operands, such as the weight gradient of a fully connected layer at batch 1. A product
    is computed inside the kernels that read it, so it needs no memory. Contractions that
    read outside of an operand, or whose operands need a transpose, remain.

    Numerics: keeps bits (contract_r1 to contract_r3: narrow operands are widened, a chain
    of one point is the rounded product, and +0 is added to a float).
    Needs: `repro.contract`.
    Leaves: `repro.mul`, `repro.add`, `repro.convert`, `repro.broadcast`, `repro.reshape`
    in their place.
  }];
}

def NarrowOperandsPass : Pass<"repro-narrow-operands", "::mlir::func::FuncOp"> {
  let summary = "Let contractions widen the integers that they read";
  let description = [{
    Replaces an operand of a contraction that is a widened integer tensor, such as the
    weights of a quantized layer, by the tensor before it was widened. A contraction
    widens what it reads, so the wide copy is neither computed nor stored. A constant gets
    the least width of 8 and 16 bits that has its elements. It is done
    here and not before the program is frozen, so that digests of programs remain.

    Numerics: keeps bits (contract_r1: operands are widened exactly).
    Needs: `repro.contract`.
    Leaves: contractions of integers of different widths.
  }];
}

def FormKernelsPass : Pass<"repro-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "Group ops into kernels";
  let description = [{
    Makes each value that needs a buffer the result of a `repro.kernel`: results of ops
    with a domain, results of the function, operands of contractions, and values that
    several kernels use. All other ops are computed inside the kernels that use them.
    Elementwise ops are computed in one kernel; movement, splat constants, iotas, random
    bits and masks of random bits are recomputed in each kernel. `FormKernels.cpp` has the
    limits of a kernel: ops, uses per point, operations and buffers.

    - A reduction includes its producers if nothing is then computed twice; a window also
      includes cheap ones, unless they are all that reads a contraction, which can
      compute them as its epilogue.
    - A concat does not include a concat of more than 8 operands.
    - A reshape of a buffer stays outside of kernels, as an alias of the same bytes.
    - A result that would only be a copy gets a kernel that copies.

    Each kernel has one root and reads finished values, so the kernels have no cycle.
    `if`, `loop` and `check` are steps between kernels. Their regions are grouped like
    functions, and values that cross the boundary of a region are buffers. An op that may
    fault gets the attribute `repro.fault_slot`, its number in program order.

    Numerics: keeps bits (g9: recomputed values have the same bits).
    Needs: a frozen function (repro ops, static shapes, orders).
    Leaves: `repro.kernel`, `repro.reshape`, non-splat `repro.constant`, `repro.if`,
    `repro.loop`, `repro.check`, return.
  }];
  // A function without ops of repro, which returns its arguments, gets kernels.
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
}

def FuseKernelsPass : Pass<"repro-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "Fuse kernels with adjacent kernels";
  let description = [{
    Fuses kernels if the result still has a form that schedules support
    (`KernelForm.h`), recomputes nothing, and saves memory or a launch. `FuseKernels.h`
    has the limits, `FuseKernels.cpp` the order of attempts. Forms:

    - `nearby`: fuses a pointwise kernel with an earlier one of the same shape that
      produces its operands, element by element, or that reads the same tensor. So an
      optimizer's states and parameter are updated in one loop. A pair is not fused if
      kernels in between prevent moving either of the two. Runs first, and for every
      target.
    - `contracted-rows`: fuses a contraction with the rows that it computes (a softmax)
      and with contractions that sum these rows or their columns, so that no matrix of
      scores is stored. If the backward pass reads the rows too, its kernel computes
      them again. Only for scores of at least `contracted-bytes`.
    - `prologues`: fuses cheap elementwise ops that compute an operand of one
      contraction from fewer bytes (the dequantisation of weights) into the
      contraction, which applies them to the elements as it reads them.
    - `epilogues`: fuses elementwise ops on a contraction's result (bias, activation,
      residual, cast) into the contraction.
    - `rows`: fuses reductions over the last dimensions with all ops on the same rows.
      Softmax, layer norm, RMS norm and cross-entropy become one kernel each.
    - `columns`: fuses sums over the first dimensions of one tensor, such as the
      gradients of a scale and a shift, and elementwise ops on their results.
    - `pointwise`: fuses like `nearby`, through reshapes and over any distance, if the
      kernels in between can run later; equal ops become one.
    - `recompute`: recomputes a value where it is read, instead of storing it, if
      elementwise ops compute it from values that are stored anyway: up to four operations
      for each element, or `recomputed-flops` for each byte that is saved.
    - `horizontal`: fuses independent kernels: those with the same ops on other shapes
      (an optimizer over all parameters), and small ones that are close together.
    - `all`: all of these.

    Contractions of the types in `apart` stay as they are: machines have units that
    compute them and nothing else.

    A kernel between two fused kernels that reads the first runs after both; if the
    second depends on it, the two are not fused. Values that are read only inside of the
    fused kernel stop being results. Ops that may fault keep their numbers, and the fused
    kernel computes all of their elements (g7). The last three options keep the
    compile time linear in programs of many similar kernels.

    ```mlir
    // before
    %c = repro.kernel "k0_contract" (%a = %x : tensor<4x8xf32>, %b = %w : tensor<8x6xf32>) -> (tensor<4x6xf32>) {...}
    %y = repro.kernel "k1_add" (%d = %c : tensor<4x6xf32>, %e = %bias : tensor<6xf32>) -> (tensor<4x6xf32>) {...}
    // after
    %y = repro.kernel "k1_add" (%a = %x : tensor<4x8xf32>, %b = %w : tensor<8x6xf32>, %e = %bias : tensor<6xf32>)
        -> (tensor<4x6xf32>) {...}
    ```

    Numerics: keeps bits (g9: recomputed values have the same bits).
    Needs: `repro.kernel`.
    Leaves: fewer kernels; results of one kernel may differ in shape.
  }];
  let options = [
    ListOption<"forms", "forms", "std::string",
               "Forms of fusion: nearby, contracted-rows, prologues, pointwise, rows, columns, epilogues, recompute, horizontal or all (default)">,
    Option<"contractedBytes", "contracted-bytes", "int64_t", "4194304",
           "Bytes of a matrix of scores from which on `contracted-rows` does not store it">,
    Option<"contractedWidth", "contracted-width", "int64_t", "0",
           "Points of a score and elements of a result, for each row or column, up to which `contracted-rows` joins them, if their orders fit tiles; 0: any number">,
    Option<"recomputedFlops", "recomputed-flops", "int64_t", "0",
           "Operations, for each byte that is then neither stored nor read, up to which `recompute` computes a value again">,
    ListOption<"apart", "apart", "std::string",
               "Types of operands whose contractions stay kernels of their own, for units that compute nothing else">,
    Option<"readers", "readers", "size_t", "256",
           "Number of readers of a value from which on only pairs of readers that are near each other are tried">,
    Option<"near", "near", "size_t", "32", "Largest distance of such readers, in ops">,
    Option<"refused", "refused", "size_t", "128",
           "Number of consecutive kernels that do not fit after which a horizontal kernel is complete">];
}

def DelayUpdatesPass : Pass<"repro-delay-updates", "::mlir::func::FuncOp"> {
  let summary = "Move scatters behind the other readers of their bases";
  let description = [{
    Moves a kernel that is a scatter behind the last kernel that reads its base, if
    nothing needs the result before. A plan then lets it write its updates into the
    base's memory; otherwise it copies the base.

    Numerics: keeps bits (kernels do not change).
    Needs: `repro.kernel`.
    Leaves: the same kernels in another order.
  }];
}

def HastenUpdatesPass : Pass<"repro-hasten-updates", "::mlir::func::FuncOp"> {
  let summary = "Move kernels of a program's results forward";
  let description = [{
    Moves a kernel forward to right behind the kernels that compute its operands, if all
    its results are results of the program or take at most 64 bytes. So the gradient of a
    weight and the weight's update are computed where the backward pass is at the weight,
    and the values that they alone read are not kept until the end of the step. A kernel
    stays behind those that read a parameter that it may be written over
    (`gensyn.donated`).

    Numerics: keeps bits (kernels do not change).
    Needs: `repro.kernel`.
    Leaves: the same kernels in another order.
  }];
}

def ReportKernelsPass : Pass<"repro-report-kernels", "::mlir::ModuleOp"> {
  let summary = "Print the kernels with their costs and their boundaries";
  let description = [{
    Prints a line per kernel, or a JSON object with `json`, to standard output: name,
    form, floating-point operations, bytes read and written, and buffers. For each
    result it prints the readers and why they are in another kernel. The totals
    follow.

    Numerics: keeps bits.
    Needs: `repro.kernel`.
    Leaves: the module unchanged.
  }];
  let options = [Option<"json", "json", "bool", /*default=*/"false",
                        "One JSON object a line instead of a table">];
}

def VerifyFrozenPass : Pass<"repro-verify-frozen", "::mlir::ModuleOp"> {
  let summary = "Reject a module whose results are not fully defined";
  let description = [{
    Emits an error on the first op that is not in the repro dialect, has a dynamic
    shape, is a float reduction without an order, or draws random bits without a stream
    of its own. If the module has `repro.digest` or `repro.numerics`, the pass also
    compares them with the digest of the functions and the version of the numerics. In
    a module with kernels `repro.digest` is that of the program before kernels were
    formed, so it is not compared.

    Numerics: keeps bits.
    Needs: nothing.
    Leaves: the module unchanged, or an error.
  }];
}

#endif
