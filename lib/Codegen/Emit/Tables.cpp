// See Tables.h.

#include "gensyn/Codegen/Emit/Tables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace gensyn::emit {

/// Elements of a register: half of a table.
static constexpr int64_t kHalf = 8;

StringAttr findTablePermutation(OpBuilder &builder) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  while (parent && !isa<ModuleOp>(parent))
    parent = parent->getParentOp();
  return parent ? parent->getAttrOfType<StringAttr>(kTablePermutationAttr)
                : StringAttr();
}

bool canLookUp(int64_t lanes) { return lanes > 0 && lanes % kHalf == 0; }

Value lookUp(OpBuilder &builder, Location location, StringAttr permutation,
             ArrayRef<uint64_t> table, Value numbers) {
  auto type = cast<VectorType>(numbers.getType());
  auto part = VectorType::get({kHalf}, type.getElementType());
  auto half = [&](ArrayRef<uint64_t> values) -> Value {
    SmallVector<int64_t> bits(values.begin(), values.end());
    return arith::ConstantOp::create(
        builder, location,
        DenseElementsAttr::get(part, ArrayRef<int64_t>(bits)));
  };
  Value low = half(table.take_front(kHalf)),
        high = half(table.drop_front(kHalf));
  Value found =
      arith::ConstantOp::create(builder, location, builder.getZeroAttr(type));
  for (int64_t at = 0; at < type.getNumElements(); at += kHalf) {
    Value some = vector::ExtractStridedSliceOp::create(builder, location,
                                                       numbers, at, kHalf, 1);
    auto call = LLVM::CallIntrinsicOp::create(
        builder, location, part, permutation, ValueRange{low, some, high});
    found = vector::InsertStridedSliceOp::create(
        builder, location, call.getResult(0), found, at, 1);
  }
  return found;
}

} // namespace gensyn::emit
