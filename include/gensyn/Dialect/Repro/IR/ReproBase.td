//===- ReproBase.td - dialect, attributes, op classes ----------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROBASE_TD
#define GENSYN_DIALECT_REPRO_IR_REPROBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "gensyn/Dialect/Reference.td"
include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.td"

def Repro_Dialect : Dialect {
  let name = "repro";
  let cppNamespace = "::gensyn::repro";
  let summary = "Tensor ops with bit-exact semantics";
  let description = [{
    A closed set of ops over statically shaped tensors. Every op has the same
    result, to the last bit, on every target. docs/Numerics.md defines it in
    numbered rules; descriptions, verifiers and tests cite their labels. The order
    of a reduction is an attribute of the op. Tiles, threads and vectors belong to
    schedules, which are chosen later and cannot change a result.
  }];
  let dependentDialects = ["::gensyn::program::GensynDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Repro_Attr<string name, string attributeMnemonic, list<Trait> traits = []>
    : AttrDef<Repro_Dialect, name, traits> {
  let mnemonic = attributeMnemonic;
  list<Verified> constraints = ?;
}

def Repro_OrderAttr : Repro_Attr<"Order", "order"> {
  let summary = "Order of evaluation of a reduction";
  let description = [{
    One of:

    - `sequential`: one accumulator takes the points in ascending order (order_r1).
    - `lanes<L>`: L accumulators take every L-th point each; the accumulators are
      then combined in a binary tree (order_r2).
    - `blocked<B, inner, outer>`: each block of B consecutive points is reduced in
      the order `inner`, and the results of the blocks in the order `outer`
      (order_r3).
    - `exact`: the exact sum, rounded once; for sums and contractions (order_r4).

    ```mlir
    #repro.order<blocked<1024, lanes<32>, sequential>>
    ```
  }];
  let parameters = (ins StringRefParameter<"canonical spelling of the order">:$text);
  let constraints = [
    Verified<"order_r2", "L is a power of two from 2 to 1024.",
             "lanes<...>: expected a power of two from 2 to 1024", ["order_r2"]>,
    Verified<"order_r3", "B is at least 1.", "blocked<..., ...>: expected a block of at least 1", ["order_r3_block"]>,
    Verified<"order_r3", "At most 4 orders are nested.", "more than 4 levels of orders",
             ["order_r3_levels"]>,
    Verified<"order_r4", "`exact` is not part of another order.",
             "exact cannot be part of a blocked order: its blocks would be rounded", ["order_r4_nested"]>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static OrderAttr get(::mlir::MLIRContext *context, const ::gensyn::Order &order);
    ::gensyn::Order getOrder() const;
  }];
  let genVerifyDecl = 1;
}

def Repro_DomainAttr : Repro_Attr<"Domain", "domain"> {
  let summary = "Iteration space of a reduction";
  let description = [{
    `extents` are those of the iterators d0, d1, ..., outermost first; `reduced`
    lists the iterators that are reduced. The points of one result element are the
    tuples of the reduced iterators in lexicographic order. Ops verify the domain
    together with their maps (domain_c1 to domain_c5).

    ```mlir
    #repro.domain<[128, 3072, 768], reduce [2]>
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t", "extents of the iterators">:$extents,
                        OptionalArrayRefParameter<"int64_t", "reduced iterators, ascending">:$reduced);
  let constraints = [];
  let assemblyFormat = "`<` `[` (`]`) : ($extents^ `]`)? `,` `reduce` ` ` `[` (`]`) : ($reduced^ `]`)? `>`";
  let extraClassDeclaration = [{
    unsigned getRank() const { return getExtents().size(); }
    bool isReduced(unsigned iterator) const;
    /// The iterators that are not reduced, ascending.
    ::llvm::SmallVector<int64_t> getParallel() const;
    /// The product of the reduced extents.
    int64_t getNumPoints() const;
  }];
}

def Repro_Bound : I32EnumAttr<"Bound", "meaning of an out-of-range index", [
    I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Zero", 1, "zero">,
    I32EnumAttrCase<"Skip", 2, "skip">]> {
  let cppNamespace = "::gensyn::repro";
}

def Repro_CompareKind : I32EnumAttr<"CompareKind", "comparison predicate", [
    I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
    I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
    I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_CompareKindAttr : EnumAttr<Repro_Dialect, Repro_CompareKind, "compare_kind">;

def Repro_RoundKind : I32EnumAttr<"RoundKind", "rounding mode to an integral value", [
    I32EnumAttrCase<"Floor", 0, "floor">, I32EnumAttrCase<"Ceil", 1, "ceil">,
    I32EnumAttrCase<"Trunc", 2, "trunc">, I32EnumAttrCase<"Even", 3, "even">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_RoundKindAttr : EnumAttr<Repro_Dialect, Repro_RoundKind, "round_kind">;

def Repro_ReduceKind : I32EnumAttr<"ReduceKind", "combining operation of a reduction", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Product", 1, "product">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ReduceKindAttr : EnumAttr<Repro_Dialect, Repro_ReduceKind, "reduce_kind">;

def Repro_ArgKind : I32EnumAttr<"ArgKind", "extremum", [
    I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ArgKindAttr : EnumAttr<Repro_Dialect, Repro_ArgKind, "arg_kind">;

def Repro_ScaleRounding : I32EnumAttr<"ScaleRounding", "rounding mode to a power of two", [
    I32EnumAttrCase<"Nearest", 0, "nearest">, I32EnumAttrCase<"Up", 1, "up">,
    I32EnumAttrCase<"Down", 2, "down">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ScaleRoundingAttr : EnumAttr<Repro_Dialect, Repro_ScaleRounding, "scale_rounding">;

def Repro_IndexBound : I32EnumAttr<"IndexBound", "handling of an out-of-range index", [
    I32EnumAttrCase<"Fault", 0, "fault">, I32EnumAttrCase<"Zero", 1, "zero">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_IndexBoundAttr : EnumAttr<Repro_Dialect, Repro_IndexBound, "index_bound">;

def Repro_ScatterKind : I32EnumAttr<"ScatterKind", "combining operation of a scatter", [
    I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Max", 4, "max">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ScatterKindAttr : EnumAttr<Repro_Dialect, Repro_ScatterKind, "scatter_kind">;

def Repro_SortDirection : I32EnumAttr<"SortDirection", "sort direction", [
    I32EnumAttrCase<"Ascending", 0, "ascending">,
    I32EnumAttrCase<"Descending", 1, "descending">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_SortDirectionAttr : EnumAttr<Repro_Dialect, Repro_SortDirection, "sort_direction">;

def Repro_Exhaust : I32EnumAttr<"Exhaust", "behavior at the bound of a loop whose flag still holds", [
    I32EnumAttrCase<"Stop", 0, "stop">, I32EnumAttrCase<"Fault", 1, "fault">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ExhaustAttr : EnumAttr<Repro_Dialect, Repro_Exhaust, "exhaust">;

// Statically shaped, and bounded so that no product of extents overflows (g2;
// BoundedSizes.h). `text` spells the element types in the op reference, where they
// are too many to list.
class Repro_TensorOf<list<Type> allowed, string text = ""> : Type<
    And<[StaticShapeTensorOf<allowed>.predicate, CPred<"::gensyn::repro::hasBoundedSize($_self)">]>,
    StaticShapeTensorOf<allowed>.summary # ", of at most 2^40 elements", "::mlir::RankedTensorType"> {
  list<Type> elementTypes = allowed;
  string elementText = text;
}

// Elements that a plan can store (constant_c1, constant_c2; BoundedSizes.h).
def Repro_ConstantElements : ConfinedAttr<TypedAttrInterface, [
    AttrConstraint<CPred<"::gensyn::repro::hasBoundedElements($_self)">,
                   "dense or a resource of its size, of at most 2^29 bytes">]>;

// Element types (g1).
def Repro_Computed : AnyTypeOf<[F32, F64, I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def Repro_FloatTensor : Repro_TensorOf<[F32, F64]>;
def Repro_NumberTensor : Repro_TensorOf<[Repro_Computed], "f32, f64 or an integer of 8 to 64 bits">;
def Repro_SignedTensor : Repro_TensorOf<[F32, F64, I8, I16, I32, I64]>;
def Repro_BitsTensor : Repro_TensorOf<[I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64],
    "i1 or an integer of 8 to 64 bits">;
def Repro_IntegerTensor : Repro_TensorOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64],
    "an integer of 8 to 64 bits">;
def Repro_BoolTensor : Repro_TensorOf<[I1]>;
def Repro_IndexTensor : Repro_TensorOf<[I32, I64]>;
def Repro_Tensor : Repro_TensorOf<[F32, F64, F16, BF16, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64,
    F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU, F6E2M3FN, F6E3M2FN, F4E2M1FN,
    I<4>, UI<4>, I<2>, UI<2>], "any type of g1">;

// A float reduction without an order is accepted until the program is frozen.
class Repro_Ordered<string label, list<string> tests>
    : Verified<label, "In a frozen program a float sum or product has an order (`repro-verify-frozen`).",
               "has no order, so its bits are not defined", tests>;

// ElementOpInterface is attached by lib/Codegen/Emit.
class Repro_Op<string mnemonic, list<Trait> traits = []>
    : Op<Repro_Dialect, mnemonic, traits> {
  list<Verified> constraints = ?;
}

// A pure op of the closed set, with reference semantics, a derivative and a cost.
class Repro_PureOp<string mnemonic, list<Trait> traits = []>
    : Repro_Op<mnemonic, traits # [Pure,
        DeclareOpInterfaceMethods<Repro_ReferenceOpInterface>,
        DeclareOpInterfaceMethods<Repro_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<Repro_CostOpInterface>]>;

#endif
