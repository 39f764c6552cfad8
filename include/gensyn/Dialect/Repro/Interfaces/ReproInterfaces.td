//===- ReproInterfaces.td - interfaces of repro ops ------------*- tablegen -*-===//
//
// Passes do not list ops: they query these interfaces. A new op implements them,
// and no pass is edited.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_INTERFACES_TD
#define GENSYN_DIALECT_REPRO_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Repro_ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    The reference semantics of an op, as C++ over tensors. The result is correct by
    definition; every target must give the same bits.
  }];
  let methods = [InterfaceMethod<[{
      Computes the results from the operands' values. Fails, after emitting an
      error on the op, only if the program is invalid.
    }],
    "::llvm::FailureOr<::llvm::SmallVector<::gensyn::Tensor>>", "evaluate",
    (ins "::llvm::ArrayRef<::gensyn::Tensor>":$operands)>];
}

def Repro_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    Builds the vector-Jacobian product of an op from `repro` ops.
  }];
  let methods = [InterfaceMethod<[{
      Builds the gradients of the operands from the cotangents of the results. A
      null cotangent is zero. For each operand i with `needed[i]` the method may set
      `gradients[i]` to a value of the operand's type; null is zero. Fails, after
      emitting an error on the op, if the op has no derivative.
    }],
    "::llvm::LogicalResult", "buildVjp",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
         "::llvm::ArrayRef<bool>":$needed,
         "::llvm::MutableArrayRef<::mlir::Value>":$gradients)>];
}

def Repro_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    The baseline lowering of an op: computes one element of a result on demand from
    elements of the operands. A kernel is lowered by requesting each element of its
    yielded values; elements of values inside the kernel are computed in place, and
    elements of its arguments are loaded. Implemented by external models, since
    emitting arithmetic belongs to code generation and not to the dialect.
  }];
  let methods = [InterfaceMethod<[{
      Emits the element of result `result` at `indices` (of type index) and
      returns it as a scalar of the element type. Unsigned integers are signless.
    }],
    "::mlir::Value", "emitElement",
    (ins "::gensyn::repro::ElementEmitter &":$emitter, "unsigned":$result,
         "::llvm::ArrayRef<::mlir::Value>":$indices)>];
}

def Repro_ColumnOpInterface : OpInterface<"ColumnOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op that computes a whole column of elements at once: a scan, a sort, a
    scatter. Columns are independent. Such an op ends a kernel: its results are
    buffers.
  }];
  let methods = [InterfaceMethod<[{
      Returns the extents of the column space, outermost first; empty for a single
      column.
    }],
    "::llvm::SmallVector<int64_t>", "getColumns", (ins)>];
}

def Repro_ColumnModelInterface : OpInterface<"ColumnModelInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    The baseline lowering of a `ColumnOpInterface` op. Implemented by external
    models, as `ElementOpInterface` is.
  }];
  let methods = [
    InterfaceMethod<[{
      Returns true if columns that differ by one in their last index are adjacent
      in memory, and their steps depend on no data: several can be computed at
      once.
    }],
    "bool", "hasAdjacentColumns", (ins), "", "return false;">,
    InterfaceMethod<[{
      Emits the code that computes all elements of the column at `column` (one
      index per extent of `getColumns`). Reads operands by `emitter.element`, and
      writes the op's results to the buffers `results` through the emitter, which
      may read them back. No other column writes the same elements. Elements are
      scalars.
    }],
    "::llvm::LogicalResult", "emitColumn",
    (ins "::gensyn::repro::ElementEmitter &":$emitter,
         "::llvm::ArrayRef<::mlir::Value>":$column,
         "::mlir::ValueRange":$results)>];
}

