// See StridedVectors.h.

#include "StridedVectors.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

Value loadStrided(OpBuilder &builder, Location location, VectorType type,
                  int64_t stride, LoadPart load) {
  const int64_t lanes = type.getNumElements(), last = (lanes - 1) * stride;
  Value result;
  int64_t filled = 0; // lanes of the result that earlier vectors have
  for (int64_t part = 0; part < stride; ++part) {
    const int64_t offset = std::min(part * lanes, last + 1 - lanes);
    Value vector = load(offset);
    SmallVector<int64_t> from(size_t(lanes), 0);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      const int64_t element = lane * stride - offset;
      if (lane < filled) // the first vector's lanes are not in place yet
        from[size_t(lane)] = part == 1 ? lane * stride : lane;
      else if (element < lanes)
        from[size_t(lane)] = lanes + element;
    }
    while (filled < lanes && filled * stride - offset < lanes)
      ++filled;
    result = part == 0 ? vector
                       : vector::ShuffleOp::create(builder, location, result,
                                                   vector, from)
                             .getResult();
  }
  return result;
}

SmallVector<StridedPart> partsOfStrided(int64_t lanes, int64_t stride) {
  SmallVector<StridedPart> parts;
  for (int64_t offset = 0; offset < stride * lanes; offset += lanes) {
    StridedPart &part = parts.emplace_back();
    part.offset = offset;
    for (int64_t i = offset; i < offset + lanes; ++i) {
      part.from.push_back(i / stride);
      part.lanes.push_back(int32_t(i % stride == 0 ? i / stride : lanes));
    }
  }
  return parts;
}

void storeStrided(OpBuilder &builder, Location location, Value value,
                  int64_t stride, int64_t count, StorePart store) {
  const int64_t lanes = cast<VectorType>(value.getType()).getNumElements();
  for (const StridedPart &part : partsOfStrided(lanes, stride)) {
    SmallVector<bool> mask;
    for (int32_t lane : part.lanes)
      mask.push_back(lane < std::min(count, lanes));
    if (llvm::is_contained(mask, true))
      store(
          vector::ShuffleOp::create(builder, location, value, value, part.from),
          part.offset, mask);
  }
}

} // namespace gensyn::cpu
