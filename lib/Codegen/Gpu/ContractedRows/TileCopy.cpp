// See TileCopy.h.

#include "TileCopy.h"

using namespace mlir;

namespace gensyn::gpu {

/// Adjacent elements of an access.
static constexpr int64_t kWidth = 4;

TileCopy::TileCopy(KernelBuilder &k, const TileShape &shape, Value thread,
                   Value pointer, Place place)
    : k(k), shape(shape), pointer(pointer), isPlain(!place) {
  for (const TileShape::Axis &axis : shape.axes)
    extent *= axis.extent;
  chooseWay();
  constexpr int64_t points = StripLayout::kPoints,
                    threads = StripLayout::kThreads;
  const int64_t perItem = way == Way::Single ? 1 : kWidth;
  items = shape.positions * points / perItem / threads;
  const int64_t pitch = StripLayout::pitch(shape.positions);
  auto addPlace = [&](Value at, Value inTile) {
    if (place)
      inTile = place(inTile);
    shared.push_back(k.mul(k.add(k.mul(at, pitch), inTile), 4));
  };
  const bool pointsFirst = way == Way::AlongPoints || shape.pointStride == 1;
  for (int64_t item = 0; item < items; ++item) {
    Value id = k.add(thread, item * threads);
    if (pointsFirst) {
      const int64_t groups = way == Way::AlongPoints ? points / kWidth : points;
      point.push_back(k.mul(k.rem(id, groups), points / groups));
      position.push_back(k.div(id, groups));
    } else {
      const int64_t groups = shape.positions / perItem;
      position.push_back(k.mul(k.rem(id, groups), perItem));
      point.push_back(k.div(id, groups));
    }
    addPlace(point.back(), position.back());
    if (way == Way::AlongPositions && !isPlain)
      for (int64_t i = 1; i < kWidth; ++i)
        addPlace(point.back(), k.add(position.back(), i));
  }
}

void TileCopy::chooseWay() {
  auto isMultiple = [](int64_t x) { return x % kWidth == 0; };
  if (!llvm::all_of(shape.groupStrides, isMultiple) || shape.axes.empty())
    return;
  if (shape.pointStride == 1 && isMultiple(shape.points) &&
      llvm::all_of(shape.axes,
                   [&](auto &axis) { return isMultiple(axis.stride); }))
    way = Way::AlongPoints;
  else if (shape.axes.back().stride == 1 &&
           isMultiple(shape.axes.back().extent) &&
           isMultiple(shape.pointStride) &&
           llvm::all_of(ArrayRef(shape.axes).drop_back(),
                        [&](auto &axis) { return isMultiple(axis.stride); }))
    way = Way::AlongPositions;
}

TileCopy::Values TileCopy::findOffsets(Value first) {
  Values offsets;
  for (Value inTile : position) {
    Value at = k.add(first, inTile);
    // A position beyond the end is the last one: its results are not used.
    at = k.min(at, extent - (way == Way::AlongPositions ? kWidth : 1));
    Value offset = k.constant(0);
    for (size_t dim = shape.axes.size(); dim-- > 0;) {
      const TileShape::Axis &axis = shape.axes[dim];
      offset = k.add(
          offset, k.mul(dim == 0 ? at : k.rem(at, axis.extent), axis.stride));
      at = k.div(at, axis.extent);
    }
    offsets.push_back(offset);
  }
  return offsets;
}

TileCopy::Values TileCopy::load(ArrayRef<Value> offsets, Value first) {
  Values values;
  for (auto [inTile, offset] : llvm::zip_equal(point, offsets)) {
    Value at = k.add(first, inTile);
    Value address =
        k.far(pointer, k.add(offset, k.mul(at, shape.pointStride)), 4);
    Value valid;
    if (shape.points < shape.wanted) {
      valid = k.less(at, shape.points);
      address = k.select(valid, address, pointer);
    }
    Value value = k.load(k.b.getF32Type(), address,
                         way == Way::Single ? 1 : kWidth, /*constant=*/true);
    if (valid)
      value = k.select(valid, value, k.zero(value.getType()));
    values.push_back(value);
  }
  return values;
}

void TileCopy::store(ArrayRef<Value> values, Value tile) {
  const int64_t pitch = StripLayout::pitch(shape.positions);
  const int64_t places = int64_t(shared.size()) / items;
  for (int64_t item = 0; item < items; ++item) {
    Value value = values[item];
    auto at = [&](int64_t i) { return k.at(tile, shared[item * places + i]); };
    if (way == Way::Single || (way == Way::AlongPositions && isPlain)) {
      k.store(value, at(0));
      continue;
    }
    for (int64_t i = 0; i < kWidth; ++i)
      k.store(k.extract(value, i),
              way == Way::AlongPoints ? k.at(at(0), 4 * i * pitch) : at(i));
  }
}

} // namespace gensyn::gpu