def Repro_FaultOpInterface : OpInterface<"FaultOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op that may fault on some input data (g7). The program has a 64-bit slot for
    it, which keeps the smallest position of a fault.
  }];
  let methods = [
    InterfaceMethod<"Returns true if this op faults on some data.", "bool", "mayFault", (ins)>,
    InterfaceMethod<"Returns the message of a fault, such as 'index out of range'.",
      "std::string", "describeFault", (ins)>,
    InterfaceMethod<[{
      Returns true if a fault belongs to one element, whose position is reported.
    }], "bool", "faultsByElement", (ins), "", "return true;">,
    InterfaceMethod<"Returns the extents of the tensor among whose elements faults count.",
      "::llvm::SmallVector<int64_t>", "getFaultExtents", (ins), "", [{
        return ::llvm::to_vector(
            ::llvm::cast<::mlir::ShapedType>($_op->getResult(0).getType()).getShape());
      }]>,
    InterfaceMethod<"Returns the tile of that tensor among whose elements faults of a piece count.",
      "::gensyn::repro::Tile", "getFaultTile",
      (ins "::llvm::ArrayRef<::gensyn::repro::IndexRange>":$piece), "",
      "return ::gensyn::repro::Tile(piece);">];
}

def Repro_OrderedOpInterface : OpInterface<"OrderedOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op whose result may depend on the order in which it combines its points.
  }];
  let methods = [
    InterfaceMethod<[{
      Returns true if this op needs an order: float sums and products do, integer
      ones and extrema do not.
    }], "bool", "needsOrder", (ins)>,
    InterfaceMethod<[{ Returns the order, or null if none is assigned. }],
      "::mlir::Attribute", "getAssignedOrder", (ins)>,
    InterfaceMethod<[{ Sets the order. }],
      "void", "assignOrder", (ins "const ::gensyn::Order &":$order)>,
    InterfaceMethod<[{
      Returns the default order for an accuracy preference. It depends on the
      reduced extents only (g8), so the bits of a sample do not depend on its batch.
    }], "::gensyn::Order", "getDefaultOrder", (ins "::gensyn::Accuracy":$accuracy)>,
    InterfaceMethod<[{
      Returns the number of points that a result element combines; for a scan, that
      its last element combines.
    }], "int64_t", "getOrderedPoints", (ins)>,
    InterfaceMethod<[{ Returns the operation that adds a point; error bounds depend on it. }],
      "::gensyn::OrderedStep", "getOrderedStep", (ins)>,
  ];
}

def Repro_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{ The cost of an op, which schedules are chosen by. }];
  let methods = [
    InterfaceMethod<[{
      Returns the number of floating-point operations of the op: an fma counts as
      two, a correctly rounded function as lib/Numerics counts it.
    }], "int64_t", "getFlops", (ins)>,
    InterfaceMethod<[{
      Returns the cost of one result element inside a kernel, without that of its
      operands.
    }], "::gensyn::repro::ElementCost", "getElementCost", (ins)>];
}

def Repro_DomainOpInterface : OpInterface<"DomainOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op that combines the points of an iteration domain into each element of its
    result.
  }];
  let methods = [
    InterfaceMethod<"Returns the extents of the iterators.",
      "::llvm::ArrayRef<int64_t>", "getIterationExtents", (ins),
      "return $_op.getDomain().getExtents();">,
    InterfaceMethod<"Returns the maps from iterators to indices: of operands, then of the result.",
      "::mlir::ArrayAttr", "getIterationMaps", (ins), "return $_op.getMaps();">,
  ];
}

def Repro_BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op of which several instances are one op with one more dimension. Each of its
    elements is computed as the instance computes it, so bits stay. Elementwise ops
    need no implementation (`buildBatched` in Batched.h).
  }];
  let methods = [InterfaceMethod<[{
      Builds `count` instances as one op. Where `isBatched[i]`, `operands[i]` has the
      instances as its first dimension; other operands are common to all. At least
      one is batched. Returns the result, with the instances as its first dimension.
    }],
    "::mlir::Value", "buildInstances",
    (ins "::mlir::OpBuilder &":$builder, "int64_t":$count, "::mlir::ValueRange":$operands,
         "::llvm::ArrayRef<bool>":$isBatched)>];
}

