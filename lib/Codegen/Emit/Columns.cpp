// See Columns.h.

#include "Columns.h"

using namespace mlir;

namespace gensyn::emit {

ColumnCode::Values
ColumnCode::loop(Value begin, Value end, int64_t step, Values carried,
                 function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      b, loc, begin, end, constant(step), carried,
      [&](OpBuilder &, Location, Value i, ValueRange values) {
        emitter.inNestedRegion(
            [&] { scf::YieldOp::create(b, loc, body(i, values)); });
      });
  return Values(loop.getResults());
}

void ColumnCode::loop(int64_t end, function_ref<void(Value)> body) {
  loop(constant(0), constant(end), 1, {}, [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}

void ColumnCode::nest(ArrayRef<int64_t> extents,
                      function_ref<void(ArrayRef<Value>)> body) {
  SmallVector<Value> indices;
  auto descend = [&](auto &self) -> void {
    if (indices.size() == extents.size())
      return body(indices);
    loop(extents[indices.size()], [&](Value i) {
      indices.push_back(i);
      self(self);
      indices.pop_back();
    });
  };
  descend(descend);
}

void ColumnCode::when(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitter.inNestedRegion(body);
}

ColumnCode::Values
ColumnCode::loopWhile(Values carried, function_ref<Value(ValueRange)> condition,
                      function_ref<Values(ValueRange)> body) {
  auto loop = scf::WhileOp::create(
      b, loc, ValueRange(carried).getTypes(), carried,
      [&](OpBuilder &, Location, ValueRange values) {
        emitter.inNestedRegion([&] {
          scf::ConditionOp::create(b, loc, condition(values), values);
        });
      },
      [&](OpBuilder &, Location, ValueRange values) {
        emitter.inNestedRegion(
            [&] { scf::YieldOp::create(b, loc, body(values)); });
      });
  return Values(loop.getResults());
}

} // namespace gensyn::emit
