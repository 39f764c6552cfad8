// Operators that read or write at indices. Negative indices count from the end;
// indices that are out of range beyond that fault.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;
using repro::ScatterKind;

/// The indices of an element: the data's index along `dim`, the point's own
/// indices in the other dimensions.
static Exprs placeAlong(NodeBuilder &b, int64_t rank, int64_t dim,
                        AffineExpr index) {
  Exprs place;
  for (int64_t d = 0; d < rank; ++d)
    place.push_back(d == dim ? index : b.iterator(static_cast<unsigned>(d)));
  return place;
}

static Value convertGatherElements(NodeBuilder &b) {
  Value data = b.raw("data"), indices = b.raw("indices");
  const int64_t rank = rankOf(data), dim = b.axis("axis", rank);
  indices = fromEnd(b, indices, shapeOf(data)[dim]);
  IndexMaps maps(b, rank);
  AffineExpr index = maps.add(indices, range(0, rank));
  return maps.gather(data, shapeOf(indices), placeAlong(b, rank, dim, index));
}

/// Appends the components of index tuples, the last dimension of `indices`, to
/// `place`, for dimensions of `data` from `first` on. The first iterators index
/// the other dimensions of `indices`.
static void addTuples(NodeBuilder &b, IndexMaps &maps, Value indices,
                      Value data, int64_t first, Exprs &place) {
  const int64_t rank = rankOf(indices) - 1;
  const int64_t count = shapeOf(indices).back();
  for (int64_t k = 0; k < count; ++k) {
    Value one = b.reshape(b.sliceDim(indices, rank, k, k + 1),
                          shapeOf(indices).drop_back());
    one = fromEnd(b, one, shapeOf(data)[first + k]);
    place.push_back(maps.add(one, range(0, rank)));
  }
}

static Value convertGatherND(NodeBuilder &b) {
  Value data = b.raw("data"), indices = b.raw("indices");
  const int64_t batch = b.since() >= 12 ? b.integer("batch_dims") : 0;
  ShapeView shape = b.resultShape();
  IndexMaps maps(b, static_cast<int64_t>(shape.size()));
  Exprs place;
  for (int64_t d = 0; d < batch; ++d)
    place.push_back(b.iterator(static_cast<unsigned>(d)));
  addTuples(b, maps, indices, data, batch, place);
  for (int64_t d = rankOf(indices) - 1;
       static_cast<int64_t>(place.size()) < rankOf(data); ++d)
    place.push_back(b.iterator(static_cast<unsigned>(d)));
  return maps.gather(data, shape, place);
}

/// The kind of the scatter; nothing after `refuse`.
static std::optional<ScatterKind> scatterKind(NodeBuilder &b) {
  StringRef name = b.node.hasFormalAttribute("reduction")
                       ? b.string("reduction")
                       : StringRef("none");
  if (name == "none")
    return ScatterKind::Set;
  std::optional<ScatterKind> kind = repro::symbolizeScatterKind(name);
  if (!kind || *kind == ScatterKind::Set) {
    b.refuse("reduction '" + name + "' is none of none, add, mul, min, max");
    return std::nullopt;
  }
  return kind;
}

namespace {
/// The operands that ScatterElements and ScatterND share.
struct Scatter {
  ScatterKind kind;
  Value data, updates;
};
} // namespace

/// The scatter of a node; nothing after `refuse`.
static std::optional<Scatter> readScatter(NodeBuilder &b) {
  std::optional<ScatterKind> kind = scatterKind(b);
  if (!kind)
    return std::nullopt;
  // Elements that are only moved may have any type.
  const bool moves = *kind == ScatterKind::Set;
  Value data = moves ? b.raw("data") : b.operand("data");
  Value updates = moves ? b.raw("updates") : b.operand("updates");
  return Scatter{*kind, data, updates};
}

static Value convertScatterElements(NodeBuilder &b) {
  std::optional<Scatter> scatter = readScatter(b);
  if (!scatter)
    return nullptr;
  auto [kind, data, updates] = *scatter;
  const int64_t rank = rankOf(data), dim = b.axis("axis", rank);
  Value indices = fromEnd(b, b.raw("indices"), shapeOf(data)[dim]);
  IndexMaps maps(b, rank);
  AffineExpr index = maps.add(indices, range(0, rank));
  return maps.scatter(kind, data, updates, placeAlong(b, rank, dim, index));
}

