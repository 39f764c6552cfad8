// scatter, column by column: each slice of the result has one owner, which
// walks the updates in their order (scatter_r1, scatter_r2).

#include "Columns.h"
#include "Indexed.h"
#include "Models.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {
namespace {

Value meetUpdate(Scalar &scalar, ScatterKind kind, Value old, Value update) {
  switch (kind) {
  case ScatterKind::Add:
    return scalar.add(old, update);
  case ScatterKind::Mul:
    return scalar.mul(old, update);
  case ScatterKind::Min:
    return scalar.min(old, update);
  case ScatterKind::Max:
    return scalar.max(old, update);
  case ScatterKind::Set:
    break;
  }
  return update;
}

/// The dimensions of `shape` that are not in `fixed`.
SmallVector<int64_t> extentsOfRest(ArrayRef<int64_t> shape,
                                   ArrayRef<Value> fixed) {
  SmallVector<int64_t> rest;
  for (auto [extent, value] : llvm::zip_equal(shape, fixed))
    if (!value)
      rest.push_back(extent);
  return rest;
}

/// `fixed` with `rest` where it has none.
SmallVector<Value> fillRest(ArrayRef<Value> fixed, ArrayRef<Value> rest) {
  SmallVector<Value> result(fixed);
  for (Value &value : result)
    if (!value) {
      value = rest.front();
      rest = rest.drop_front();
    }
  return result;
}

struct ScatterModel
    : ColumnModelInterface::ExternalModel<ScatterModel, ScatterOp> {
  LogicalResult emitColumn(Operation *op, ElementEmitter &emitter,
                           ArrayRef<Value> column, ValueRange results) const {
    auto scatter = cast<ScatterOp>(op);
    auto type = cast<RankedTensorType>(scatter.getType());
    ArrayRef<int64_t> shape = type.getShape();
    ArrayRef<int64_t> extents =
        cast<ShapedType>(scatter.getUpdates().getType()).getShape();
    SmallVector<Value> owned(shape.size()), fixed(extents.size());
    ColumnCode code(emitter);
    Value isUpdated;
    for (auto [pair, index] :
         llvm::zip_equal(getScatterColumns(scatter), column)) {
      fixed[pair.first] = owned[pair.second] = index;
      if (extents[pair.first] == shape[pair.second])
        continue;
      Value below = code.less(index, code.index(extents[pair.first]));
      isUpdated = isUpdated ? code.both(isUpdated, below) : below;
    }
    bool failed = false;
    code.nest(extentsOfRest(shape, owned), [&](ArrayRef<Value> rest) {
      SmallVector<Value> at = fillRest(owned, rest);
      if (Value value = emitter.element(scatter.getBase(), at))
        emitter.writeBuffer(value, results[0], at);
      else
        failed = true;
    });
    auto update = [&](ArrayRef<Value> rest) {
      SmallVector<Value> point = fillRest(fixed, rest);
      auto place = findPlace(emitter, scatter.getMaps(), scatter.getIndices(),
                             scatter.getResult(), extents, point);
      if (!place) {
        failed = true;
        return;
      }
      if (place->inside && scatter.mayFault())
        faultOutside(emitter, op, place->inside, extents, point);
      if (type.getNumElements() == 0)
        return;
      auto write = [&] {
        Value value = emitter.element(scatter.getUpdates(), point);
        if (!value) {
          failed = true;
          return;
        }
        if (scatter.getKind() != ScatterKind::Set) {
          Scalar scalar(emitter, type.getElementType());
          Value old = emitter.readBuffer(type.getElementType(), results[0],
                                         place->indices);
          value = meetUpdate(scalar, scatter.getKind(), old, value);
        }
        emitter.writeBuffer(value, results[0], place->indices);
      };
      if (place->inside)
        code.when(place->inside, write);
      else
        write();
    };
    auto updates = [&] { code.nest(extentsOfRest(extents, fixed), update); };
    if (isUpdated)
      code.when(isUpdated, updates);
    else
      updates();
    return success(!failed);
  }
};

} // namespace

void attachScatterModels(MLIRContext *context) {
  ScatterOp::attachInterface<ScatterModel>(*context);
}

} // namespace gensyn::emit
