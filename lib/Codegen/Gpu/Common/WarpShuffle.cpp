// See WarpShuffle.h.

#include "WarpShuffle.h"

using namespace mlir;

namespace gensyn::gpu {

Value emitShuffle(KernelBuilder &b, Value value, Value lane, Value clamp,
                  NVVM::ShflKind kind) {
  const Type type = value.getType();
  const unsigned width = type.getIntOrFloatBitWidth();
  Type bits = b.b.getIntegerType(width), i32 = b.b.getI32Type(),
       i64 = b.b.getI64Type();
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(b.b, b.loc, i32, b.constant(-1), word, lane,
                                clamp, kind, UnitAttr());
  };
  if (type != bits)
    value = arith::BitcastOp::create(b.b, b.loc, bits, value);
  if (width < 32) {
    value = arith::ExtUIOp::create(b.b, b.loc, i32, value);
    value = arith::TruncIOp::create(b.b, b.loc, bits, exchange(value));
  } else if (width == 32) {
    value = exchange(value);
  } else {
    Value shift = arith::ConstantIntOp::create(b.b, b.loc, i64, 32);
    auto half = [&](Value wide) -> Value {
      wide = exchange(arith::TruncIOp::create(b.b, b.loc, i32, wide));
      return arith::ExtUIOp::create(b.b, b.loc, i64, wide);
    };
    Value low = half(value);
    Value high = arith::ShRUIOp::create(b.b, b.loc, value, shift);
    high = arith::ShLIOp::create(b.b, b.loc, half(high), shift);
    value = arith::OrIOp::create(b.b, b.loc, low, high);
  }
  return type == bits ? value
                      : arith::BitcastOp::create(b.b, b.loc, type, value);
}

} // namespace gensyn::gpu
