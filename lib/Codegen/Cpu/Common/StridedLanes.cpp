// See StridedLanes.h.

#include "StridedLanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

StridedLanes::StridedLanes(CpuBuilder &builder, const StoredTensor &stored,
                           int64_t gap, Value count)
    : code(builder), tensor(stored), stride(std::max<int64_t>(gap, 1)),
      mask(code.firstLanes(count)) {
  if (stride == 1)
    return;
  offsets = code.mul(code.iota(), code.splat32(stride));
  // A few vectors with gaps are faster than a scatter, which is slow on all
  // processors and a branch for each lane without AVX-512.
  if (stride > kMostStride)
    return;
  Value last = code.splat(code.truncate(count));
  for (StridedPart &part : partsOfStrided(code.lanes, stride)) {
    Value numbers = arith::ConstantOp::create(
        code.b, code.loc,
        DenseElementsAttr::get(code.indices, ArrayRef<int32_t>(part.lanes)));
    Value isStored = code.compare(arith::CmpIPredicate::slt, numbers, last);
    parts.emplace_back(std::move(part), isStored);
  }
}

Value StridedLanes::load(Value address) const {
  return stride == 1 ? tensor.load(address, mask)
                     : tensor.gather(tensor.at(address, offsets), mask);
}

void StridedLanes::store(Value value, Value address) const {
  if (stride == 1)
    return tensor.store(value, address, mask);
  if (parts.empty())
    return tensor.scatter(value, tensor.at(address, offsets), mask);
  for (const auto &[part, isStored] : parts)
    tensor.store(
        vector::ShuffleOp::create(code.b, code.loc, value, value, part.from),
        tensor.at(address, part.offset), isStored);
}

} // namespace gensyn::cpu
