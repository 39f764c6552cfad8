// See TileElements.h.

#include "TileElements.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;

namespace gensyn::gpu {

using repro::Placement;

/// The shape of the rows of a value at a placement that depends on the row.
static std::optional<ArrayRef<int64_t>> shapeOfRows(Value value,
                                                    Placement placement) {
  ArrayRef<int64_t> shape = repro::shapeOf(value);
  if (placement == Placement::Full)
    return shape.drop_back();
  if (placement == Placement::Row)
    return shape;
  return std::nullopt;
}

/// Calls `visit` with all values of a kernel.
static void forEachValue(repro::KernelOp kernel,
                         function_ref<void(Value)> visit) {
  for (BlockArgument argument : kernel.getBlock().getArguments())
    visit(argument);
  for (Operation &op : kernel.getBlock().without_terminator())
    for (Value result : op.getResults())
      visit(result);
}

GroupIndices::GroupIndices(KernelBuilder &k, repro::KernelOp kernel,
                           const repro::KernelForm &form, Value group)
    : form(form), group(group) {
  forEachValue(kernel, [&](Value value) {
    auto rows = shapeOfRows(value, form.placementOf(value));
    auto groups = rows ? groupsOf(*rows) : std::nullopt;
    if (!groups || known.count(*groups))
      return;
    SmallVector<Value> indices(groups->size());
    Value rest = group;
    for (size_t dim = groups->size(); dim-- > 0;) {
      const int64_t extent = (*groups)[dim];
      indices[dim] = k.toIndex(dim == 0 ? rest : k.rem(rest, extent));
      rest = k.div(rest, extent);
    }
    known[*groups] = indices;
  });
}

std::optional<std::vector<int64_t>>
GroupIndices::groupsOf(ArrayRef<int64_t> shape) const {
  while (!shape.empty() && shape.back() == 1 && form.groupRows != 1)
    shape = shape.drop_back();
  if (shape.empty() || shape.back() != form.groupRows)
    return std::nullopt;
  return shape.drop_back().vec();
}

SmallVector<Value> GroupIndices::ofRow(KernelBuilder &k, Value row,
                                       ArrayRef<int64_t> shape) const {
  SmallVector<Value> indices;
  if (auto groups = groupsOf(shape)) {
    indices = known.at(*groups);
    indices.push_back(k.toIndex(row));
    while (indices.size() < shape.size())
      indices.push_back(k.toIndex(k.constant(0)));
    return indices;
  }
  for (Value index : k.delinearize(number(k, row), shape))
    indices.push_back(k.toIndex(index));
  return indices;
}

TileElements::TileElements(KernelBuilder &k, repro::KernelOp kernel,
                           const repro::KernelForm &form, const Target &target,
                           const KernelFunction &function,
                           const GroupIndices &groups, ArrayRef<Value> rows,
                           ArrayRef<Value> columns)
    : PointerEmitter(k.b, kernel, function, target), k(k), form(form),
      columns(columns), zero(k.toIndex(k.constant(0))) {
  for (Value row : rows)
    this->rows.push_back(groups.number(k, row));
  for (Value number : columns)
    columnIndices.push_back(k.toIndex(number));
  // Here, since what a region inside of this one emits is not visible here.
  forEachValue(kernel, [&](Value value) {
    auto shape = shapeOfRows(value, form.placementOf(value));
    if (!shape || rowIndices.count(shape->vec()))
      return;
    auto &indices = rowIndices[shape->vec()];
    for (Value row : rows)
      indices.push_back(groups.ofRow(k, row, *shape));
  });
}

SmallVector<Value> TileElements::indicesOf(Value tensor) const {
  ArrayRef<int64_t> shape = repro::shapeOf(tensor);
  SmallVector<Value> indices;
  switch (form.placementOf(tensor)) {
  case Placement::Full:
    indices = rowIndices.at(shape.drop_back().vec())[row];
    indices.push_back(columnIndices[column]);
    break;
  case Placement::Row:
    indices = rowIndices.at(shape.vec())[row];
    break;
  case Placement::Column:
    indices.assign(shape.size(), zero);
    indices.back() = columnIndices[column];
    break;
  case Placement::Uniform:
    indices.assign(shape.size(), zero);
    break;
  case Placement::Free:
    llvm_unreachable("has no indices of its own");
  }
  return indices;
}

void TileElements::define(Value tensor, size_t atRow, size_t atColumn,
                          Value value) {
  row = atRow;
  column = atColumn;
  PointerEmitter::define(tensor, indicesOf(tensor), value);
}

Value TileElements::at(Value tensor, size_t atRow, size_t atColumn) {
  row = atRow;
  column = atColumn;
  return element(tensor, indicesOf(tensor));
}

Value TileElements::element(Value tensor, ArrayRef<Value> indices) {
  if (form.placementOf(tensor) == Placement::Free)
    return PointerEmitter::element(tensor, indices);
  // The same values for each reader, whatever reshapes are between.
  return PointerEmitter::element(tensor, indicesOf(tensor));
}

Value TileElements::load(Value tensor, Value buffer, ArrayRef<Value> indices) {
  Value number;
  switch (form.placementOf(tensor)) {
  case Placement::Full:
    number = k.add(k.mul(rows[row], form.columns), columns[column]);
    break;
  case Placement::Row:
    number = rows[row];
    break;
  case Placement::Column:
    number = columns[column];
    break;
  case Placement::Uniform:
    number = k.constant(0);
    break;
  case Placement::Free:
    return PointerEmitter::load(tensor, buffer, indices);
  }
  Type type = cast<ShapedType>(tensor.getType()).getElementType();
  return loadAt(type, buffer, k.toIndex(number));
}

} // namespace gensyn::gpu
