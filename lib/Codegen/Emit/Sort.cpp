// Emits sort, column by column: a heap of the best elements so far, inside the
// results.
//
// Pairs of value and position are distinct, so every sorting algorithm gives
// the same bits, stable or not. The top of the heap is the element that is last
// in the order; an element that precedes it replaces it. At the end the tops
// are moved after the rest, one by one.

#include "Columns.h"
#include "Models.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {
namespace {

class HeapSort {
public:
  HeapSort(SortOp sort, ElementEmitter &emitter, ArrayRef<Value> column,
           ValueRange results)
      : sort(sort), code(emitter), emitter(emitter), column(column),
        values(results[0]), positions(results[1]),
        dim(static_cast<int64_t>(sort.getDim())),
        count(static_cast<int64_t>(sort.getCount())),
        type(cast<RankedTensorType>(sort.getOperand().getType())
                 .getElementType()),
        scalar(emitter, type) {}

  LogicalResult emit() {
    if (count == 0)
      return success();
    code.loop(count, [&](Value i) {
      if (std::optional<Item> item = operand(i))
        siftUp(*item, i);
    });
    const int64_t extent = cast<ShapedType>(sort.getOperand().getType())
                               .getDimSize(static_cast<unsigned>(dim));
    code.loop(code.constant(count), code.constant(extent), 1, {},
              [&](Value i, ValueRange) -> Values {
                if (std::optional<Item> item = operand(i))
                  code.when(isBefore(*item, read(code.constant(0))),
                            [&] { siftDown(*item, code.constant(count)); });
                return {};
              });
    code.loop(count - 1, [&](Value done) {
      Value end = code.sub(code.constant(count - 1), done);
      Item item = read(end);
      write(read(code.constant(0)), end);
      siftDown(item, end);
    });
    return success(!failed);
  }

private:
  using Values = ColumnCode::Values;
  struct Item {
    Value value, key, position;
  };

  std::optional<Item> operand(Value i) {
    Value value = emitter.element(sort.getOperand(),
                                  codegen::insertIndex(column, dim, i));
    if (!value) {
      failed = true;
      return std::nullopt;
    }
    Value position =
        arith::IndexCastOp::create(code.b, code.loc, code.b.getI32Type(), i);
    return Item{value, keyOf(value), position};
  }
  Item read(Value k) {
    SmallVector<Value> at = codegen::insertIndex(column, dim, k);
    Value value = emitter.readBuffer(type, values, at);
    return {value, keyOf(value),
            emitter.readBuffer(code.b.getI32Type(), positions, at)};
  }
  void write(const Item &item, Value k) {
    SmallVector<Value> at = codegen::insertIndex(column, dim, k);
    emitter.writeBuffer(item.value, values, at);
    emitter.writeBuffer(item.position, positions, at);
  }
  Value keyOf(Value value) {
    return scalar.orderKey(value, /*nanIsLeast=*/false);
  }

  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(code.b, code.loc, predicate, x, y);
  }
  Value isBefore(const Item &x, const Item &y) {
    using P = arith::CmpIPredicate;
    const bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
    const bool descending = sort.getDirection() == SortDirection::Descending;
    Value ahead = compare(descending ? (isUnsigned ? P::ugt : P::sgt)
                                     : (isUnsigned ? P::ult : P::slt),
                          x.key, y.key);
    Value tie = code.both(compare(P::eq, x.key, y.key),
                          compare(P::slt, x.position, y.position));
    return code.b.createOrFold<arith::OrIOp>(code.loc, ahead, tie);
  }

  Value yes() {
    return arith::ConstantOp::create(code.b, code.loc,
                                     code.b.getBoolAttr(true));
  }

  /// Inserts an item at the free position `hole` or above it.
  void siftUp(const Item &item, Value hole) {
    Values last = code.loopWhile(
        {hole, yes()},
        [&](ValueRange at) {
          return code.both(at[1], code.less(code.constant(0), at[0]));
        },
        [&](ValueRange at) -> Values {
          Value parent = code.b.createOrFold<arith::DivUIOp>(
              code.loc, code.sub(at[0], code.constant(1)), code.constant(2));
          Item above = read(parent);
          Value moves = isBefore(above, item);
          code.when(moves, [&] { write(above, at[0]); });
          return {code.select(moves, parent, at[0]), moves};
        });
    write(item, last[0]);
  }

  /// Inserts an item at the free top of the first `size` positions or below it.
  void siftDown(const Item &item, Value size) {
    auto left = [&](Value at) {
      return code.add(code.add(at, at), code.constant(1));
    };
    Values last = code.loopWhile(
        {code.constant(0), yes()},
        [&](ValueRange at) {
          return code.both(at[1], code.less(left(at[0]), size));
        },
        [&](ValueRange at) -> Values {
          Value first = left(at[0]);
          Value second = code.add(first, code.constant(1));
          second = code.select(code.less(second, size), second, first);
          Item one = read(first), other = read(second);
          Value isOther = isBefore(one, other);
          Value child = code.select(isOther, second, first);
          Item later = {code.select(isOther, other.value, one.value),
                        code.select(isOther, other.key, one.key),
                        code.select(isOther, other.position, one.position)};
          Value moves = isBefore(item, later);
          code.when(moves, [&] { write(later, at[0]); });
          return {code.select(moves, child, at[0]), moves};
        });
    write(item, last[0]);
  }

  SortOp sort;
  ColumnCode code;
  ElementEmitter &emitter;
  ArrayRef<Value> column;
  Value values, positions;
  int64_t dim, count;
  Type type;
  Scalar scalar;
  bool failed = false;
};

struct SortModel : ColumnModelInterface::ExternalModel<SortModel, SortOp> {
  LogicalResult emitColumn(Operation *op, ElementEmitter &emitter,
                           ArrayRef<Value> column, ValueRange results) const {
    return HeapSort(cast<SortOp>(op), emitter, column, results).emit();
  }
};

} // namespace

void attachSortModels(MLIRContext *context) {
  SortOp::attachInterface<SortModel>(*context);
}

} // namespace gensyn::emit
