//===- ReproElementwise.td - elementwise ops --------------------*- tablegen -*-===//
//
// Operands and result have one shape (elementwise_c1); broadcasting is an op.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROELEMENTWISE_TD
#define GENSYN_DIALECT_REPRO_IR_REPROELEMENTWISE_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

class Repro_OneShape<string mnemonic>
    : Verified<"elementwise_c1", "Operands and result have the same shape.",
               "all non-scalar operands/results must have the same shape and base type",
               ["elementwise_c1_" # mnemonic]>;
class Repro_OneType<string mnemonic>
    : Verified<"elementwise_c1", "Operands and result have the same element type.",
               "requires the same type for all operands and results", ["elementwise_c1_" # mnemonic # "_type"]>;
class Repro_ElementType<string mnemonic>
    : Verified<"elementwise_c2", "The element type is one of those listed for the operands.",
               "operand #... must be ...", ["elementwise_c2_" # mnemonic]>;

class Repro_UnaryOp<string mnemonic, Type type, string text, string meaning, list<Trait> traits = []>
    : Repro_PureOp<mnemonic, traits # [Elementwise, SameOperandsAndResultType]> {
  let summary = text;
  let description = meaning # "\n\n```mlir\n%y = repro." # mnemonic # " %x : " # !if(!eq(type, Repro_BitsTensor), "tensor<4xi32>", "tensor<4xf32>") # "\n```\n";
  let arguments = (ins Arg<type, "the operand">:$operand);
  let results = (outs Res<type, "the result">:$result);
  let constraints = [Repro_OneShape<"neg">, Repro_OneType<"neg">, Repro_ElementType<mnemonic>];
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Repro_BinaryOp<string mnemonic, Type type, string text, string meaning, list<Trait> traits = []>
    : Repro_PureOp<mnemonic, traits # [Elementwise, SameOperandsAndResultType]> {
  let summary = text;
  let description = meaning # "\n\n```mlir\n%y = repro." # mnemonic # " %a, %b : " # !if(!eq(type, Repro_FloatTensor), "tensor<4xf32>", "tensor<4xi32>") # "\n```\n";
  let arguments = (ins Arg<type, "the left operand">:$lhs, Arg<type, "the right operand">:$rhs);
  let results = (outs Res<type, "the result">:$result);
  let constraints = [Repro_OneShape<"add">, Repro_OneType<"add">, Repro_ElementType<mnemonic>];
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

// The description of a function that is correctly rounded in f32.
class Repro_Function<string special = ""> {
  string text = "Computes the f32 result correctly rounded (function_r1)" # special #
                ". f64 is for the reference interpreter only; other targets reject it.";
}

// The same for one that has an algorithm in f64.
class Repro_WideFunction<string rule> {
  string text = "Computes the f32 result correctly rounded (function_r1). The f64 result is that of the algorithm in " # rule # ".";
}

def Repro_AddOp : Repro_BinaryOp<"add", Repro_NumberTensor, "Addition",
    "Computes `lhs + rhs`. Float results are rounded once, to nearest even (g3); integers wrap (g6).", [Repro_Additive]>;
def Repro_SubOp : Repro_BinaryOp<"sub", Repro_NumberTensor, "Subtraction",
    "Computes `lhs - rhs`. Float results are rounded once, to nearest even (g3); integers wrap (g6).", [Repro_Additive]>;
def Repro_MulOp : Repro_BinaryOp<"mul", Repro_NumberTensor, "Multiplication",
    "Computes `lhs * rhs`. Float results are rounded once, to nearest even (g3); integers wrap (g6).">;
def Repro_DivOp : Repro_BinaryOp<"div", Repro_NumberTensor, "Division",
    "Computes `lhs / rhs`. Float quotients are rounded once, to nearest even (g3). Integer quotients are truncated; x / 0 is all ones and MIN / -1 is MIN (g6).">;
def Repro_RemOp : Repro_BinaryOp<"rem", Repro_NumberTensor, "Remainder of truncating division",
    "Computes the remainder of `lhs / rhs`, which is exact and has the sign of `lhs` (g3). For integers, x rem 0 is x (g6). For floats, inf rem b and a rem 0 are NaN.">;
def Repro_MinOp : Repro_BinaryOp<"min", Repro_NumberTensor, "Minimum",
    "Returns the smaller operand in the total order (g5): -0 is less than +0. If an operand is NaN, the result is the canonical NaN (g4).">;
def Repro_MaxOp : Repro_BinaryOp<"max", Repro_NumberTensor, "Maximum",
    "Returns the larger operand in the total order (g5): -0 is less than +0. If an operand is NaN, the result is the canonical NaN (g4).">;
def Repro_AndOp : Repro_BinaryOp<"and", Repro_BitsTensor, "Bitwise AND",
    "Computes the bitwise AND of the operands; of i1, the logical AND.">;
def Repro_OrOp : Repro_BinaryOp<"or", Repro_BitsTensor, "Bitwise OR",
    "Computes the bitwise OR of the operands; of i1, the logical OR.">;
def Repro_XorOp : Repro_BinaryOp<"xor", Repro_BitsTensor, "Bitwise XOR",
    "Computes the bitwise exclusive OR of the operands; of i1, the logical one.">;
def Repro_ShlOp : Repro_BinaryOp<"shl", Repro_IntegerTensor, "Left shift",
    "Shifts `lhs` left by `rhs` bits. The amount is read as unsigned; if it is at least the width, the result is 0.">;
def Repro_ShrOp : Repro_BinaryOp<"shr", Repro_IntegerTensor, "Right shift",
    "Shifts `lhs` right by `rhs` bits, arithmetically for signed types. The amount is read as unsigned; if it is at least the width, the result is 0, or all sign bits for signed types.">;
def Repro_PowOp : Repro_BinaryOp<"pow", Repro_FloatTensor, "Power",
    "Computes `lhs` to the power of `rhs`, correctly rounded in f32 (pow_r1). Special cases are those of C23: pow(x, 0) and pow(1, y) are 1 even if the other operand is NaN. f64 is for the reference interpreter only; other targets reject it.">;

def Repro_NegOp : Repro_UnaryOp<"neg", Repro_SignedTensor, "Negation",
    "Flips the sign bit of floats; a NaN becomes the canonical NaN (g4). Negates integers modulo 2^width, so the least one is its own negation (g6).", [Repro_Additive]>;
def Repro_AbsOp : Repro_UnaryOp<"abs", Repro_SignedTensor, "Absolute value",
    "Clears the sign bit of floats; a NaN becomes the canonical NaN (g4). The absolute value of the least integer is that integer (g6).">;
def Repro_SqrtOp : Repro_UnaryOp<"sqrt", Repro_FloatTensor, "Square root",
    "Computes the square root, correctly rounded (g3). sqrt(-0) is -0; the result for other negative numbers is NaN.">;
def Repro_ExpOp : Repro_UnaryOp<"exp", Repro_FloatTensor, "Exponential function", Repro_WideFunction<"function_r2">.text>;
def Repro_LogOp : Repro_UnaryOp<"log", Repro_FloatTensor, "Natural logarithm", Repro_WideFunction<"function_r2">.text>;
def Repro_Expm1Op : Repro_UnaryOp<"expm1", Repro_FloatTensor, "Exponential function minus one", Repro_WideFunction<"function_r3">.text>;
def Repro_Log1pOp : Repro_UnaryOp<"log1p", Repro_FloatTensor, "Natural logarithm of one plus the operand", Repro_WideFunction<"function_r3">.text>;
def Repro_SigmoidOp : Repro_UnaryOp<"sigmoid", Repro_FloatTensor, "Logistic function 1 / (1 + exp(-x))", Repro_WideFunction<"function_r3">.text>;
def Repro_ErfOp : Repro_UnaryOp<"erf", Repro_FloatTensor, "Error function", Repro_WideFunction<"function_r3">.text>;
def Repro_SinOp : Repro_UnaryOp<"sin", Repro_FloatTensor, "Sine",
    Repro_Function<", however large the argument is; an infinity gives NaN">.text>;
def Repro_CosOp : Repro_UnaryOp<"cos", Repro_FloatTensor, "Cosine",
    Repro_Function<", however large the argument is; an infinity gives NaN">.text>;
def Repro_TanOp : Repro_UnaryOp<"tan", Repro_FloatTensor, "Tangent",
    Repro_Function<", however large the argument is; an infinity gives NaN">.text>;
def Repro_AsinOp : Repro_UnaryOp<"asin", Repro_FloatTensor, "Inverse sine",
    Repro_Function<"; NaN outside [-1, 1]">.text>;
def Repro_AcosOp : Repro_UnaryOp<"acos", Repro_FloatTensor, "Inverse cosine",
    Repro_Function<"; NaN outside [-1, 1]">.text>;
def Repro_AtanOp : Repro_UnaryOp<"atan", Repro_FloatTensor, "Inverse tangent", Repro_Function<>.text>;
def Repro_SinhOp : Repro_UnaryOp<"sinh", Repro_FloatTensor, "Hyperbolic sine", Repro_Function<>.text>;
def Repro_CoshOp : Repro_UnaryOp<"cosh", Repro_FloatTensor, "Hyperbolic cosine", Repro_Function<>.text>;
def Repro_TanhOp : Repro_UnaryOp<"tanh", Repro_FloatTensor, "Hyperbolic tangent", Repro_WideFunction<"function_r3">.text>;
def Repro_AsinhOp : Repro_UnaryOp<"asinh", Repro_FloatTensor, "Inverse hyperbolic sine", Repro_Function<>.text>;
def Repro_AcoshOp : Repro_UnaryOp<"acosh", Repro_FloatTensor, "Inverse hyperbolic cosine",
    Repro_Function<"; NaN below 1">.text>;
def Repro_AtanhOp : Repro_UnaryOp<"atanh", Repro_FloatTensor, "Inverse hyperbolic tangent",
    Repro_Function<"; infinite at -1 and 1, NaN beyond">.text>;
def Repro_NotOp : Repro_UnaryOp<"not", Repro_BitsTensor, "Bitwise complement",
    "Computes the bitwise complement of the operand; of i1, the logical one.">;

def Repro_FmaOp : Repro_PureOp<"fma", [Elementwise, SameOperandsAndResultType]> {
  let summary = "Fused multiply-add";
  let description = [{
    Computes `a * b + c` with one rounding. It is the only fused op: no two other
    ops are ever contracted into one (g3).

    ```mlir
    %y = repro.fma %a, %b, %c : tensor<4xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_FloatTensor, "the first factor">:$a, Arg<Repro_FloatTensor, "the second factor">:$b,
                       Arg<Repro_FloatTensor, "the summand">:$c);
  let results = (outs Res<Repro_FloatTensor, "the result">:$result);
  let constraints = [Repro_OneShape<"fma">, Repro_OneType<"fma">, Repro_ElementType<"fma">];
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($result)";
}

def Repro_RoundOp : Repro_PureOp<"round", [Elementwise, SameOperandsAndResultType]> {
  let summary = "Round to an integral value";
  let description = [{
    Rounds to an integral value of the same type by `kind`: `floor`, `ceil`,
    `trunc` or `even` (to nearest, ties to even). A result of zero has the sign of
    the operand; a NaN becomes the canonical NaN (g4). The derivative is zero.

    ```mlir
    %y = repro.round floor %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_RoundKindAttr, "the rounding mode">:$kind,
                       Arg<Repro_FloatTensor, "the operand">:$operand);
  let results = (outs Res<Repro_FloatTensor, "the result">:$result);
  let constraints = [Repro_OneShape<"round">, Repro_OneType<"round">, Repro_ElementType<"round">];
  let assemblyFormat = "`` $kind $operand attr-dict `:` type($result)";
}

def Repro_CompareOp : Repro_PureOp<"compare", [Elementwise, SameTypeOperands, SameOperandsAndResultShape, InferTypeOpInterface]> {
  let summary = "Elementwise comparison";
  let description = [{
    Compares floats as IEEE 754 does: a NaN makes every predicate but `ne` false,
    and -0 equals +0. Integers compare by the signedness of their type (g1). The
    derivative is zero.

    ```mlir
    %p = repro.compare lt %a, %b : tensor<4xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_CompareKindAttr, "the comparison predicate">:$kind,
                       Arg<Repro_Tensor, "the left operand">:$lhs, Arg<Repro_Tensor, "the right operand">:$rhs);
  let results = (outs Res<Repro_BoolTensor, "the truth value of each comparison">:$result);
  let constraints = [
    Verified<"elementwise_c1", "Both operands have the same type.", "requires all operands to have the same type",
             ["elementwise_c1_compare_type"]>,
    Repro_OneShape<"compare">,
    Verified<"elementwise_c1", "The element type of the result is i1.", "result #0 must be ...",
             ["elementwise_c1_compare_result"]>];
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
  let summary = "Elementwise selection by a predicate";
  let description = [{
    Computes `predicate ? lhs : rhs` for each element. All bits of the selected
    element are kept, also those of a NaN (g4).

    ```mlir
    %y = repro.select %p, %a, %b : tensor<4xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_BoolTensor, "the predicate">:$predicate,
                       Arg<Repro_Tensor, "the value where the predicate holds">:$lhs,
                       Arg<Repro_Tensor, "the value elsewhere">:$rhs);
  let results = (outs Res<Repro_Tensor, "the selected elements">:$result);
  let constraints = [
    Verified<"elementwise_c1", "`lhs`, `rhs` and the result have the same type.",
             "failed to verify that all of {lhs, rhs, result} have same type", ["elementwise_c1_select_type"]>,
    Verified<"elementwise_c1", "The predicate has the shape of the result.",
             "failed to verify that the predicate has the result's shape", ["elementwise_c1_select_predicate"]>];
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$predicate, "::mlir::Value":$lhs, "::mlir::Value":$rhs)>];
}

def Repro_ConvertOp : Repro_PureOp<"convert", [Elementwise, SameOperandsAndResultShape]> {
  let summary = "Conversion to another element type";
  let description = [{
    Converts each element.

    - To a float: rounds once, to nearest even. A value out of range becomes Inf,
      or NaN where the type has no Inf, or the largest finite number with
      `saturate` (convert_r1).
    - Float to integer: truncates, saturates at the range, and maps NaN to 0.
      Integer to integer: wraps modulo 2^width. To i1: is true where the operand is
      not zero (convert_r2).
    - To f8E8M0FNU: rounds to a power of two by the mode `round` (convert_r3).

    A NaN becomes the canonical NaN of the result type (g4).

    ```mlir
    %y = repro.convert %x : tensor<4xi64> to tensor<4xf32>
    %z = repro.convert %y saturate : tensor<4xf32> to tensor<4xf8E4M3FN>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand,
                       Arg<UnitAttr, "clamp to the largest finite number of an 8-bit float">:$saturate,
                       Arg<OptionalAttr<Repro_ScaleRoundingAttr>, "rounding mode to a power of two">:$round);
  let results = (outs Res<Repro_Tensor, "the converted elements">:$result);
  let constraints = [
    Repro_OneShape<"convert">,
    Verified<"convert_c1", "With `saturate` the result is an 8-bit float.",
             "saturates to 8-bit floats only, not to ...", ["convert_c1"]>,
    Verified<"convert_c1", "With `round` the result is f8E8M0FNU.",
             "rounds by a kind to f8E8M0FNU only, not to ...", ["convert_c1_round"]>];
  let assemblyFormat = [{
    $operand (`saturate` $saturate^)? (`round` `` $round^)? attr-dict
    `:` type($operand) `to` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$operand)>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Repro_BitcastOp : Repro_PureOp<"bitcast", [Elementwise, SameOperandsAndResultShape]> {
  let summary = "Reinterpretation of the bits of each element";
  let description = [{
    Reinterprets the bits of each element as another type of the same width. All
    bits are kept, also those of a NaN (g4). The op has no derivative;
    differentiating it is an error.

    ```mlir
    %y = repro.bitcast %x : tensor<4xf32> to tensor<4xi32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand);
  let results = (outs Res<Repro_Tensor, "the same bits as another type">:$result);
  let constraints = [
    Repro_OneShape<"bitcast">,
    Verified<"bitcast_c1", "Both element types have the same width.",
             "from ... to ... changes the width", ["bitcast_c1"]>];
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif
