// The combining step of each kind of reduction (reduce_r1): one description
// that the reference evaluates and lib/Codegen/Emit emits.

#ifndef GENSYN_DIALECT_REPRO_IR_REDUCEKINDS_H
#define GENSYN_DIALECT_REPRO_IR_REDUCEKINDS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/Support/ErrorHandling.h"

namespace gensyn::repro {

/// Combines x and y by the methods of an arithmetic: `add`, `mul`, `max`,
/// `min`, `bitAnd` and `bitOr`.
template <class Arithmetic, class Value>
Value combine(Arithmetic &&arithmetic, ReduceKind kind, Value x, Value y) {
  switch (kind) {
  case ReduceKind::Sum:
    return arithmetic.add(x, y);
  case ReduceKind::Product:
    return arithmetic.mul(x, y);
  case ReduceKind::Max:
    return arithmetic.max(x, y);
  case ReduceKind::Min:
    return arithmetic.min(x, y);
  case ReduceKind::And:
    return arithmetic.bitAnd(x, y);
  case ReduceKind::Or:
    return arithmetic.bitOr(x, y);
  }
  llvm_unreachable("all kinds are listed");
}

} // namespace gensyn::repro

#endif
