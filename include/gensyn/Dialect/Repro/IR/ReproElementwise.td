//===- ReproElementwise.td - one element in, one element out ----*- tablegen -*-===//
//
// Operands and result have one shape (elementwise_c1); broadcasting is an op.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROELEMENTWISE_TD
#define GENSYN_DIALECT_REPRO_IR_REPROELEMENTWISE_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

class Repro_UnaryOp<string mnemonic, Type type, string text, string meaning, list<Trait> traits = []>
    : Repro_PureOp<mnemonic, traits # [Elementwise, SameOperandsAndResultType]> {
  let summary = text;
  let description = meaning # "\n\n```mlir\n%y = repro." # mnemonic # " %x : " # !if(!eq(type, Repro_BitsTensor), "tensor<4xi32>", "tensor<4xf32>") # "\n```\n";
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Repro_BinaryOp<string mnemonic, Type type, string text, string meaning, list<Trait> traits = []>
    : Repro_PureOp<mnemonic, traits # [Elementwise, SameOperandsAndResultType]> {
  let summary = text;
  let description = meaning # "\n\n```mlir\n%y = repro." # mnemonic # " %a, %b : " # !if(!eq(type, Repro_FloatTensor), "tensor<4xf32>", "tensor<4xi32>") # "\n```\n";
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Repro_AddOp : Repro_BinaryOp<"add", Repro_NumberTensor, "Sum",
    "Floats: one rounding to nearest even (g3). Integers wrap (g6).", [Repro_Additive]>;
def Repro_SubOp : Repro_BinaryOp<"sub", Repro_NumberTensor, "Difference",
    "Floats: one rounding to nearest even (g3). Integers wrap (g6).", [Repro_Additive]>;
def Repro_MulOp : Repro_BinaryOp<"mul", Repro_NumberTensor, "Product",
    "Floats: one rounding to nearest even (g3). Integers wrap (g6).">;
def Repro_DivOp : Repro_BinaryOp<"div", Repro_NumberTensor, "Quotient",
    "Floats: one rounding (g3). Integers truncate; x / 0 is all ones, MIN / -1 is MIN (g6).">;
def Repro_RemOp : Repro_BinaryOp<"rem", Repro_NumberTensor, "Remainder of the truncated quotient",
    "Exact, with the sign of the dividend. Integers: x rem 0 is x (g6). Floats: inf rem b and a rem 0 are NaN.">;
def Repro_MinOp : Repro_BinaryOp<"min", Repro_NumberTensor, "Smaller operand",
    "Total order (g5): -0 is below +0, a NaN operand gives the canonical NaN.">;
def Repro_MaxOp : Repro_BinaryOp<"max", Repro_NumberTensor, "Larger operand",
    "Total order (g5): -0 is below +0, a NaN operand gives the canonical NaN.">;
def Repro_AndOp : Repro_BinaryOp<"and", Repro_BitsTensor, "Bitwise and",
    "On i1 logical.">;
def Repro_OrOp : Repro_BinaryOp<"or", Repro_BitsTensor, "Bitwise or",
    "On i1 logical.">;
def Repro_XorOp : Repro_BinaryOp<"xor", Repro_BitsTensor, "Bitwise exclusive or",
    "On i1 logical.">;
def Repro_ShlOp : Repro_BinaryOp<"shl", Repro_IntegerTensor, "Shift left",
    "The amount is read as unsigned; a width or more gives 0.">;
def Repro_ShrOp : Repro_BinaryOp<"shr", Repro_IntegerTensor, "Shift right",
    "The amount is read as unsigned; a width or more gives 0, or all sign bits for signed types.">;

def Repro_NegOp : Repro_UnaryOp<"neg", Repro_SignedTensor, "Negation",
    "Flips the sign bit; a NaN becomes canonical (g4). The least integer stays (g6).", [Repro_Additive]>;
