//===- ReproInterfaces.td - what a pass may ask of an op -------*- tablegen -*-===//
//
// Passes list no ops: they ask these interfaces. Adding an op to the closed set
// means implementing them, and nothing else.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_INTERFACES_TD
#define GENSYN_DIALECT_REPRO_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Repro_ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    The normative meaning of an op, as executable C++ over tensors. What it
    returns is right by definition; every target must give the same bits.
  }];
  let methods = [InterfaceMethod<[{
      Computes the results from the operands' values. Fails, after emitting an
      error on the op, only where the program itself is at fault.
    }],
    "::llvm::FailureOr<::llvm::SmallVector<::gensyn::Tensor>>", "evaluate",
    (ins "::llvm::ArrayRef<::gensyn::Tensor>":$operands)>];
}

def Repro_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    The vector-Jacobian product of an op, built from `repro` ops.
  }];
  let methods = [InterfaceMethod<[{
      `cotangents` has one value per result, null where nothing flows in.
      For every operand i with `needed[i]` the method may set `gradients[i]` to
      a value of the operand's type; a null means that no gradient flows.
      Fails, after emitting an error on the op, where the op has no derivative.
    }],
    "::llvm::LogicalResult", "buildVjp",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
         "::llvm::ArrayRef<bool>":$needed,
         "::llvm::MutableArrayRef<::mlir::Value>":$gradients)>];
}

def Repro_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    The baseline lowering of an op: one element of a result, computed on demand
    from elements of the operands. A fusion group is lowered by asking its
    yielded values for an element; what is asked of operands inside the group is
    computed in place, what is asked of the group's arguments is loaded.
    Implemented by external models, since emitting arithmetic is code
    generation and no business of the dialect.
  }];
  let methods = [InterfaceMethod<[{
      Emits the element of result `result` at `indices` (of type index) and
      returns it as a scalar of the element type; unsigned integers are signless.
    }],
    "::mlir::Value", "emitElement",
    (ins "::gensyn::repro::ElementEmitter &":$emitter, "unsigned":$result,
         "::llvm::ArrayRef<::mlir::Value>":$indices)>];
}

def Repro_ColumnOpInterface : OpInterface<"ColumnOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op whose elements are not computed one by one: a scan, a sort, a scatter.
    Its columns are independent of each other. Such an op ends a fusion group:
    its results are in memory.
  }];
  let methods = [InterfaceMethod<[{
      The extents of the column space, outermost first; empty for one column.
    }],
    "::llvm::SmallVector<int64_t>", "getColumns", (ins)>];
}

def Repro_ColumnModelInterface : OpInterface<"ColumnModelInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    The baseline lowering of a `ColumnOpInterface` op. Implemented by external
    models, as `ElementOpInterface` is.
  }];
  let methods = [InterfaceMethod<[{
      Emits the code that computes all elements of the column at `column` (one
      index per extent of `getColumns`). Operands are read by
      `emitter.element`; the op's results are the buffers `results`, which are
      written (and may be read back) through the emitter, and belong to this
      column alone as far as it writes them. Elements are scalars.
    }],
    "::llvm::LogicalResult", "emitColumn",
    (ins "::gensyn::repro::ElementEmitter &":$emitter,
         "::llvm::ArrayRef<::mlir::Value>":$column,
         "::mlir::ValueRange":$results)>];
}

def Repro_FaultOpInterface : OpInterface<"FaultOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op that can meet data it has no meaning for (g7). The program then has a
    slot of 64 bits for it, which takes the smallest position of a fault.
  }];
  let methods = [
    InterfaceMethod<"Whether any data makes this op fault.", "bool", "mayFault", (ins)>,
    InterfaceMethod<"What a fault of it means, for people: 'index out of range'.",
      "std::string", "describeFault", (ins)>,
    InterfaceMethod<[{
      Whether a fault is one of a single element, whose position says something.
    }], "bool", "faultsByElement", (ins), "", "return true;">];
}

def Repro_OrderedOpInterface : OpInterface<"OrderedOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op whose result depends on the order in which it combines its points.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether this op needs an order: float sums and products do, integer ones
      and extrema do not.
    }], "bool", "needsOrder", (ins)>,
    InterfaceMethod<[{ The order, or null where none is assigned. }],
      "::mlir::Attribute", "getAssignedOrder", (ins)>,
    InterfaceMethod<[{ Replaces the order. }],
      "void", "assignOrder", (ins "const ::gensyn::Order &":$order)>,
    InterfaceMethod<[{
      The order of the policy for what the user prefers: a function of the
      reduced extents only (g8), so that a sample's bits do not depend on the
      batch around it.
    }], "::gensyn::Order", "getDefaultOrder", (ins "::gensyn::Accuracy":$accuracy)>,
    InterfaceMethod<[{
      How many points an element combines; of a scan, its last element.
    }], "int64_t", "getOrderedPoints", (ins)>,
    InterfaceMethod<[{ How a point is folded in; error bounds ask it. }],
      "::gensyn::OrderedStep", "getOrderedStep", (ins)>,
  ];
}

def Repro_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{ How much work an op is; a choice of schedules asks it. }];
  let methods = [
    InterfaceMethod<[{
      Floating-point operations of one evaluation of the op: an fma is two, a
      correctly rounded function what lib/Numerics counts.
    }], "int64_t", "getFlops", (ins)>,
    InterfaceMethod<[{
      What an element of a result takes inside a kernel, beside its operands.
    }], "::gensyn::repro::ElementCost", "getElementCost", (ins)>];
}

def Repro_DomainOpInterface : OpInterface<"DomainOpInterface"> {
  let cppNamespace = "::gensyn::repro";
  let description = [{
    An op that combines the points of an iteration domain for each element of
    its result.
  }];
  let methods = [InterfaceMethod<"The extents of the iterators.",
    "::llvm::ArrayRef<int64_t>", "getIterationExtents", (ins),
    "return $_op.getDomain().getExtents();">];
}

//===--------------------------------------------------------------------------===//
// Traits
//===--------------------------------------------------------------------------===//

class Repro_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::gensyn::repro";
}

// The result has, or computes with, each element of each operand. So has that
// of every elementwise op (readsWholeOperands).
def Repro_ReadsWholeOperands : Repro_Trait<"ReadsWholeOperands">;

// A step of a plan, never a part of a kernel: what it reads and returns is in
// memory.
def Repro_PlanStep : Repro_Trait<"PlanStep">;

// In each operand, adding s changes the result by s or by -s.
def Repro_Additive : Repro_Trait<"Additive">;

#endif
