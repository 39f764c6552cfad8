// Selects the lane code's handler of an instruction, for the decoder.

#ifndef GENSYN_PTX_SELECTOR_H
#define GENSYN_PTX_SELECTOR_H

#include "Machine.h"
#include "gensyn/Ptx/Syntax.h"

namespace gensyn::ptx {

enum class Op : uint8_t {
  // Integers
  Add,
  Sub,
  MulLo,
  MulHi,
  MulWide,
  MadLo,
  MadHi,
  MadWide,
  Div,
  Rem,
  Abs,
  Neg,
  Min,
  Max,
  Relu, ///< of i32: 0 for a negative number
  Sad,
  AddCarry, ///< `detail`: 1 reads the carry, 2 writes it
  SubCarry,
  MadLoCarry,
  MadHiCarry,
  Dot4,    ///< of bytes; the types of the operands are `type` and `source`
  Dot2,    ///< of the upper (`detail` 1) or lower 16-bit halves with two bytes
  MulLo24, ///< of the low 24 bits of the operands
  MulHi24,
  MadLo24,
  MadHi24,
  Slct, ///< the first operand if the third is not negative, else the second
  // Bits
  And,
  Or,
  Xor,
  Not,
  LogicalNot,
  Shl,
  Shr,
  FunnelLeft, ///< `detail`: 1 wraps the amount
  FunnelRight,
  Popc,
  Clz,
  Brev,
  Bfind, ///< `detail`: 1 gives the shift amount
  Bfe,
  Bfi,
  Prmt, ///< `detail`: mode
  Lop3, ///< `immediate`: the table
  // Predicates
  PredicateAnd,
  PredicateOr,
  PredicateXor,
  PredicateNot,
  PredicateMove,
  // Floats
  FloatAdd,
  FloatSub,
  FloatMul,
  FloatFma,
  FloatDiv,
  FloatSqrt,
  FloatRcp,
  FloatNeg,
  FloatAbs,
  FloatMin, ///< the other operand if one is NaN
  FloatMax,
  FloatMinNan, ///< NaN if one is
  FloatMaxNan,
  FloatSaturate, ///< the effect of .sat on a result
  FloatRelu,
  Copysign,
  Testp, ///< `detail`: a `FloatClass`
  // Comparisons
  Setp, ///< `detail`: a `Combine`
  Set,
  Selp,
  // Moves
  Move,
  Low,        ///< 64 to 32 bits
  ZeroExtend, ///< 32 to 64 bits
  Pack,       ///< list of words to one value
  Unpack,
  Convert,
  // Memory
  Load,
  Store,
  LoadParameter,
  // Matrices
  Mma ///< types of A and B: `type`, `source`; `detail`: 1 16 rows, 2 k of 32
};

enum class Rounding : uint8_t {
  None,
  Rn, ///< to nearest, ties to even
  Rz,
  Rm,
  Rp,
  Rna, ///< to nearest, ties away from zero
  Rni, ///< to integers
  Rzi,
  Rmi,
  Rpi
};

enum class Compare : uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};

enum class Combine : uint8_t { None, And, Or, Xor };

enum class FloatClass : uint8_t {
  Finite,
  Infinite,
  Number,
  NotANumber,
  Normal,
  Subnormal
};

enum class SpecialRegister : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NWarpId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  DynamicSharedBytes,
  TotalSharedBytes
};

/// The properties of an instruction that choose its handler.
struct Selector {
  Op op;
  Type type = Type::None;   ///< of the operation; of the result for `Convert`
  Type source = Type::None; ///< of the operand, if it differs
  Rounding round = Rounding::None;
  Compare compare = Compare::Eq;
  bool saturate = false;
  unsigned registerBytes = 0; ///< of the registers of a load or a store
};

/// True for directed roundings: neither to nearest nor to an integer.
inline constexpr bool isDirected(Rounding rounding) {
  return rounding == Rounding::Rz || rounding == Rounding::Rm ||
         rounding == Rounding::Rp || rounding == Rounding::Rna;
}

/// The handlers of rare instructions: directed roundings of arithmetic and of
/// conversions, tf32 and the floats of 8 bits. They take the lanes one by one
/// and are the same on all processors.
Handler selectDirected(const Selector &selector);
/// The two operands of a conversion become a pair; `type` is the pair's,
/// `source` Type::F32, or Type::F16x2 for one operand that is a pair.
Handler selectDirectedConvert(const Selector &selector);

/// The handler, or null if the machine lacks the instruction. Each set runs on
/// the processors it is named after; `select` takes the widest one that this
/// processor supports.
Handler select(const Selector &selector);

namespace lanes_base {
Handler select(const Selector &selector);
} // namespace lanes_base
namespace lanes_avx2 {
Handler select(const Selector &selector);
} // namespace lanes_avx2
namespace lanes_avx512 {
Handler select(const Selector &selector);
} // namespace lanes_avx512

} // namespace gensyn::ptx

#endif // GENSYN_PTX_SELECTOR_H
