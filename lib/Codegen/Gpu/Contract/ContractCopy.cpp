// The copies of a contraction's operand into shared memory; see ContractSide.h.

#include "ContractSide.h"

#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"

using namespace mlir;

namespace gensyn::gpu {

namespace {
/// Emits conversions of elements as vectors of `lanes`.
class VectorElements final : public codegen::KernelEmitter {
public:
  VectorElements(KernelBuilder &k, int64_t lanes)
      : KernelEmitter(k.b, k.loc), k(k), lanes(lanes) {}
  Value splat(Value scalar) override {
    return k.pack(SmallVector<Value>(static_cast<size_t>(lanes), scalar));
  }

private:
  KernelBuilder &k;
  int64_t lanes;
};
} // namespace

/// A missing row has the addresses of row 0; its elements are masked.
ContractSide::Place ContractSide::placeRow(Value row, Value valid) {
  Place place;
  place.valid = valid;
  Values values = decodeAxes(k, rows, k.select(valid, row, k.constant(0)));
  place.offset = walkAxes(offsets, rows, values, [&](const GemmAxis &axis) {
    return axis.stride(tensor);
  });
  for (size_t d = 0; d < checks.size(); ++d) {
    auto step = [&](const GemmAxis &axis) { return checkSteps(axis)[d]; };
    place.checks.push_back(
        k.add(walkAxes(k, rows, values, step), checkBatch[d]));
  }
  if (!isAffine())
    place.code = table.codeRow(k, values, place.checks, valid);
  return place;
}

/// Entries are stored in the order in which a copying thread needs them.
void ContractSide::prepareTable(Value points, ArrayRef<Value> batch) {
  for (size_t d = 0; d < checks.size(); ++d)
    checkBatch.push_back(k.add(
        walkAxes(k, view.batch, batch,
                 [&](const GemmAxis &axis) { return checkSteps(axis)[d]; }),
        checks[d].offset));
  for (size_t d = 0; d < view.skips.size(); ++d)
    skipBatch.push_back(
        k.add(walkAxes(k, view.batch, batch,
                       [&](const GemmAxis &axis) { return axis.skips[d]; }),
              view.skips[d].offset));
  if (isAffine())
    return;
  const int64_t size = 4 * table.words();
  const int64_t each = alongPoints ? 1 : pointCount;
  entries = points;
  ownEntries = k.at(points, k.mul(firstOfThread, each * size));
}

void ContractSide::writeTable(const PointRange &points, Value stage) {
  if (isAffine())
    return;
  k.when(k.less(ownThread, sizes.bk), [&] {
    Value number = ownThread;
    if (!alongPoints && pointCount > 1)
      number = k.add(k.div(number, pointCount),
                     k.mul(k.rem(number, pointCount), pointStep));
    Values entry = table.codePoint(k, k.add(points.first, number), points.end,
                                   checkBatch, skipBatch);
    k.store(k.pack(entry),
            k.at(k.at(entries, stage), k.mul(ownThread, 4 * table.words())));
  });
}

SmallVector<ContractSide::Values> ContractSide::readTable(Value stage) {
  const int64_t words = table.words();
  int64_t count = alongPoints ? 4 : pointCount;
  if (alongPoints && run >= 4)
    count = 1;
  const int64_t groups = layout == Layout::Matrix ? pointCount : 1;
  SmallVector<Values> read(static_cast<size_t>(groups * count));
  Value from = k.at(ownEntries, stage);
  const int64_t chunk = std::min<int64_t>(4, words * count);
  for (int64_t group = 0; group < groups; ++group)
    for (int64_t i = 0; i < words * count; i += chunk) {
      Value vector =
          k.load(k.b.getI32Type(),
                 k.at(from, 4 * (group * pointStep * words + i)), chunk);
      for (int64_t j = 0; j < chunk; ++j)
        read[static_cast<size_t>(group * count + (i + j) / words)].push_back(
            k.extract(vector, j));
    }
  return read;
}

ContractSide::Share ContractSide::shareTile(Value thread) {
  if (layout == Layout::Matrix)
    return shareMatrix(thread);
  const int64_t bk = sizes.bk;
  Share share;
  auto &[row, point, rowStep, rowCount] = share;
  if (alongPoints) {
    const int64_t perRow = bk / 4;
    row = k.div(thread, perRow);
    point = k.mul(k.rem(thread, perRow), 4);
    rowStep = threads / perRow;
    rowCount = std::max<int64_t>(extent / rowStep, 1);
    if (rowStep > extent)
      active = k.less(thread, extent * perRow);
  } else {
    const int64_t runs = extent / width;
    if (threads >= runs) {
      row = k.mul(k.rem(thread, runs), width);
      point = k.div(thread, runs);
      pointStep = threads / runs;
      pointCount = std::max<int64_t>(bk / pointStep, 1);
      if (pointStep > bk) {
        active = k.less(thread, runs * bk);
        // Inactive threads look up point 0.
        point = k.select(active, point, k.constant(0));
      }
    } else {
      row = k.mul(thread, width);
      point = k.constant(0);
      rowStep = threads * width;
      rowCount = runs / threads;
      pointStep = 1;
      pointCount = bk;
    }
  }
  return share;
}

void ContractSide::prepare(Value thread, Value shared, Value points, Value tile,
                           ArrayRef<Value> batch, Value first) {
  pointCount = 1;
  const Share share = shareTile(thread);
  firstOfThread = share.point;
  // Another warp writes the entries of B, or several do.
  ownThread = isB() && threads >= k.target.warpSize + sizes.bk
                  ? k.sub(thread, k.constant(k.target.warpSize))
                  : thread;
  prepareTable(points, batch);
  Value firstRow = k.add(k.mul(tile, extent), share.row);
  const int64_t allRows = codegen::product(rows);
  const bool isWhole = allRows % extent == 0;

  Value batchOffset =
      walkAxes(offsets, view.batch, batch,
               [&](const GemmAxis &axis) { return axis.stride(tensor); });
  Value start = offsets.add(batchOffset, isB() ? view.bOffset : view.aOffset);
  if (pointStride)
    start =
        offsets.add(start, k.b.createOrFold<arith::MulIOp>(
                               k.loc, offsets.widen(k.add(first, share.point)),
                               offsets.constant(*pointStride)));
  // Rows with a constant stride need one address, others one each.
  const bool isOneAddress = rowStride && checks.empty();
  base = k.far(pointer, start, bytes);
  if (isOneAddress)
    base = k.far(base, offsets.mul(offsets.widen(firstRow), *rowStride), bytes);
  for (int64_t i = 0; i < share.rowCount; ++i) {
    Value number = k.add(firstRow, i * share.rowStep);
    Place place;
    if (!isWhole)
      place.valid = k.less(number, allRows);
    if (isOneAddress) {
      place.constant = i * share.rowStep * *rowStride;
      if (!isAffine())
        place.code = table.codeRow(k, {}, {}, place.valid);
    } else {
      place = placeRow(number, place.valid);
    }
    // Addresses take more registers than offsets but save instructions.
    if (!isAffine() && share.rowCount <= 2 && place.offset) {
      place.address = k.far(base, place.offset, bytes);
      place.offset = {};
    }
    rowPlaces.push_back(place);
  }
  placeDestinations(share, shared);
  if (layout == Layout::Matrix)
    return placeMatrixFragments(thread, shared);
  readShared = shared;
  if (layout == Layout::Rows)
    readShared = k.at(shared, k.mul(readIndex, sizes.bk * unit));
}

void ContractSide::placeDestinations(const Share &share, Value shared) {
  if (layout == Layout::Matrix)
    return placeMatrixRows(share, shared);
  const auto &[row, point, rowStep, rowCount] = share;
  const int64_t bk = sizes.bk;
  for (int64_t i = 0; i < rowCount; ++i) {
    int64_t offset = i * rowStep;
    Value at = row;
    if (layout == Layout::Rows) {
      // (row >> keepShift) & keepMask has this period in the row.
      const int64_t period = (keepMask + 1) << keepShift;
      if (offset % period != 0) {
        at = k.add(row, offset);
        offset = 0;
      }
      Value group =
          k.bitXor(k.div(point, 4), k.bitAnd(k.shr(at, keepShift), keepMask));
      at = k.add(k.mul(at, bk * unit), k.mul(group, 4 * unit));
      offset *= bk * unit;
    } else {
      if (layout == Layout::Swizzled) {
        if (offset % 32 != 0) {
          at = k.add(row, offset);
          offset = 0;
        }
        at = k.bitXor(at,
                      k.mul(k.rem(k.div(point, 4), swizzleCount), swizzleStep));
      }
      at = k.add(k.mul(point, extent * unit), k.mul(at, unit));
      offset *= unit;
    }
    rowShared.push_back(k.at(shared, at));
    rowSharedOffset.push_back(offset);
  }
}

ContractSide::Values ContractSide::start() const {
  return isAffine() ? Values{base} : Values{};
}

ContractSide::Values ContractSide::advance(ValueRange carried, Value step) {
  if (!isAffine())
    return {};
  if (!step)
    return {k.far(carried[0], sizes.bk * *pointStride, bytes)};
  return {
      k.far(carried[0], offsets.mul(offsets.widen(step), *pointStride), bytes)};
}

ContractSide::Place ContractSide::placePoint(Value number, int64_t constant,
                                             const PointRange &points) {
  Place place;
  Value at = number ? k.add(number, constant) : Value();
  if (hasRaggedTiles(view, sizes))
    place.valid = k.less(at, points.end);
  place.constant = constant * *pointStride;
  // Points have a constant stride here, so windows have one point and only the
  // batch axes decide whether it is skipped.
  for (size_t d = 0; d < view.skips.size(); ++d)
    place.valid =
        k.both(place.valid, k.less(skipBatch[d], view.skips[d].extent));
  return place;
}

int64_t ContractSide::accessesAlongPoints() const {
  if (layout == Layout::Matrix)
    return pointCount * bytesCopy.accesses();
  return alongPoints ? 4 / width : pointCount;
}

int64_t ContractSide::pointOfAccess(int64_t access) const {
  if (layout == Layout::Matrix) {
    const int64_t each = bytesCopy.accesses();
    return access / each * pointStep + access % each;
  }
  return access * (alongPoints ? width : pointStep);
}

Value ContractSide::loadPiece(Value address, int64_t count) {
  // Matrix units read words of four bytes.
  if (layout == Layout::Matrix && count >= 4)
    return k.load(k.b.getI32Type(), address, count / 4, /*constant=*/true);
  return k.load(stored, address, count, /*constant=*/true);
}

void ContractSide::forEachPiece(ValueRange carried, const PointRange &points,
                                Value stage,
                                function_ref<void(const Piece &)> copy) {
  Value from = isAffine() ? carried[0] : base;
  Value number = points.first ? k.add(points.first, firstOfThread) : Value();
  SmallVector<Values> found;
  if (!isAffine())
    found = readTable(stage);
  for (int64_t j = 0; j < accessesAlongPoints(); ++j) {
    const int64_t at = pointOfAccess(j);
    Place point;
    Values entry;
    if (isAffine()) {
      point = placePoint(number, at, points);
    } else if (layout == Layout::Matrix) {
      entry = found[static_cast<size_t>(j)];
    } else if (alongPoints && run >= 4) {
      // The points of a run are contiguous in the operand too.
      entry = found[0];
      point.constant = at;
    } else {
      entry = found[static_cast<size_t>(alongPoints ? at : j)];
    }
    if (!isAffine())
      point.offset = table.offsetOf(k, entry);
    // The layout is [point][row]; with Rows one copy has all points of a row.
    const int64_t down = layout == Layout::Rows ? 0 : at * extent * unit;
    for (auto [i, row] : llvm::enumerate(rowPlaces)) {
      Piece piece;
      if (isAffine()) {
        piece.valid = k.both(row.valid, point.valid);
        for (size_t d = 0; d < checks.size(); ++d)
          piece.valid =
              k.both(piece.valid, k.less(row.checks[d], checks[d].extent));
      } else {
        piece.valid = table.test(k, row.code, entry);
      }
      Value offset = row.offset;
      if (point.offset)
        offset = offset ? offsets.add(offset, point.offset) : point.offset;
      piece.address = row.address ? row.address : from;
      if (offset)
        piece.address = k.far(piece.address, offset, bytes);
      piece.address =
          k.far(piece.address, row.constant + point.constant, bytes);
      if (layout != Layout::Matrix) {
        piece.shared = rowShared[i];
        piece.sharedOffset = rowSharedOffset[i] + down;
      } else if (isAsync()) {
        piece.shared = matrixPlace(i, 0, at);
      }
      piece.count = width;
      copy(piece);
    }
  }
}

void ContractSide::copyTile(ValueRange carried, const PointRange &points,
                            Value stage) {
  k.when(active, [&] {
    forEachPiece(carried, points, stage, [&](const Piece &piece) {
      const int64_t size = piece.count * bytes;
      Value read;
      if (piece.valid)
        read = k.select(piece.valid, k.constant(size), k.constant(0));
      k.copyAsync(k.at(k.at(piece.shared, stage), piece.sharedOffset),
                  piece.address, size, read);
    });
  });
}

ContractSide::Values ContractSide::loadTile(ValueRange carried,
                                            const PointRange &points,
                                            Value stage, Value wanted) {
  Values values;
  // The table has a point for each tile, be it the first one.
  Values from(carried);
  if (isAffine() && wanted)
    from[0] = k.select(wanted, from[0], base);
  forEachPiece(from, points, stage, [&](const Piece &piece) {
    // Missing elements and inactive threads read from a valid address.
    Value valid = k.both(piece.valid, active);
    Value address = k.select(valid, piece.address, pointer);
    Value value = loadPiece(address, piece.count);
    if (piece.valid) {
      Value none = arith::ConstantOp::create(k.b, k.loc,
                                             k.b.getZeroAttr(value.getType()));
      value = k.select(piece.valid, value, none);
    }
    values.push_back(value);
    joinSingles(values);
  });
  return values;
}

/// Widens a value to the type of the sums, exactly (contract_r1).
Value ContractSide::widen(Value value) {
  if (stored == wide)
    return value;
  int64_t count = 1;
  if (auto type = dyn_cast<VectorType>(value.getType()))
    count = type.getNumElements();
  VectorElements vectors(k, count);
  codegen::KernelEmitter scalars(k.b, k.loc);
  repro::ElementEmitter &emitter =
      count == 1 ? static_cast<repro::ElementEmitter &>(scalars) : vectors;
  return emit::Scalar(emitter, element).convert(value, sum);
}

void ContractSide::storeTile(ValueRange values, Value stage) {
  if (layout == Layout::Matrix)
    return storeMatrix(values, stage);
  k.when(active, [&] {
    size_t number = 0;
    for (int64_t j = 0; j < accessesAlongPoints(); ++j)
      for (size_t i = 0; i < rowPlaces.size(); ++i) {
        Value value = widen(values[number++]);
        Value to = k.at(k.at(rowShared[i], stage), rowSharedOffset[i]);
        if (layout == Layout::Rows) {
          k.store(value, to);
        } else if (!alongPoints) {
          k.store(value, k.at(to, j * pointStep * extent * unit));
        } else {
          for (int64_t p = 0; p < width; ++p)
            k.store(k.extract(value, p),
                    k.at(to, (j * width + p) * extent * unit));
        }
      }
  });
}

} // namespace gensyn::gpu