def Repro_AbsOp : Repro_UnaryOp<"abs", Repro_SignedTensor, "Magnitude",
    "Clears the sign bit; a NaN becomes canonical (g4). The least integer stays (g6).">;
def Repro_SqrtOp : Repro_UnaryOp<"sqrt", Repro_FloatTensor, "Square root",
    "Correctly rounded; sqrt(-0) is -0, below 0 it is NaN.">;
def Repro_ExpOp : Repro_UnaryOp<"exp", Repro_FloatTensor, "Exponential",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_Expm1Op : Repro_UnaryOp<"expm1", Repro_FloatTensor, "Exponential minus one",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_LogOp : Repro_UnaryOp<"log", Repro_FloatTensor, "Natural logarithm",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_Log1pOp : Repro_UnaryOp<"log1p", Repro_FloatTensor, "Logarithm of one plus the operand",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_TanhOp : Repro_UnaryOp<"tanh", Repro_FloatTensor, "Hyperbolic tangent",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_SigmoidOp : Repro_UnaryOp<"sigmoid", Repro_FloatTensor, "1 / (1 + exp(-x))",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_ErfOp : Repro_UnaryOp<"erf", Repro_FloatTensor, "Error function",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_SinOp : Repro_UnaryOp<"sin", Repro_FloatTensor, "Sine",
    "Correctly rounded f32 for every argument; of an infinity it is NaN. f64 on the reference only.">;
def Repro_CosOp : Repro_UnaryOp<"cos", Repro_FloatTensor, "Cosine",
    "Correctly rounded f32 for every argument; of an infinity it is NaN. f64 on the reference only.">;
def Repro_TanOp : Repro_UnaryOp<"tan", Repro_FloatTensor, "Tangent",
    "Correctly rounded f32 for every argument; of an infinity it is NaN. f64 on the reference only.">;
def Repro_AsinOp : Repro_UnaryOp<"asin", Repro_FloatTensor, "Inverse sine",
    "Correctly rounded f32; NaN beyond 1. f64 on the reference only.">;
def Repro_AcosOp : Repro_UnaryOp<"acos", Repro_FloatTensor, "Inverse cosine",
    "Correctly rounded f32; NaN beyond 1. f64 on the reference only.">;
def Repro_AtanOp : Repro_UnaryOp<"atan", Repro_FloatTensor, "Inverse tangent",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_SinhOp : Repro_UnaryOp<"sinh", Repro_FloatTensor, "Hyperbolic sine",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_CoshOp : Repro_UnaryOp<"cosh", Repro_FloatTensor, "Hyperbolic cosine",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_AsinhOp : Repro_UnaryOp<"asinh", Repro_FloatTensor, "Inverse hyperbolic sine",
    "Correctly rounded f32; f64 on the reference only.">;
def Repro_AcoshOp : Repro_UnaryOp<"acosh", Repro_FloatTensor, "Inverse hyperbolic cosine",
    "Correctly rounded f32; NaN below 1. f64 on the reference only.">;
def Repro_AtanhOp : Repro_UnaryOp<"atanh", Repro_FloatTensor, "Inverse hyperbolic tangent",
    "Correctly rounded f32; NaN beyond 1, infinite at 1. f64 on the reference only.">;
def Repro_PowOp : Repro_BinaryOp<"pow", Repro_FloatTensor, "Power",
    "Correctly rounded f32, special cases as in C23: pow(x, 0) and pow(1, y) are 1 even for NaN. f64 on the reference only.">;
def Repro_NotOp : Repro_UnaryOp<"not", Repro_BitsTensor, "Bitwise complement",
    "On i1 logical.">;

