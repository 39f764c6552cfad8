// See ContractPoints.h.

#include "ContractPoints.h"

#include "ContractSide.h"

using namespace mlir;

namespace gensyn::gpu {

/// Reserved bits of the words of rows and points. All rows and the skipped
/// points have bit kNoPoint; all points and the missing rows have bit kNoRow.
/// Taps use the bits below.
static constexpr int64_t kNoPoint = 31, kNoRow = 30;
/// A contribution to an index that makes it out of bounds whatever is added,
/// even itself.
static constexpr int64_t kFarAway = int64_t{1} << 29;

std::optional<int64_t> constantPointStride(const GemmView &view,
                                           GemmTensor tensor) {
  const bool isSkipped = llvm::any_of(view.points, [](const GemmAxis &axis) {
    return llvm::any_of(axis.skips, [](int64_t step) { return step != 0; });
  });
  if (isSkipped || isChecked(view.points, tensor))
    return std::nullopt;
  return singleStride(view.points, tensor);
}

bool hasRaggedTiles(const GemmView &view, const ContractSizes &sizes) {
  return view.numPoints() % sizes.bk != 0 ||
         std::min(view.blockSize, view.numPoints()) % sizes.bk != 0;
}

PointTable::PointTable(const GemmView &view, const ContractSizes &sizes,
                       GemmTensor tensor)
    : view(view), sizes(sizes), tensor(tensor), isB(tensor == GemmTensor::B),
      isRagged(hasRaggedTiles(view, sizes)), isWide(sizes.isWide(view, tensor)),
      rows(isB ? view.columns : view.rows),
      checks(isB ? view.bChecks : view.aChecks), offsetWords(isWide ? 2 : 1) {
  if (constantPointStride(view, tensor))
    return;
  numWords = offsetWords;
  if (checks.empty() && !isRagged && view.skips.empty())
    return;
  int64_t bits;
  taps = findTaps(view.points, bits);
  if (bits > kNoRow) {
    taps = findTaps(rows, bits);
    tapsInRows = true;
  }
  if (bits <= kNoRow) {
    kind = Kind::Bits;
    numWords = isWide ? 4 : 2;
    return;
  }
  kind = Kind::Parts;
  const auto used = static_cast<int64_t>(checks.size()) + offsetWords;
  numWords = used <= 2 ? used : llvm::alignTo(used, 4);
}

SmallVector<PointTable::Taps> PointTable::findTaps(ArrayRef<GemmAxis> axes,
                                                   int64_t &bits) const {
  SmallVector<Taps> found;
  bits = 0;
  for (size_t d = 0; d < checks.size() && bits <= kNoRow; ++d) {
    Taps &here = found.emplace_back();
    here.first = bits;
    here.values = {0};
    for (auto [number, axis] : llvm::enumerate(axes)) {
      if (stepOf(axis, d) == 0 || bits > kNoRow)
        continue;
      here.axes.push_back(static_cast<unsigned>(number));
      bits =
          here.first + static_cast<int64_t>(here.values.size()) * axis.extent;
      if (bits > kNoRow)
        continue;
      SmallVector<int64_t> outer = std::move(here.values);
      here.values.clear();
      for (int64_t before : outer)
        for (int64_t i = 0; i < axis.extent; ++i)
          here.values.push_back(before + i * stepOf(axis, d));
    }
    bits = std::max<int64_t>(
        bits, here.first + static_cast<int64_t>(here.values.size()));
  }
  return found;
}

static Value orBits(KernelBuilder &k, Value x, Value y) {
  return k.b.createOrFold<arith::OrIOp>(k.loc, x, y);
}

/// Returns an i32 with one bit set, perhaps the sign bit.
static Value bitOf(KernelBuilder &k, int64_t number) {
  return k.constant(static_cast<int32_t>(uint32_t{1} << number));
}

Value PointTable::markTaps(KernelBuilder &k, ArrayRef<GemmAxis> axes,
                           ArrayRef<Value> values) const {
  Value marks = k.constant(0);
  for (const Taps &here : taps) {
    Value number = k.constant(0);
    for (unsigned axis : here.axes)
      number = k.add(k.mul(number, axes[axis].extent), values[axis]);
    marks = orBits(
        k, marks,
        k.b.createOrFold<arith::ShLIOp>(k.loc, bitOf(k, here.first), number));
  }
  return marks;
}

Value PointTable::markOutside(KernelBuilder &k, ArrayRef<Value> parts) const {
  Value marks = k.constant(0);
  for (auto [here, part, check] : llvm::zip_equal(taps, parts, checks))
    for (auto [i, value] : llvm::enumerate(here.values))
      marks = orBits(k, marks,
                     k.select(k.less(k.add(part, value), check.extent),
                              k.constant(0),
                              bitOf(k, here.first + static_cast<int64_t>(i))));
  return marks;
}

PointTable::Values PointTable::codeRow(KernelBuilder &k, ArrayRef<Value> values,
                                       ArrayRef<Value> parts,
                                       Value valid) const {
  if (kind == Kind::Offsets)
    return valid ? Values{valid} : Values{};
  if (kind == Kind::Parts) {
    Values coded(parts);
    if (valid)
      coded[0] = k.select(valid, coded[0], k.constant(kFarAway));
    return coded;
  }
  Value word = tapsInRows ? markTaps(k, rows, values) : markOutside(k, parts);
  word = orBits(k, word, bitOf(k, kNoPoint));
  if (valid)
    word = orBits(k, word, k.select(valid, k.constant(0), bitOf(k, kNoRow)));
  return {word};
}

PointTable::Values PointTable::codePoint(KernelBuilder &k, Value number,
                                         Value end, ArrayRef<Value> batchParts,
                                         ArrayRef<Value> skipParts) const {
  Value valid = end ? k.less(number, end) : Value();
  // Points past the end read as point 0; their entries are not used.
  Value known =
      k.select(k.less(number, view.numPoints()), number, k.constant(0));
  Values axes = decodeAxes(k, view.points, known);
  Value offset =
      walkAxes(k.offsets(isWide), view.points, axes,
               [&](const GemmAxis &axis) { return axis.stride(tensor); });
  Values entry = isWide ? k.splitWords(offset) : Values{offset};
  if (kind == Kind::Offsets)
    return entry;
  for (size_t d = 0; d < view.skips.size(); ++d) {
    Value part = walkAxes(k, view.points, axes,
                          [&](const GemmAxis &axis) { return axis.skips[d]; });
    valid =
        k.both(valid, k.less(k.add(part, skipParts[d]), view.skips[d].extent));
  }
  Values parts;
  for (size_t d = 0; d < checks.size(); ++d)
    parts.push_back(walkAxes(k, view.points, axes, [&](const GemmAxis &axis) {
      return stepOf(axis, d);
    }));
  if (kind == Kind::Parts) {
    if (valid)
      parts[0] = k.select(valid, parts[0], k.constant(kFarAway));
    entry.append(parts);
    entry.resize(static_cast<size_t>(numWords), k.constant(0));
    return entry;
  }
  Value word;
  if (tapsInRows) {
    for (auto [part, batch] : llvm::zip_equal(parts, batchParts))
      part = k.add(part, batch);
    word = markOutside(k, parts);
  } else {
    word = markTaps(k, view.points, axes);
  }
  word = orBits(k, word, bitOf(k, kNoRow));
  if (valid)
    word = orBits(k, word, k.select(valid, k.constant(0), bitOf(k, kNoPoint)));
  entry.push_back(word);
  entry.resize(static_cast<size_t>(numWords), k.constant(0));
  return entry;
}

Value PointTable::offsetOf(KernelBuilder &k, ArrayRef<Value> entry) const {
  return isWide ? k.joinWords(entry[0], entry[1]) : entry[0];
}

Value PointTable::test(KernelBuilder &k, ArrayRef<Value> row,
                       ArrayRef<Value> entry) const {
  if (kind == Kind::Offsets)
    return row.empty() ? Value() : row[0];
  ArrayRef<Value> parts = entry.drop_front(static_cast<size_t>(offsetWords));
  if (kind == Kind::Bits)
    return k.equal(k.b.createOrFold<arith::AndIOp>(k.loc, row[0], parts[0]),
                   k.constant(0));
  Value valid;
  for (size_t d = 0; d < checks.size(); ++d)
    valid = k.both(valid, k.less(k.add(row[d], parts[d]), checks[d].extent));
  return valid;
}

} // namespace gensyn::gpu
