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
include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.td"

def Repro_Dialect : Dialect {
  let name = "repro";
  let cppNamespace = "::gensyn::repro";
  let summary = "A closed set of tensor ops whose results are fixed to the last bit";
  let description = [{
    Every op has one meaning on every target; docs/Numerics.md states it in
    numbered rules, which the op descriptions, the verifiers and the tests name.
    Orders of reductions belong to the ops. Nothing here says how a result is
    computed: tiles, threads and vectors are schedules, chosen later.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Repro_Attr<string name, string attributeMnemonic, list<Trait> traits = []>
    : AttrDef<Repro_Dialect, name, traits> {
  let mnemonic = attributeMnemonic;
}

def Repro_OrderAttr : Repro_Attr<"Order", "order"> {
  let summary = "The order in which a reduction adds";
  let description = [{
    `sequential`: one accumulator, ascending points (order_r1).
    `lanes<L>`: L accumulators, then halves added (order_r2).
    `blocked<B, inner, outer>`: blocks of B points by `inner`, their results by
    `outer` (order_r3). `exact`: the true sum, rounded once, for sums and
    contractions (order_r4). `text` is the canonical spelling of one of them.

    ```mlir
    #repro.order<blocked<1024, lanes<32>, sequential>>
    ```
  }];
  let parameters = (ins StringRefParameter<"canonical spelling">:$text);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static OrderAttr get(::mlir::MLIRContext *context, const ::gensyn::Order &order);
    ::gensyn::Order getOrder() const;
  }];
  let genVerifyDecl = 1;
}

def Repro_DomainAttr : Repro_Attr<"Domain", "domain"> {
  let summary = "The iteration space of a reduction";
  let description = [{
    The extents of the iterators d0, d1, ... and which of them are reduced,
    outermost first. The points of one result element are the tuples of the
    reduced iterators in lexicographic order.

    ```mlir
    #repro.domain<[128, 3072, 768], reduce [2]>
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$extents,
                        OptionalArrayRefParameter<"int64_t">:$reduced);
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

def Repro_Bound : I32EnumAttr<"Bound", "what an out-of-range read means", [
    I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Zero", 1, "zero">,
    I32EnumAttrCase<"Skip", 2, "skip">]> {
  let cppNamespace = "::gensyn::repro";
}

def Repro_CompareKind : I32EnumAttr<"CompareKind", "comparison", [
    I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
    I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
    I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_CompareKindAttr : EnumAttr<Repro_Dialect, Repro_CompareKind, "compare_kind">;

def Repro_RoundKind : I32EnumAttr<"RoundKind", "rounding to an integral value", [
    I32EnumAttrCase<"Floor", 0, "floor">, I32EnumAttrCase<"Ceil", 1, "ceil">,
    I32EnumAttrCase<"Trunc", 2, "trunc">, I32EnumAttrCase<"Even", 3, "even">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_RoundKindAttr : EnumAttr<Repro_Dialect, Repro_RoundKind, "round_kind">;

def Repro_ReduceKind : I32EnumAttr<"ReduceKind", "what a reduction combines by", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Product", 1, "product">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ReduceKindAttr : EnumAttr<Repro_Dialect, Repro_ReduceKind, "reduce_kind">;

def Repro_ArgKind : I32EnumAttr<"ArgKind", "which point wins", [
    I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ArgKindAttr : EnumAttr<Repro_Dialect, Repro_ArgKind, "arg_kind">;

def Repro_ScaleRounding : I32EnumAttr<"ScaleRounding", "which power of two a scale becomes", [
    I32EnumAttrCase<"Nearest", 0, "nearest">, I32EnumAttrCase<"Up", 1, "up">,
    I32EnumAttrCase<"Down", 2, "down">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ScaleRoundingAttr : EnumAttr<Repro_Dialect, Repro_ScaleRounding, "scale_rounding">;

def Repro_IndexBound : I32EnumAttr<"IndexBound", "what an index out of range does", [
    I32EnumAttrCase<"Fault", 0, "fault">, I32EnumAttrCase<"Zero", 1, "zero">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_IndexBoundAttr : EnumAttr<Repro_Dialect, Repro_IndexBound, "index_bound">;

def Repro_ScatterKind : I32EnumAttr<"ScatterKind", "how an update meets an element", [
    I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Max", 4, "max">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ScatterKindAttr : EnumAttr<Repro_Dialect, Repro_ScatterKind, "scatter_kind">;

def Repro_SortDirection : I32EnumAttr<"SortDirection", "which end comes first", [
    I32EnumAttrCase<"Ascending", 0, "ascending">,
    I32EnumAttrCase<"Descending", 1, "descending">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_SortDirectionAttr : EnumAttr<Repro_Dialect, Repro_SortDirection, "sort_direction">;

def Repro_Exhaust : I32EnumAttr<"Exhaust", "what a loop does that still wants to go on at its bound", [
    I32EnumAttrCase<"Stop", 0, "stop">, I32EnumAttrCase<"Fault", 1, "fault">]> {
  let cppNamespace = "::gensyn::repro";
  let genSpecializedAttr = 0;
}
def Repro_ExhaustAttr : EnumAttr<Repro_Dialect, Repro_Exhaust, "exhaust">;

// Statically shaped, and bounded so that no product of extents overflows (g2;
// BoundedSizes.h).
class Repro_TensorOf<list<Type> allowed> : Type<
    And<[StaticShapeTensorOf<allowed>.predicate, CPred<"::gensyn::repro::hasBoundedSize($_self)">]>,
    StaticShapeTensorOf<allowed>.summary # ", of at most 2^40 elements", "::mlir::RankedTensorType">;

// Elements that can be written out (constant_c1, constant_c2; BoundedSizes.h).
def Repro_ConstantElements : ConfinedAttr<TypedAttrInterface, [
    AttrConstraint<CPred<"::gensyn::repro::hasBoundedElements($_self)">,
                   "dense or a resource of its size, of at most 2^29 bytes">]>;

// Element types (g1).
def Repro_Computed : AnyTypeOf<[F32, F64, I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def Repro_FloatTensor : Repro_TensorOf<[F32, F64]>;
def Repro_NumberTensor : Repro_TensorOf<[Repro_Computed]>;
def Repro_SignedTensor : Repro_TensorOf<[F32, F64, I8, I16, I32, I64]>;
def Repro_BitsTensor : Repro_TensorOf<[I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def Repro_IntegerTensor : Repro_TensorOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def Repro_BoolTensor : Repro_TensorOf<[I1]>;
def Repro_IndexTensor : Repro_TensorOf<[I32, I64]>;
def Repro_Tensor : Repro_TensorOf<[F32, F64, F16, BF16, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64,
    F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU, F6E2M3FN, F6E3M2FN, F4E2M1FN,
    I<4>, UI<4>, I<2>, UI<2>]>;

// ElementOpInterface is attached by lib/Codegen/Emit.
class Repro_Op<string mnemonic, list<Trait> traits = []>
    : Op<Repro_Dialect, mnemonic, traits>;

// A pure op of the closed set: evaluated, differentiated, costed.
class Repro_PureOp<string mnemonic, list<Trait> traits = []>
    : Repro_Op<mnemonic, traits # [Pure,
        DeclareOpInterfaceMethods<Repro_ReferenceOpInterface>,
        DeclareOpInterfaceMethods<Repro_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<Repro_CostOpInterface>]>;

#endif
