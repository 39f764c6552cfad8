// See LaneMask.h.

#include "LaneMask.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gensyn::cpu {

Value firstLanes(OpBuilder &builder, Location location, int64_t active,
                 int64_t lanes) {
  SmallVector<bool> bits(static_cast<size_t>(lanes), false);
  std::fill_n(bits.begin(), active, true);
  return arith::ConstantOp::create(
      builder, location,
      DenseElementsAttr::get(VectorType::get({lanes}, builder.getI1Type()),
                             ArrayRef<bool>(bits)));
}

} // namespace gensyn::cpu
