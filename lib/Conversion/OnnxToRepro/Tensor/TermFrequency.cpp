// TfIdfVectorizer on integers: counts the occurrences of each n-gram of a pool.

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

/// Counts the occurrences of each of `grams`, all of `length`, in rows of x
/// [rows, tokens] with neighbours `step` apart: [rows, grams] of i64.
static Value countGrams(NodeBuilder &b, Value x, ArrayRef<int64_t> grams,
                        int64_t length, int64_t step) {
  const int64_t rows = shapeOf(x)[0];
  const int64_t places = shapeOf(x)[1] - (length - 1) * step;
  const int64_t count = static_cast<int64_t>(grams.size()) / length;
  Value isEqual;
  for (int64_t k = 0; k < length; ++k) {
    Extents tokens;
    for (int64_t gram = 0; gram < count; ++gram)
      tokens.push_back(grams[gram * length + k]);
    Value own = b.sliceDim(x, 1, k * step, k * step + places);
    own = b.reshape(own, {rows, places, 1});
    Value is = b.compare(CompareKind::Eq, own, constantIndices(b, tokens));
    isEqual = isEqual ? b.binary<repro::AndOp>(isEqual, is) : is;
  }
  return b.reduce(repro::ReduceKind::Sum,
                  b.convert(isEqual, b.builder.getI64Type()), {1},
                  /*keep=*/false);
}

/// Counts go to the elements that ngram_indexes names; weights belong to those
/// elements.
static Value convertTfIdfVectorizer(NodeBuilder &b) {
  Extents pool = b.integers("pool_int64s"), starts = b.integers("ngram_counts");
  Extents targets = b.integers("ngram_indexes");
  const int64_t least = b.integer("min_gram_length"),
                most = b.integer("max_gram_length"),
                skips = b.integer("max_skip_count");
  if (pool.empty() || targets.empty())
    return b.refuse("only pools of integers are supported");
  if (least < 1 || most < least || skips < 0 ||
      most > static_cast<int64_t>(starts.size()))
    return b.refuse("the lengths of n-grams are out of range");
  ShapeView result = b.resultShape();
  Value x = b.convert(b.firstRaw(), b.builder.getI64Type());
  const int64_t tokens = shapeOf(x).back(), size = result.back();
  const int64_t rows = rankOf(x) == 1 ? 1 : shapeOf(x)[0];
  x = b.reshape(x, {rows, tokens});
  Type element = b.builder.getI64Type();
  Value counts = b.fill(0, element, {rows, size});
  size_t gram = 0; // index of the first of this length
  for (int64_t length = 1; length <= static_cast<int64_t>(starts.size());
       ++length) {
    const int64_t from = starts[length - 1];
    const int64_t to = length < static_cast<int64_t>(starts.size())
                           ? starts[length]
                           : static_cast<int64_t>(pool.size());
    if (from < 0 || to < from || to > static_cast<int64_t>(pool.size()) ||
        (to - from) % length ||
        gram + static_cast<size_t>((to - from) / length) > targets.size())
      return b.refuse("ngram_counts do not divide the pool");
    const auto count = static_cast<size_t>((to - from) / length);
    ArrayRef<int64_t> into = ArrayRef<int64_t>(targets).slice(gram, count);
    ArrayRef<int64_t> grams = ArrayRef<int64_t>(pool).slice(from, to - from);
    gram += count;
    if (length < least || length > most || count == 0)
      continue;
    for (int64_t step = 1; step <= (length == 1 ? 1 : skips + 1); ++step) {
      if ((length - 1) * step >= tokens)
        break;
      Value found = countGrams(b, x, grams, length, step);
      IndexMaps maps(b, 2);
      AffineExpr target = maps.add(constantIndices(b, into), {1});
      counts = maps.scatter(repro::ScatterKind::Add, counts, found,
                            {b.iterator(0), target});
    }
  }
  Type f32 = b.builder.getF32Type();
  StringRef mode = b.string("mode");
  if (mode == "IDF")
    counts = b.compare(CompareKind::Gt, counts, 0);
  Value y = b.convert(counts, f32);
  if (auto weights = b.node->getAttrOfType<DenseF32ArrayAttr>("weights");
      weights && mode != "TF") {
    if (weights.size() != size)
      return b.refuse("there are " + Twine(weights.size()) + " weights for " +
                      Twine(size) + " elements");
    auto type = RankedTensorType::get({size}, f32);
    y = b.mul(y,
              b.elements(DenseElementsAttr::get(type, weights.asArrayRef())));
  }
  return b.reshape(y, result);
}

void onnx_to_repro::addTermFrequency(OperatorTable &table) {
  table.add("TfIdfVectorizer", {9}, convertTfIdfVectorizer);
}