def Repro_PermutableOpInterface : OpInterface<"PermutableOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op that can compute its result with the dimensions in another order, of operands
    with their dimensions in that order. Each element is computed as before, so bits
    stay. Elementwise ops need no implementation (`Permuted.h`).
  }];
  let methods = [
    InterfaceMethod<[{
      Returns the operands that have the dimensions of the result, by number; the
      others stay as they are. std::nullopt if there is no such form for the
      permutation.
    }],
    "::std::optional<::llvm::SmallVector<unsigned>>", "findPermutedOperands",
    (ins "::llvm::ArrayRef<int64_t>":$permutation)>,
    InterfaceMethod<[{
      Builds the op on these operands, of which the permuted ones are transposed.
      Dimension k of the result is dimension `permutation[k]` of this op's.
    }],
    "::mlir::Value", "buildPermuted",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
         "::llvm::ArrayRef<int64_t>":$permutation)>];
}

def Repro_SplitOpInterface : OpInterface<"SplitOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op that can be computed in pieces without changing a bit (`SplitOp.h`). Which
    cuts do that depends on the op and its order alone. Whatever divides work (cores
    with little memory each, blocks of a GPU, ranks) reads the answer here. Elementwise
    ops need no implementation.
  }];
  let methods = [
    InterfaceMethod<"Returns the extents of the split dimensions.",
      "::llvm::SmallVector<int64_t>", "getSplitExtents", (ins), "", [{
        return ::llvm::to_vector(
            ::llvm::cast<::mlir::ShapedType>($_op->getResult(0).getType()).getShape());
      }]>,
    InterfaceMethod<"Returns where each split dimension may be cut.",
      "::llvm::SmallVector<::gensyn::repro::Split>", "getSplits", (ins), "", [{
        return ::llvm::SmallVector<Split>($_op.getSplitExtents().size(), Split::free());
      }]>,
    InterfaceMethod<"Returns the tile of each operand that contains what a piece reads.",
      "::llvm::SmallVector<::gensyn::repro::Tile>", "getOperandTiles",
      (ins "::llvm::ArrayRef<::gensyn::repro::IndexRange>":$piece)>,
    InterfaceMethod<[{
      Builds a piece from the tiles of the operands. Returns its results, or nothing
      if no op computes it: partial results that are accumulators.
    }],
    "::llvm::SmallVector<::mlir::Value>", "buildPiece",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$tiles,
         "::llvm::ArrayRef<::gensyn::repro::IndexRange>":$piece)>,
    InterfaceMethod<[{
      Joins the results of all pieces along a split dimension that is not free, in
      the order of `getPieces`.
    }],
    "::mlir::Value", "buildJoin",
    (ins "::mlir::OpBuilder &":$builder, "unsigned":$dimension, "::mlir::ValueRange":$pieces),
    "", [{ llvm_unreachable("all dimensions are free"); }]>];
}

//===--------------------------------------------------------------------------===//
// Traits
//===--------------------------------------------------------------------------===//

class Repro_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::gensyn::repro";
}

// The result depends on each element of each operand. This also holds for every
// elementwise op (readsWholeOperands).
def Repro_ReadsWholeOperands : Repro_Trait<"ReadsWholeOperands">;

// In row-major order the elements of the result read those of the operand, if there is
// one, in their order, some of them repeatedly. This also holds for every elementwise op.
def Repro_KeepsElementOrder : Repro_Trait<"KeepsElementOrder">;

// A step of a plan, never part of a kernel: its operands and results are buffers.
def Repro_PlanStep : Repro_Trait<"PlanStep">;

// Adding s to an operand changes the result by s or by -s.
def Repro_Additive : Repro_Trait<"Additive">;

#endif
