// reduce_r1: initial values and combining steps of reductions and scans.

#include "gensyn/Codegen/Emit/ReduceKinds.h"

#include "gensyn/Dialect/Repro/IR/ReduceKinds.h"

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
  return combine(scalar, kind, x, y);
}

} // namespace gensyn::emit
