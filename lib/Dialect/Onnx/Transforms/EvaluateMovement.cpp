// Operators that move elements: each is a list of source indices.

#include "Evaluate.h"
#include "gensyn/Dialect/Onnx/IR/SliceBounds.h"

#include <cstring>
#include <numeric>

using namespace mlir;

namespace gensyn::onnx::evaluation {
namespace {

int64_t flat(const Shape &shape, ArrayRef<int64_t> index) {
  int64_t at = 0;
  for (auto [size, i] : llvm::zip(shape, index))
    at = at * size + i;
  return at;
}

/// The axis attribute as 0 <= axis < rank; none if it is out of range.
std::optional<int64_t> axisOf(const Node &node, int64_t rank) {
  auto attribute = node.op->getAttrOfType<IntegerAttr>("axis");
  int64_t axis = attribute ? attribute.getInt() : 0;
  axis += axis < 0 ? rank : 0;
  return axis >= 0 && axis < rank ? std::optional(axis) : std::nullopt;
}

bool fits(const Shape &shape) {
  auto count = countElements(shape);
  return count && *count <= maxConstantBytes;
}

Value gather(const Node &node) {
  Value data = node.in(0);
  auto indices = node.integers(1, "");
  auto indexShape = Node::shapeOf(node.op->getOperand(1));
  auto axis = data ? axisOf(node, data->rank()) : std::nullopt;
  if (!indices || !indexShape || !axis)
    return {};
  const Shape &from = data->shape();
  Shape shape(from.begin(), from.begin() + *axis);
  shape.insert(shape.end(), indexShape->begin(), indexShape->end());
  shape.insert(shape.end(), from.begin() + *axis + 1, from.end());
  if (!fits(shape))
    return {};
  std::vector<int64_t> source;
  bool inside = true;
  forEachIndex(shape, [&](const Shape &at) {
    ArrayRef<int64_t> index(at);
    int64_t i =
        (*indices)[flat(*indexShape, index.slice(*axis, indexShape->size()))];
    i += i < 0 ? from[*axis] : 0;
    inside &= i >= 0 && i < from[*axis];
    Shape place(at.begin(), at.begin() + *axis);
    place.push_back(i);
    place.insert(place.end(), at.begin() + *axis + indexShape->size(),
                 at.end());
    source.push_back(flat(from, place));
  });
  return inside ? Value(pick(*data, shape, source)) : Value();
}

Value concat(const Node &node) {
  std::vector<Tensor> parts;
  for (unsigned i = 0; i < node.operands.size(); ++i) {
    Value part = node.in(i);
    if (!part || (i && (part->rank() != parts[0].rank() ||
                        part->elementType() != parts[0].elementType())))
      return {};
    parts.push_back(*part);
  }
  auto shape = Node::shapeOf(node.op->getResult(0));
  auto axis = parts.empty() ? std::nullopt : axisOf(node, parts[0].rank());
  if (!shape || !axis || !fits(*shape))
    return {};
  Tensor all(parts[0].elementType(), *shape);
  size_t width = byteWidth(all.elementType());
  std::byte *out = all.data();
  bool inside = true;
  forEachIndex(*shape, [&](const Shape &at) {
    Shape index = at;
    size_t p = 0;
    while (p < parts.size() && index[*axis] >= parts[p].shape()[*axis])
      index[*axis] -= parts[p++].shape()[*axis];
    int64_t i = p < parts.size() ? flat(parts[p].shape(), index) : 0;
    inside &= p < parts.size() && i < parts[p].numElements();
    if (inside)
      memcpy(out, std::as_const(parts[p]).data() + i * width, width);
    out += width;
  });
  return inside ? Value(all) : Value();
}

Value slice(const Node &node) {
  Value data = node.in(0);
  auto starts = node.integers(1, "starts"), ends = node.integers(2, "ends");
  auto axes = node.integers(3, "axes"), steps = node.integers(4, "steps");
  if (!data || !starts || !ends || starts->size() != ends->size() ||
      (node.has(3) && !axes) || (node.has(4) && !steps) ||
      (axes && axes->size() != starts->size()) ||
      (steps && steps->size() != starts->size()))
    return {};
  int64_t rank = data->rank();
  std::vector<SliceBounds> pieces;
  for (int64_t size : data->shape())
    pieces.push_back({0, size, 1});
  for (size_t i = 0; i < starts->size(); ++i) {
    int64_t axis = axes ? (*axes)[i] : int64_t(i),
            step = steps ? (*steps)[i] : 1;
    axis += axis < 0 ? rank : 0;
    if (step == 0 || axis < 0 || axis >= rank)
      return {};
    pieces[axis] =
        SliceBounds::of((*starts)[i], (*ends)[i], step, data->shape()[axis]);
  }
  Shape shape;
  for (const SliceBounds &piece : pieces)
    shape.push_back(piece.count());
  std::vector<int64_t> source;
  forEachIndex(shape, [&](const Shape &at) {
    Shape index;
    for (int64_t d = 0; d < rank; ++d)
      index.push_back(pieces[d].begin + at[d] * pieces[d].step);
    source.push_back(flat(data->shape(), index));
  });
  return pick(*data, shape, source);
}

Value transpose(const Node &node) {
  Value data = node.in(0);
  if (!data)
    return {};
  Shape perm(data->rank());
  std::iota(perm.rbegin(), perm.rend(), 0);
  if (auto given = node.op->getAttrOfType<DenseI64ArrayAttr>("perm"))
    perm.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  Shape sorted = perm, shape, wanted(data->rank());
  std::iota(wanted.begin(), wanted.end(), 0);
  llvm::sort(sorted);
  if (sorted != wanted)
    return {};
  for (int64_t d : perm)
    shape.push_back(data->shape()[d]);
  std::vector<int64_t> source;
  forEachIndex(shape, [&](const Shape &at) {
    Shape index(perm.size());
    for (auto [i, d] : llvm::enumerate(perm))
      index[d] = at[i];
    source.push_back(flat(data->shape(), index));
  });
  return pick(*data, shape, source);
}

/// Another shape for the same elements; inference has found it.
Value reshape(const Node &node) {
  Value data = node.in(0);
  auto shape = Node::shapeOf(node.op->getResult(0));
  if (!data || !shape || countElements(*shape) != data->numElements())
    return {};
  return data->reshaped(*shape);
}

Value expandNode(const Node &node) {
  Value data = node.in(0);
  auto shape = Node::shapeOf(node.op->getResult(0));
  return data && shape ? expand(*data, *shape) : Value();
}
/// Without a reduction: of several updates of an element the last one wins.
Value scatterElements(const Node &node) {
  Value data = node.in(0), updates = node.in(2);
  auto indices = node.integers(1, "");
  auto axis = data ? axisOf(node, data->rank()) : std::nullopt;
  if (!updates || !indices || !axis || !fits(data->shape()) ||
      updates->rank() != data->rank() ||
      updates->elementType() != data->elementType() ||
      static_cast<int64_t>(indices->size()) != updates->numElements() ||
      (node.op.hasFormalAttribute("reduction") &&
       node.op.string("reduction") != "none"))
    return {};
  const Shape &shape = data->shape();
  Tensor result = *data;
  const size_t width = byteWidth(result.elementType());
  std::byte *out = result.data();
  int64_t next = 0;
  bool inside = true;
  forEachIndex(updates->shape(), [&](Shape at) {
    int64_t &i = at[*axis];
    i = (*indices)[next];
    i += i < 0 ? shape[*axis] : 0;
    for (auto [index, size] : llvm::zip(at, shape))
      inside &= index >= 0 && index < size;
    if (inside)
      memcpy(out + flat(shape, at) * width,
             std::as_const(*updates).data() + next * width, width);
    ++next;
  });
  return inside ? Value(result) : Value();
}

Value tile(const Node &node) {
  Value data = node.in(0);
  auto repeats = node.integers(1, "");
  auto shape = Node::shapeOf(node.op->getResult(0));
  if (!data || !repeats || !shape || !fits(*shape) ||
      static_cast<int64_t>(repeats->size()) != data->rank() ||
      static_cast<int64_t>(shape->size()) != data->rank())
    return {};
  for (auto [size, from, count] :
       llvm::zip_equal(*shape, data->shape(), *repeats))
    if (size != from * count)
      return {};
  std::vector<int64_t> source;
  forEachIndex(*shape, [&](Shape at) {
    for (auto [index, size] : llvm::zip(at, data->shape()))
      index %= size;
    source.push_back(flat(data->shape(), at));
  });
  return pick(*data, *shape, source);
}

} // namespace

void forEachIndex(const Shape &shape, function_ref<void(const Shape &)> f) {
  Shape index(shape.size(), 0);
  for (int64_t n = countElements(shape).value_or(0); n > 0; --n) {
    f(index);
    for (int64_t d = int64_t(shape.size()) - 1;
         d >= 0 && ++index[d] == shape[d]; --d)
      index[d] = 0;
  }
}

Tensor pick(const Tensor &source, Shape shape, ArrayRef<int64_t> from) {
  Tensor out(source.elementType(), std::move(shape));
  size_t width = byteWidth(source.elementType());
  std::byte *to = out.data();
  for (auto [i, place] : llvm::enumerate(from))
    memcpy(to + i * width, source.data() + place * width, width);
  return out;
}

Value expand(const Tensor &t, const Shape &shape) {
  if (shape.size() < t.shape().size() || !fits(shape))
    return {};
  size_t skip = shape.size() - t.shape().size();
  for (size_t d = 0; d < t.shape().size(); ++d)
    if (t.shape()[d] != 1 && t.shape()[d] != shape[d + skip])
      return {};
  std::vector<int64_t> from;
  forEachIndex(shape, [&](const Shape &index) {
    Shape at;
    for (size_t d = 0; d < t.shape().size(); ++d)
      at.push_back(t.shape()[d] == 1 ? 0 : index[d + skip]);
    from.push_back(flat(t.shape(), at));
  });
  return pick(t, shape, from);
}

Value evaluateMovement(const Node &node) {
  return llvm::StringSwitch<Value (*)(const Node &)>(node.type())
      .Case("Gather", gather)
      .Case("Concat", concat)
      .Case("Slice", slice)
      .Case("Transpose", transpose)
      .Cases({"Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity"},
             reshape)
      .Case("Expand", expandNode)
      .Case("ScatterElements", scatterElements)
      .Case("Tile", tile)
      .Default([](const Node &) { return Value(); })(node);
}
} // namespace gensyn::onnx::evaluation
