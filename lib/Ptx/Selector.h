// How the decoder asks the lane code for the handler of an instruction.

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
  Sad,
  AddCarry, ///< `detail`: 1 reads the carry, 2 writes it
  SubCarry,
  MadLoCarry,
  MadHiCarry,
  Dot4, ///< `detail`: 1 first operand signed, 2 second operand signed
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
  LoadParameter
};

enum class Rounding : uint8_t { None, Rn, Rz, Rm, Rp, Rni, Rzi, Rmi, Rpi };

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

/// What an instruction does, as far as it chooses the handler.
struct Selector {
  Op op;
  Type type = Type::None;   ///< of the operation; of the result for `Convert`
  Type source = Type::None; ///< of the operand, where it differs
  Rounding round = Rounding::None;
  Compare compare = Compare::Eq;
  bool saturate = false;
  unsigned registerBytes = 0; ///< of the registers of a load or a store
};

/// The handler, or null where the machine lacks the instruction. Each set runs
/// on the processors it is named after; `select` takes the widest one that this
/// processor has.
Handler select(const Selector &selector);

namespace lanes_base {
Handler select(const Selector &selector);
}
namespace lanes_avx2 {
Handler select(const Selector &selector);
}
namespace lanes_avx512 {
Handler select(const Selector &selector);
}

} // namespace gensyn::ptx

#endif // GENSYN_PTX_SELECTOR_H
