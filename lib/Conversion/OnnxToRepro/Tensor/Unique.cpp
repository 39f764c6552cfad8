// Unique: sorts stably, column by column from the last; a row that differs from
// the one before begins a new value.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"
#include "NonZeroCompress.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

/// The limit on columns: each needs a sort.
static constexpr int64_t kMostColumns = 64;

/// The sorted values and their positions as i64.
static std::pair<Value, Value> sorted(NodeBuilder &b, Value x) {
  auto sort = repro::SortOp::create(
      b.builder, b.location, x.getType(),
      RankedTensorType::get(shapeOf(x), b.builder.getI32Type()),
      repro::SortDirection::Ascending, x, 0, shapeOf(x)[0]);
  return {sort.getValues(),
          b.convert(sort.getPositions(), b.builder.getI64Type())};
}

/// Positions of the rows of `keys` in lexicographic order, stably.
static Value sortRows(NodeBuilder &b, Value keys) {
  const int64_t rows = shapeOf(keys)[0];
  Value order;
  for (int64_t column = shapeOf(keys)[1]; column-- > 0;) {
    Value line = b.reshape(b.sliceDim(keys, 1, column, column + 1), {rows});
    if (order)
      line = gatherAlong(b, line, order, 0);
    Value places = sorted(b, line).second;
    order = order ? gatherAlong(b, order, places, 0) : places;
  }
  return order;
}

/// True at the first of equal adjacent rows; NaNs count as equal.
static Value beginsNew(NodeBuilder &b, Value rows) {
  const int64_t count = shapeOf(rows)[0];
  Value first = b.fill(1, b.builder.getI1Type(), {1});
  if (count == 1)
    return first;
  Value before = b.sliceDim(rows, 0, 0, count - 1),
        after = b.sliceDim(rows, 0, 1, count);
  Value differs = b.compare(CompareKind::Ne, before, after);
  if (isFloat(rows)) {
    Value isNumber =
        b.binary<repro::OrOp>(b.compare(CompareKind::Eq, before, before),
                              b.compare(CompareKind::Eq, after, after));
    differs = b.binary<repro::AndOp>(differs, isNumber);
  }
  return b.concat(
      {first, b.reduce(repro::ReduceKind::Or, differs, {1}, /*keep=*/false)},
      0);
}

static Values convertUnique(NodeBuilder &b) {
  Value x = b.raw("X");
  int64_t dim = 0;
  if (b.node.integer("axis"))
    dim = b.axis("axis", rankOf(x));
  else
    x = b.reshape(x, {product(shapeOf(x))});
  const int64_t total = product(shapeOf(x));
  const int64_t count = b.resultShape()[dim];
  if (total == 0)
    return {b.refuse("the operand has no elements")};
  const int64_t rows = shapeOf(x)[dim], columns = total / rows;
  if (columns > kMostColumns)
    return {b.refuse("slices of " + Twine(columns) +
                     " elements are compared, the most supported is " +
                     Twine(kMostColumns))};
  Extents order = range(0, rankOf(x));
  std::rotate(order.begin(), order.begin() + dim, order.begin() + dim + 1);
  Value keys = b.reshape(b.transpose(b.widen(x), order), {rows, columns});
  if (isFloat(keys)) // -0 + 0 is 0: both zeros are one value.
    keys = b.add(keys, b.fill(0, keys));
  Value places = sortRows(b, keys);
  Value isNew = beginsNew(b, gatherAlong(b, keys, places, 0));
  Value numbers = countTrue(b, isNew);
  checkCount(b, numbers, count);
  Value minusOne = b.fill(-1, numbers);
  Value groups = b.add(numbers, minusOne);
  // The sort is stable, so that the first of a group is its first occurrence.
  Value firsts = placeAt(b, b.select(isNew, groups, minusOne), places, count);
  Value inverse = placeAt(b, places, groups, rows);
  if (!b.integer("sorted")) {
    auto [ascending, was] = sorted(b, firsts);
    firsts = ascending;
    Value now =
        placeAt(b, was, b.iota(0, {count}, b.builder.getI64Type()), count);
    inverse = gatherAlong(b, now, inverse, 0);
  }
  IndexMaps maps(b, 1);
  AffineExpr group = maps.add(inverse, {0});
  Value counts = maps.scatter(
      repro::ScatterKind::Add, b.fill(0, b.builder.getI64Type(), {count}),
      b.fill(1, b.builder.getI64Type(), {rows}), {group});
  return {gatherAlong(b, x, firsts, dim), firsts, inverse, counts};
}

void onnx_to_repro::addUnique(OperatorTable &table) {
  table.addMany("Unique", {11, 28}, convertUnique);
}