static Value convertScatterND(NodeBuilder &b) {
  std::optional<Scatter> scatter = readScatter(b);
  if (!scatter)
    return nullptr;
  auto [kind, data, updates] = *scatter;
  Value indices = b.raw("indices");
  IndexMaps maps(b, rankOf(updates));
  Exprs place;
  addTuples(b, maps, indices, data, 0, place);
  for (int64_t d = rankOf(indices) - 1;
       static_cast<int64_t>(place.size()) < rankOf(data); ++d)
    place.push_back(b.iterator(static_cast<unsigned>(d)));
  return maps.scatter(kind, data, updates, place);
}

/// Writes a piece of a sequence at a position of each batch row; in circular
/// mode it wraps around to the front.
static Value convertTensorScatter(NodeBuilder &b) {
  Value cache = b.raw("past_cache"), update = b.raw("update");
  const int64_t rank = rankOf(cache), dim = b.axis("axis", rank);
  if (dim == 0)
    return b.refuse("axis 0 is the batch");
  const bool isCircular = b.string("mode") == "circular";
  Type i64 = b.builder.getI64Type();
  Extents rows = {shapeOf(update)[0], shapeOf(update)[dim]};
  Value index = b.iota(1, rows, i64);
  if (Value first = b.raw("write_indices"))
    index = b.add(index, b.reshape(first, {rows[0], 1}));
  if (isCircular)
    index = b.binary<repro::RemOp>(index,
                                   b.fill(double(shapeOf(cache)[dim]), index));
  IndexMaps maps(b, rank);
  AffineExpr at = maps.add(index, {0, dim});
  return maps.scatter(ScatterKind::Set, cache, update,
                      placeAlong(b, rank, dim, at));
}

/// Scatters values to the positions where MaxPool found them. The indices refer
/// to MaxPool's operand, whose size is output_shape if the windows do not
/// determine it.
static Value convertMaxUnpool(NodeBuilder &b) {
  Value x = b.raw("X"), indices = b.raw("I");
  if (shapeOf(indices) != shapeOf(x))
    return b.refuse("I has another shape than X");
  const int64_t count = product(shapeOf(x));
  ShapeView shape = b.resultShape();
  IndexMaps maps(b, 1);
  AffineExpr at = maps.add(b.reshape(indices, {count}), {0});
  Value zeros = b.fill(0, elementOf(x), {product(shape)});
  return b.reshape(
      maps.scatter(ScatterKind::Set, zeros, b.reshape(x, {count}), {at}),
      shape);
}

/// Reverses the first steps of each row, as many as its length.
static Value convertReverseSequence(NodeBuilder &b) {
  Value x = b.raw("input");
  const int64_t rank = rankOf(x), batch = b.axis("batch_axis", rank),
                time = b.axis("time_axis", rank);
  const int64_t rows = shapeOf(x)[batch], steps = shapeOf(x)[time];
  Value step = b.iota(1, {rows, steps}, b.builder.getI64Type());
  Value length = b.reshape(b.raw("sequence_lens"), {rows, 1});
  Value last = b.sub(length, b.fill(1, length));
  Value index = b.select(b.compare(CompareKind::Lt, step, length),
                         b.sub(last, step), step);
  IndexMaps maps(b, rank);
  AffineExpr at = maps.add(index, {batch, time});
  return maps.gather(x, shapeOf(x), placeAlong(b, rank, time, at));
}

void onnx_to_repro::addGatherScatter(OperatorTable &table) {
  table.add("GatherElements", {11, 13}, convertGatherElements);
  table.add("GatherND", {11, 12, 13}, convertGatherND);
  table.add("MaxUnpool", {9, 11, 22}, convertMaxUnpool);
  table.add("ReverseSequence", {10, 28}, convertReverseSequence);
  table.add("Scatter", {9, 11}, convertScatterElements);
  table.add("ScatterElements", {11, 13, 16, 18}, convertScatterElements);
  table.add("ScatterND", {11, 13, 16, 18}, convertScatterND);
  table.add("TensorScatter", {24}, convertTensorScatter);
}
