// reduce_r1: where a kind starts and how it joins, for reductions and scans.

#include "gensyn/Codegen/Emit/ReduceKinds.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {

Value emitIdentity(Scalar &scalar, ReduceKind kind, Type type) {
  const bool isFloat = isa<FloatType>(type);
  const unsigned width = type.getIntOrFloatBitWidth();
  const bool isUnsigned = type.isUnsignedInteger() || width == 1;
  const uint64_t most = ~0ull >> (64 - width + (isUnsigned ? 0 : 1));
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Or:
    return scalar.number(0);
  case ReduceKind::Product:
    return scalar.number(1);
  case ReduceKind::And:
    return scalar.scalarBits(~0ull);
  case ReduceKind::Max:
    return isFloat ? scalar.number(-__builtin_inf())
                   : scalar.scalarBits(isUnsigned ? 0 : most + 1);
  case ReduceKind::Min:
    return isFloat ? scalar.number(__builtin_inf()) : scalar.scalarBits(most);
  }
  return {};
}

Value emitCombine(Scalar &scalar, ReduceKind kind, Value x, Value y) {
  switch (kind) {
  case ReduceKind::Sum:
    return scalar.add(x, y);
  case ReduceKind::Product:
    return scalar.mul(x, y);
  case ReduceKind::Max:
    return scalar.max(x, y);
  case ReduceKind::Min:
    return scalar.min(x, y);
  case ReduceKind::And:
    return scalar.bitAnd(x, y);
  case ReduceKind::Or:
    return scalar.bitOr(x, y);
  }
  return {};
}

} // namespace gensyn::emit
