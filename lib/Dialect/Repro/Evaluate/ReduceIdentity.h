// reduce_r1: the initial values and combining steps of reductions and scans.

#ifndef GENSYN_LIB_DIALECT_REPRO_EVALUATE_REDUCEIDENTITY_H
#define GENSYN_LIB_DIALECT_REPRO_EVALUATE_REDUCEIDENTITY_H

#include "gensyn/Dialect/Repro/IR/ReduceKinds.h"
#include "gensyn/Numerics/Scalar.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>
#include <type_traits>

namespace gensyn::repro {

/// The value of a reduction of no points, for elements held as T.
template <class T> T reduceIdentity(ReduceKind kind) {
  constexpr bool isFloat = scalar::Float<T>;
  using Limits = std::numeric_limits<T>;
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Or:
    return T(0);
  case ReduceKind::Product:
    return T(1);
  case ReduceKind::Max:
    return isFloat ? T(-Limits::infinity()) : Limits::lowest();
  case ReduceKind::Min:
    return isFloat ? Limits::infinity() : Limits::max();
  case ReduceKind::And:
    return std::is_same_v<T, bool> ? T(1) : T(-1);
  }
  llvm_unreachable("all kinds are listed");
}

/// The arithmetic of lib/Numerics for `combine`. Verifiers exclude the kinds
/// that an element type does not have (reduce_c3, scan_c1).
template <class T> struct NativeArithmetic {
  static T add(T x, T y) {
    if constexpr (scalar::Number<T>)
      return scalar::add(x, y);
    return absent();
  }
  static T mul(T x, T y) {
    if constexpr (scalar::Number<T>)
      return scalar::mul(x, y);
    return absent();
  }
  static T max(T x, T y) {
    if constexpr (scalar::Number<T>)
      return scalar::max(x, y);
    return absent();
  }
  static T min(T x, T y) {
    if constexpr (scalar::Number<T>)
      return scalar::min(x, y);
    return absent();
  }
  static T bitAnd(T x, T y) {
    if constexpr (std::integral<T>)
      return scalar::bitAnd(x, y);
    return absent();
  }
  static T bitOr(T x, T y) {
    if constexpr (std::integral<T>)
      return scalar::bitOr(x, y);
    return absent();
  }

private:
  [[noreturn]] static T absent() {
    llvm_unreachable("verifiers refuse the kind for this element type");
  }
};

} // namespace gensyn::repro

#endif
