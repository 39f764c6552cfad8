// reduce_r1: where reductions and scans start.

#ifndef GENSYN_LIB_DIALECT_REPRO_IR_REDUCEIDENTITY_H
#define GENSYN_LIB_DIALECT_REPRO_IR_REDUCEIDENTITY_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
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

} // namespace gensyn::repro

#endif
