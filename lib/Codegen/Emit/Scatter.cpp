// Emits scatter, column by column: each slice of the result has one owner,
// which applies the updates in their order (scatter_r1, scatter_r2).

#include "Columns.h"
#include "Indexed.h"
#include "Models.h"
#include "gensyn/Codegen/Emit/ScatterRows.h"

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

/// Returns the dimensions of `shape` that are not in `fixed`.
SmallVector<int64_t> extentsOfRest(ArrayRef<int64_t> shape,
                                   ArrayRef<Value> fixed) {
  SmallVector<int64_t> rest;
  for (auto [extent, value] : llvm::zip_equal(shape, fixed))
    if (!value)
      rest.push_back(extent);
  return rest;
}

/// Returns `fixed` with its missing indices taken from `rest`.
SmallVector<Value> fillRest(ArrayRef<Value> fixed, ArrayRef<Value> rest) {
  SmallVector<Value> result(fixed);
  for (Value &value : result)
    if (!value) {
      value = rest.front();
      rest = rest.drop_front();
    }
  return result;
}

/// True if the last column index is the last index of updates and result.
bool hasLastColumns(ScatterOp scatter,
                    ArrayRef<std::pair<unsigned, unsigned>> columns) {
  return !columns.empty() &&
         columns.back().first + 1 ==
             cast<ShapedType>(scatter.getUpdates().getType()).getRank() &&
         columns.back().second + 1 ==
             cast<ShapedType>(scatter.getType()).getRank();
}

/// Emits one column, or a row of them.
class ScatterCode {
public:
  ScatterCode(ScatterOp scatter, ElementEmitter &emitter, ValueRange results)
      : scatter(scatter), emitter(emitter), code(emitter), result(results[0]),
        type(cast<RankedTensorType>(scatter.getType())),
        extents(cast<ShapedType>(scatter.getUpdates().getType()).getShape()),
        pairs(getScatterColumns(scatter)), owned(type.getRank()),
        fixed(extents.size()) {}

  /// Sets the columns to [begin, end) of the last column index.
  void setRow(Value from, Value to) {
    begin = from;
    end = to;
  }

  /// Sets a condition, an i1, under which the base is copied.
  void setCopies(Value condition) { copies = condition; }

  LogicalResult emit(ArrayRef<Value> column) {
    Value isUpdated;
    for (auto [pair, index] : llvm::zip(pairs, column)) {
      place(pair, index);
      const int64_t reach = extents[pair.first];
      if (reach == type.getDimSize(pair.second))
        continue;
      Value below = code.less(index, code.constant(reach));
      isUpdated = isUpdated ? code.both(isUpdated, below) : below;
    }
    if (begin)
      place(pairs.back(), begin);
    auto copy = [&] {
      code.nest(extentsOfRest(type.getShape(), owned),
                [&](ArrayRef<Value> rest) {
                  forColumns([&] { copyBase(fillRest(owned, rest)); });
                });
    };
    // An empty result reads nothing of the base.
    if (type.getNumElements() != 0) {
      if (copies)
        code.when(copies, copy);
      else
        copy();
    }
    auto updates = [&] {
      code.nest(extentsOfRest(extents, fixed),
                [&](ArrayRef<Value> rest) { update(rest); });
    };
    if (isUpdated)
      code.when(isUpdated, updates);
    else
      updates();
    return success(!failed);
  }

private:
  void place(std::pair<unsigned, unsigned> pair, Value index) {
    fixed[pair.first] = owned[pair.second] = index;
  }

  /// Calls `body` for each column of the row, or once.
  void forColumns(function_ref<void()> body) {
    if (!begin)
      return body();
    code.loop(begin, end, 1, {}, [&](Value index, ValueRange) {
      place(pairs.back(), index);
      body();
      place(pairs.back(), begin);
      return ColumnCode::Values();
    });
  }

  void copyBase(ArrayRef<Value> at) {
    if (Value value = emitter.element(scatter.getBase(), at))
      emitter.writeBuffer(value, result, at);
    else
      failed = true;
  }

