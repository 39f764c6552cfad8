// The operations of gensyn/Numerics/Scalar.h and Convert.h, as IR.

#ifndef GENSYN_CODEGEN_EMIT_SCALAR_H
#define GENSYN_CODEGEN_EMIT_SCALAR_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// Elementwise operations on elements of `type`, an element type of repro with
/// its signedness. Elements have the types of ElementEmitter, scalars or
/// vectors. Results of arithmetic are marked as computed, so the caller need
/// not.
class Scalar {
public:
  Scalar(repro::ElementEmitter &emitter, mlir::Type type)
      : emitter(emitter), builder(emitter.builder), location(emitter.location),
        type(type) {}

  // A function for each row, named after it.
#define GENSYN_UNARY(Stem, name, Types, Cost) mlir::Value name(mlir::Value a);
#define GENSYN_BINARY(Stem, name, Types, Cost)                                 \
  mlir::Value name(mlir::Value a, mlir::Value b);
#include "gensyn/Dialect/Repro/IR/Elementwise.def"

  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value round(mlir::Value a, repro::RoundKind kind);
  mlir::Value compare(mlir::Value a, mlir::Value b, repro::CompareKind kind);
  mlir::Value select(mlir::Value predicate, mlir::Value a, mlir::Value b);
  /// Converts to an element of type `to`; `how` applies to narrow floats.
  mlir::Value convert(mlir::Value a, mlir::Type to, Narrowing how = {});
  /// Returns a float, f32 or f64, with a canonical NaN, and never the operand
  /// itself, whose bits others may read.
  mlir::Value canonicalCopy(mlir::Value a);
  /// Reinterprets the bits as an element of type `to`, which has the same
  /// width.
  mlir::Value bitcast(mlir::Value a, mlir::Type to);

  /// Maps g5 to an integer that compares as signed (unsigned for unsigned
  /// types). A NaN wins: it maps to the greatest integer or, with `nanIsLeast`,
  /// to the least.
  mlir::Value orderKey(mlir::Value a, bool nanIsLeast);
  /// Returns the element of a key.
  mlir::Value fromOrderKey(mlir::Value key);

  /// Creates a constant with those bits, in the type and lanes of `like`.
  mlir::Value flipNegative(mlir::Value bits);
  mlir::Value constant(mlir::Value like, uint64_t bits);
  /// Creates a constant scalar element with the value, which must be exact in
  /// `type`.
  mlir::Value number(double value);
  /// Creates a constant scalar element with those bits.
  mlir::Value scalarBits(uint64_t bits);

private:
  bool isFloat() const { return llvm::isa<mlir::FloatType>(type); }
  /// True if the type is storage-only: values are bit patterns.
  bool isNarrow() const { return isStorageOnly(*repro::getElementType(type)); }
  bool isUnsigned() const {
    return type.isUnsignedInteger() || type.isInteger(1);
  }
  unsigned width() const { return type.getIntOrFloatBitWidth(); }

  /// An integer divisor. The machine's division is undefined by 0 and for
  /// MIN / -1, so it divides by `safe`, which is 1 there, and its result is
  /// dropped. `byMinus` is null where the type is unsigned.
  struct Divisor {
    mlir::Value safe, byZero, byMinus;
    mlir::Value zero, ones; ///< constants of the divisor's type
  };
  Divisor makeSafe(mlir::Value divisor);

  mlir::Value extreme(mlir::Value a, mlir::Value b, bool greater);
  mlir::Value fmod(mlir::Value a, mlir::Value b);
  /// Widens a bit pattern to an f32 or an 8-bit integer, exactly.
  mlir::Value widen(mlir::Value bits);
  /// The same of an integer, to one of `held` bits as the pattern has.
  mlir::Value widenIn(mlir::Value bits, unsigned held);
  /// Converts a bit pattern of few bits to an f32, or an integer to an i32, by
  /// a table; null for other types and where the machine or the vector has
  /// none.
  mlir::Value lookUpWord(mlir::Value bits, mlir::Type to);
  /// Returns the result type of `widen`.
  mlir::Type wideType() const;
  mlir::Value narrowTo(mlir::Value real, mlir::Type narrow, Narrowing how);
  mlir::Value toInteger(mlir::Value real, mlir::IntegerType to);
  mlir::Value oddDouble(mlir::Value integer);
  mlir::Value resize(mlir::Value integer, mlir::IntegerType to);
  mlir::Value choose(mlir::Value predicate, mlir::Value a, mlir::Value b);
  mlir::Value less(mlir::Value a, mlir::Value b);

  repro::ElementEmitter &emitter;
  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::Type type;
};

} // namespace gensyn::emit

#endif
