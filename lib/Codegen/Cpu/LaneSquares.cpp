// See LaneSquares.h.

#include "LaneSquares.h"

#include "Common/CpuBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

bool SquareEmitter::isAlongRows(ArrayRef<Value> indices) {
  return step(indices.back(), square.firstRow) == 1 &&
         llvm::all_of(indices.drop_back(), [&](Value index) {
           return step(index, square.firstRow) == 0;
         });
}

Value SquareEmitter::loadStrided(VectorType type, Value buffer,
                                 ArrayRef<Value> indices,
                                 ArrayRef<int64_t> distances) {
  // Not where rows have branches of their own.
  if (builder.getInsertionBlock() != square.block)
    return WalkEmitter::loadStrided(type, buffer, indices, distances);
  if (row == 0) {
    SmallVector<Value> &vectors = square.loads.emplace_back();
    if (isAlongRows(indices)) {
      SmallVector<Value> columns;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        if (lane >= active) {
          columns.push_back(columns.front());
          continue;
        }
        auto column = vector::LoadOp::create(builder, location, type, buffer,
                                             moved(indices, distances, lane));
        markAccess(column);
        columns.push_back(column);
      }
      CpuBuilder code(builder, location, lanes, type.getElementType());
      vectors = transpose(code, columns);
    }
  }
  const SmallVector<Value> &vectors = square.loads[number++];
  return vectors.empty()
             ? WalkEmitter::loadStrided(type, buffer, indices, distances)
             : vectors[size_t(row)];
}

} // namespace gensyn::cpu