  void update(ArrayRef<Value> rest) {
    // For a row, the position of the first column: the others differ only in
    // the last index, and their faults come later.
    SmallVector<Value> point = fillRest(fixed, rest);
    auto found = findPlace(emitter, scatter.getMaps(), scatter.getIndices(),
                           scatter.getResult(), extents, point);
    if (!found) {
      failed = true;
      return;
    }
    if (scatter.mayFault())
      if (Value valid = isValid(*found))
        faultOutside(emitter, scatter, valid, extents, point);
    if (type.getNumElements() == 0)
      return;
    auto write = [&] {
      forColumns([&] {
        SmallVector<Value> at = found->indices;
        if (begin)
          at.back() = owned.back();
        meet(fillRest(fixed, rest), at);
      });
    };
    if (found->inside)
      code.when(found->inside, write);
    else
      write();
  }

  /// True if an update does not fault (scatter_r4); null if none does.
  Value isValid(const Place &found) {
    if (!scatter.getWithin())
      return found.inside;
    const IndexMap map = *readIndexMap(scatter.getMap(0));
    Value valid;
    for (auto [dim, index] : llvm::enumerate(found.indices)) {
      const auto [begin, end] = scatter.getValid(unsigned(dim));
      const auto reach = map[dim].range(extents);
      if (!map[dim].symbol && reach && reach->first >= begin &&
          reach->second < end)
        continue;
      // Compared as unsigned, as in findPlace.
      OpBuilder &builder = emitter.builder;
      Value number = arith::SubIOp::create(builder, emitter.location, index,
                                           code.constant(begin));
      Value fits = arith::CmpIOp::create(builder, emitter.location,
                                         arith::CmpIPredicate::ult, number,
                                         code.constant(end - begin));
      valid = valid ? code.both(valid, fits) : fits;
    }
    return valid;
  }

  void meet(ArrayRef<Value> point, ArrayRef<Value> at) {
    Value value = emitter.element(scatter.getUpdates(), point);
    if (!value) {
      failed = true;
      return;
    }
    if (scatter.getKind() != ScatterKind::Set) {
      Scalar scalar(emitter, type.getElementType());
      Value old = emitter.readBuffer(type.getElementType(), result, at);
      value = meetUpdate(scalar, scatter.getKind(), old, value);
    }
    emitter.writeBuffer(value, result, at);
  }

  ScatterOp scatter;
  ElementEmitter &emitter;
  ColumnCode code;
  Value result, begin, end, copies;
  RankedTensorType type;
  ArrayRef<int64_t> extents;
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  SmallVector<Value> owned, fixed;
  bool failed = false;
};

struct ScatterModel
    : ColumnModelInterface::ExternalModel<ScatterModel, ScatterOp> {
  bool hasAdjacentColumns(Operation *op) const {
    auto scatter = cast<ScatterOp>(op);
    return hasLastColumns(scatter, getScatterColumns(scatter));
  }

  LogicalResult emitColumn(Operation *op, ElementEmitter &emitter,
                           ArrayRef<Value> column, ValueRange results) const {
    return ScatterCode(cast<ScatterOp>(op), emitter, results).emit(column);
  }
};

} // namespace

bool hasScatterRows(ScatterOp scatter) {
  auto type = cast<RankedTensorType>(scatter.getType());
  auto updates = cast<RankedTensorType>(scatter.getUpdates().getType());
  auto pairs = getScatterColumns(scatter);
  if (!hasLastColumns(scatter, pairs) || type.getNumElements() == 0)
    return false;
  auto [iterator, dim] = pairs.back();
  if (type.getDimSize(dim) != updates.getDimSize(iterator))
    return false;
  for (auto [number, map] :
       llvm::enumerate(scatter.getMaps().getAsValueRange<AffineMapAttr>()))
    for (auto [place, expr] : llvm::enumerate(map.getResults()))
      if ((number > 0 || place != dim) && expr.isFunctionOfDim(iterator))
        return false;
  return true;
}

LogicalResult emitScatterRows(ScatterOp scatter, ElementEmitter &emitter,
                              ArrayRef<Value> column, Value begin, Value end,
                              ValueRange results, Value copies) {
  ScatterCode code(scatter, emitter, results);
  code.setRow(begin, end);
  code.setCopies(copies);
  return code.emit(column);
}

void attachScatterModels(MLIRContext *context) {
  ScatterOp::attachInterface<ScatterModel>(*context);
}

} // namespace gensyn::emit