def Repro_FmaOp : Repro_PureOp<"fma", [Elementwise, SameOperandsAndResultType]> {
  let summary = "a * b + c with one rounding";
  let description = [{
    The only fused op: nothing else is ever contracted (g3).

    ```mlir
    %y = repro.fma %a, %b, %c : tensor<4xf32>
    ```
  }];
  let arguments = (ins Repro_FloatTensor:$a, Repro_FloatTensor:$b, Repro_FloatTensor:$c);
  let results = (outs Repro_FloatTensor:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($result)";
}

def Repro_RoundOp : Repro_PureOp<"round", [Elementwise, SameOperandsAndResultType]> {
  let summary = "Round to an integral value";
  let description = [{
    `floor`, `ceil`, `trunc` or `even` (to nearest, ties to even). Keeps -0, and
    the sign where the result is zero. No gradient flows.

    ```mlir
    %y = repro.round floor %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Repro_RoundKindAttr:$kind, Repro_FloatTensor:$operand);
  let results = (outs Repro_FloatTensor:$result);
  let assemblyFormat = "`` $kind $operand attr-dict `:` type($result)";
}

def Repro_CompareOp : Repro_PureOp<"compare", [Elementwise, SameTypeOperands, SameOperandsAndResultShape, InferTypeOpInterface]> {
  let summary = "Compare two operands";
  let description = [{
    IEEE comparison: a NaN makes all but `ne` false, -0 equals +0. Signedness is
    the operand type's. No gradient flows.

    ```mlir
    %p = repro.compare lt %a, %b : tensor<4xf32>
    ```
  }];
  let arguments = (ins Repro_CompareKindAttr:$kind, Repro_Tensor:$lhs, Repro_Tensor:$rhs);
  let results = (outs Repro_BoolTensor:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` type($lhs)";
  let extraClassDeclaration = [{
    static ::llvm::LogicalResult inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location>,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &types);
  }];
}

def Repro_SelectOp : Repro_PureOp<"select", [Elementwise, SameOperandsAndResultShape,
    AllTypesMatch<["lhs", "rhs", "result"]>,
    TypesMatchWith<"the predicate has the result's shape", "result", "predicate",
      "::llvm::cast<::mlir::RankedTensorType>($_self).clone(::mlir::IntegerType::get($_self.getContext(), 1))">]> {
  let summary = "Elementwise choice by a predicate";
  let description = [{
    `predicate ? lhs : rhs`, element by element; keeps bits (g4).

    ```mlir
    %y = repro.select %p, %a, %b : tensor<4xf32>
    ```
  }];
  let arguments = (ins Repro_BoolTensor:$predicate, Repro_Tensor:$lhs, Repro_Tensor:$rhs);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$predicate, "::mlir::Value":$lhs, "::mlir::Value":$rhs)>];
}

def Repro_ConvertOp : Repro_PureOp<"convert", [Elementwise, SameOperandsAndResultShape]> {
  let summary = "Change the element type";
  let description = [{
    Float to narrower float: nearest even; over the range Inf, or NaN where the
    type has none, or the largest finite number with `saturate` (convert_r1,
    convert_c1). Float to integer: truncated, saturated, NaN to 0; integer to
    integer modulo 2^n; to i1: not zero (convert_r2). To f8E8M0FNU: a power of
    two, chosen by `round` (convert_r3). A NaN becomes the result type's
    canonical one (g4).

    ```mlir
    %y = repro.convert %x : tensor<4xi64> to tensor<4xf32>
    %z = repro.convert %y saturate : tensor<4xf32> to tensor<4xf8E4M3FN>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand, UnitAttr:$saturate,
                       OptionalAttr<Repro_ScaleRoundingAttr>:$round);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = [{
    $operand (`saturate` $saturate^)? (`round` `` $round^)? attr-dict
    `:` type($operand) `to` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$operand)>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Repro_BitcastOp : Repro_PureOp<"bitcast", [Elementwise, SameOperandsAndResultShape]> {
  let summary = "The same bits under another element type";
  let description = [{
    The element types have one width (bitcast_c1); all bits are kept, those of
    NaNs too (g4). It has no derivative: asking for one is an error.

    ```mlir
    %y = repro.bitcast %x : tensor<4xf32> to tensor<4xi32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif
