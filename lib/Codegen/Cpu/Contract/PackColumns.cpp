// Copies a part of B into the panel [points][vectors][lanes]; see Gemm.h. A
// convolution's windows are expanded here, so im2col is materialized one panel
// at a time.

#include "Gemm.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <vector>

using namespace mlir;

namespace gensyn::cpu {

static constexpr int64_t kPrefetchedPoints = 16;

/// A vector of columns: the address of its first element, the positions of its
/// lanes, and the value of each checked index of B without the points' part.
struct GemmEmitter::PackedColumn {
  /// Lanes that are at one distance from each other in B.
  struct Piece {
    Value base;  ///< as if all lanes were at this distance
    Value lanes; ///< their mask, null for all
  };
  int64_t vector;
  Value base;                   ///< the address at the very first point
  SmallVector<Piece, 1> pieces; ///< the same, where packing is by taps
  Value position;               ///< in the run
  Value exists;                 ///< mask of valid lanes
  Values laneAxes;              ///< the run's axes, as vectors of i32
  SmallVector<Value> checked; ///< without lanes (i64) where points are vectors
  Values sides; ///< addresses of the prologue's, at the very first point
};

GemmEmitter::PackedColumn
GemmEmitter::prepareColumn(const Tile &tile, Value column, int64_t vector,
                           const GemmPointers &pointers) {
  Column place = locate(code.add(code.mul(column, sizes.nv), vector));
  PackedColumn result;
  result.vector = vector;
  result.position = place.position;
  result.base = tensors.b.at(pointers.b,
                             offset(view.columns, place.outer, GemmTensor::B));
  result.exists = code.firstLanes(place.count);
  if (const Prologue *prologue = packedPrologue())
    for (auto [side, address] : llvm::enumerate(pointers.sidesOfB))
      result.sides.push_back(prologue->move(
          side, address,
          prologue->offsetOfColumn(side, place.outer, place.position)));
  if (packsByTaps(view))
    findPieces(result);
  auto fixedPart = [&](unsigned number) {
    return code.add(
        code.add(checkPart(view.batch, tile.batch, GemmTensor::B, number),
                 checkPart(view.columns, place.outer, GemmTensor::B, number)),
        view.bChecks[number].offset);
  };
  if (columnPacking(view) == ColumnPacking::Transposed) {
    for (unsigned number = 0; number < view.bChecks.size(); ++number)
      result.checked.push_back(fixedPart(number));
    return result;
  }

  // Lanes past the run repeat its last column; `exists` masks their reads.
  Value lane = code.b.createOrFold<arith::AddIOp>(
      code.loc, code.splat(code.truncate(place.position)), code.iota());
  lane = code.minSigned(lane, code.splat32(view.runLength() - 1));
  result.laneAxes.resize(view.run.size());
  for (size_t i = view.run.size(); i-- > 0;) {
    Value extent = code.splat32(view.run[i].extent);
    result.laneAxes[i] =
        i == 0 ? lane
               : code.b.createOrFold<arith::RemUIOp>(code.loc, lane, extent);
    if (i != 0)
      lane = code.b.createOrFold<arith::DivUIOp>(code.loc, lane, extent);
  }
  for (size_t number = 0; number < view.bChecks.size(); ++number) {
    Value index = code.splat(code.truncate(fixedPart(unsigned(number))));
    for (auto [axis, lanesOf] : llvm::zip_equal(view.run, result.laneAxes))
      if (number < axis.bChecks.size() && axis.bChecks[number] != 0)
        index = code.add(index,
                         code.mul(lanesOf, code.splat32(axis.bChecks[number])));
    result.checked.push_back(index);
  }
  return result;
}

void GemmEmitter::findPieces(PackedColumn &column) {
  if (columnPacking(view) != ColumnPacking::Pieces) {
    const int64_t stride = *singleStride(view.run, GemmTensor::B);
    column.pieces.push_back(
        {tensors.b.at(column.base, code.mul(column.position, stride)),
         Value()});
    return;
  }
  const codegen::ColumnPiece piece = pieceInB(view);
  const auto outer = ArrayRef(view.run).take_front(piece.outerAxes);
  const Value first = code.div(column.position, piece.length);
  for (int64_t i = 0; i < piecesPerVector(view, sizes.lanes); ++i) {
    Value number = code.add(first, i);
    // The lane of the piece's first column, maybe before the vector.
    Value lane = code.sub(code.mul(number, piece.length), column.position);
    // Pieces past the run have no valid lanes.
    Value existing = code.minSigned(number, code.constant(product(outer) - 1));
    Value start = offset(outer, decode(outer, existing), GemmTensor::B);
    Value lanes = code.firstLanes(code.add(lane, piece.length));
    if (i > 0)
      lanes =
          arith::XOrIOp::create(code.b, code.loc, lanes, code.firstLanes(lane));
    column.pieces.push_back(
        {tensors.b.at(column.base,
                      code.sub(start, code.mul(lane, piece.stride))),
         lanes});
  }
}

Value GemmEmitter::laneMask(const PackedColumn &column, ArrayRef<GemmAxis> axes,
                            ArrayRef<Value> at) {
  Value mask = column.exists;
  for (auto [number, check] : llvm::enumerate(view.bChecks)) {
    Value part =
        code.splat(code.truncate(checkPart(axes, at, GemmTensor::B, number)));
    Value index = code.add(column.checked[number], part);
    mask = code.both(mask, code.compare(arith::CmpIPredicate::ult, index,
                                        code.splat32(check.extent)));
  }
  return mask;
}

void GemmEmitter::packColumns(const Tile &tile, Value column,
                              const Visit &visit, const GemmPointers &pointers,
                              Value panel) {
  SmallVector<PackedColumn> columns;
  for (int64_t v = 0; v < sizes.nv; ++v)
    columns.push_back(prepareColumn(tile, column, v, pointers));
  switch (columnPacking(view)) {
  case ColumnPacking::Contiguous:
  case ColumnPacking::Strided:
  case ColumnPacking::Pieces:
    return packContiguous(columns, visit, panel);
  case ColumnPacking::Transposed:
    return packTransposed(columns, visit, panel);
  case ColumnPacking::Gathered:
    return packGathered(columns, visit, panel);
  }
}

void GemmEmitter::packParts(const Tile &tile, Value column, const Visit &visit,
                            const GemmPointers &pointers, Value panel) {
  const int64_t part = sizes.part;
  if (part == 0)
    return packColumns(tile, column, visit, pointers, panel);
  // In order: squares write beyond the last point of their part.
  Value end = code.add(visit.first, visit.count);
  code.loop(code.div(visit.first, part),
            code.div(code.add(end, part - 1), part), 1, [&](Value number) {
              Value begin = code.mul(number, part);
              Value first = code.maxSigned(visit.first, begin);
              Value last = code.minSigned(end, code.add(begin, part));
              Value skipped = code.sub(first, visit.first);
              packColumns(
                  tile, column, {first, code.sub(last, first), Value()},
                  pointers,
                  panelsOfB.at(panel, code.mul(skipped, sizes.columns())));
            });
}

// After an odd number of points the last pair has any number, by which only a
// zero of A is multiplied.
void GemmEmitter::joinPairs(Value panel, Value points) {
  code.loop(code.constant(0), code.div(code.add(points, 1), 2), 1,
            [&](Value pair) {
              Value from = code.at(panel, code.mul(pair, 2 * sizes.columns()));
              Value to = code.at(panel, code.mul(pair, sizes.columns()));
              for (int64_t v = 0; v < sizes.nv; ++v) {
                Value first = code.load(code.at(from, v * sizes.lanes));
                Value second =
                    code.load(code.at(from, sizes.columns() + v * sizes.lanes));
                code.store(code.joinHalves(first, second),
                           code.at(to, v * sizes.lanes));
              }
            });
}

void GemmEmitter::emitTapTables(const Tile &tile,
                                const GemmPointers &pointers) {
  Value scratch = pointers.scratch;
  const Taps taps = findTaps();
  Value tables = code.at(scratch, layout.tapOffset);
  code.loop(tile.firstColumn, tile.lastColumn, 1, [&](Value panel) {
    Value table = code.at(
        tables, code.mul(code.sub(panel, tile.firstColumn), layout.tapStride),
        code.i64);
    SmallVector<PackedColumn> columns;
    for (int64_t v = 0; v < sizes.nv; ++v)
      columns.push_back(prepareColumn(tile, panel, v, pointers));
    code.loop(code.constant(0), code.constant(taps.number), 1, [&](Value tap) {
      Values at = decode(taps.axes, tap);
      Value row = code.mul(tap, tapEntries(sizes));
      code.storeEntry(offset(taps.axes, at, GemmTensor::B), table, row);
      for (auto [v, column] : llvm::enumerate(columns))
        code.storeEntry(code.toBits(laneMask(column, taps.axes, at)), table,
                        code.add(row, 1 + int64_t(v)));
    });
  });
}

/// Reads a vector of columns that are `stride` elements of B apart: all vectors
/// in memory from its first to its last element, whose lanes are then chosen.
class GemmEmitter::ColumnLanes {
public:
  /// `mask` is that of the columns, null for all.
  ColumnLanes(CpuBuilder &code, const StoredTensor &b, int64_t stride,
              Value mask)
      : code(code), b(b), stride(stride) {
    const int64_t lanes = code.lanes;
    for (int64_t part = 0; part < stride; ++part) {
      SmallVector<int64_t> from;
      SmallVector<bool> isColumn;
      for (int64_t i = part * lanes; i < (part + 1) * lanes; ++i) {
        from.push_back(i / stride);
        isColumn.push_back(i % stride == 0);
      }
      if (mask) {
        masks.push_back(stride == 1 ? mask : both(mask, from, isColumn));
        continue;
      }
      // The elements after the last column may be beyond the end of B.
      masks.push_back(part > 0 && part == stride - 1 ? constant(isColumn)
                                                     : Value());
    }
  }

  Value load(Value address) const {
    Value value = b.load(address, masks[0]);
    const int64_t lanes = code.lanes;
    for (int64_t part = 1; part < stride; ++part) {
      Value next = b.load(b.at(address, part * lanes), masks[size_t(part)]);
      // Before, the first vector holds its columns at their places in memory,
      // and later parts add theirs.
      SmallVector<int64_t> from;
      for (int64_t i = 0; i < lanes; ++i) {
        const int64_t at = i * stride;
        from.push_back(at / lanes == part ? lanes + at % lanes
                       : part == 1        ? at % lanes
                                          : i);
      }
      value = vector::ShuffleOp::create(code.b, code.loc, value, next, from);
    }
    return value;
  }

private:
  Value constant(ArrayRef<bool> lanes) {
    return arith::ConstantOp::create(code.b, code.loc,
                                     DenseElementsAttr::get(code.mask, lanes));
  }
  /// The mask's lanes `from`, where they are columns.
  Value both(Value mask, ArrayRef<int64_t> from, ArrayRef<bool> isColumn) {
    Value spread =
        vector::ShuffleOp::create(code.b, code.loc, mask, mask, from);
    return arith::AndIOp::create(code.b, code.loc, spread, constant(isColumn));
  }

  CpuBuilder &code;
  const StoredTensor &b;
  int64_t stride;
  Values masks; ///< of the vectors in memory, null for all lanes
};

/// Computes vectors of columns by the prologue, if there is one, at points of a
/// visit within a part.
class GemmEmitter::ColumnSides {
public:
  ColumnSides(CpuBuilder &code, const Prologue *prologue,
              const PackedColumn &column, const Visit &visit)
      : code(code), prologue(prologue), mask(column.exists) {
    for (auto [side, address] : llvm::enumerate(column.sides)) {
      addresses.push_back(prologue->move(
          side, address, prologue->offsetOfPoint(side, visit.first)));
      fixed.push_back(prologue->stepOfPoint(side) == 0
                          ? prologue->load(side, addresses.back(), mask)
                          : Value());
    }
  }

  /// `point`: in the visit.
  Value compute(Value main, Value point) const {
    if (!prologue)
      return main;
    Values values = fixed;
    for (auto [side, value] : llvm::enumerate(values))
      if (!value)
        value = prologue->load(
            side,
            prologue->move(side, addresses[side],
                           code.mul(point, prologue->stepOfPoint(side))),
            mask);
    return prologue->compute(main, values);
  }

private:
  CpuBuilder &code;
  const Prologue *prologue;
  Value mask;
  Values addresses, fixed;
};

GemmEmitter::Taps GemmEmitter::findTaps() const {
  const int64_t taps = *tapsOf(view);
  ArrayRef<GemmAxis> points(view.points);
  size_t inner = points.size();
  for (int64_t covered = 1; covered < taps;)
    covered *= points[--inner].extent;
  return {taps, *singleStride(points.take_front(inner), GemmTensor::B),
          points.drop_front(inner)};
}

// One tap after another: the bounds depend on the tap alone. All taps of the
// visit's first and last points are copied.
void GemmEmitter::packContiguous(ArrayRef<PackedColumn> columns,
                                 const Visit &visit, Value panel) {
  const auto [taps, stride, tapAxes] = findTaps();
  const codegen::ColumnPiece piece = pieceInB(view);
  const bool hasPieces = columnPacking(view) == ColumnPacking::Pieces;
  const bool hasMasks =
      !view.bChecks.empty() || hasPieces || view.runLength() % sizes.lanes != 0;

  Value first = code.div(visit.first, taps);
  Value end =
      code.div(code.add(code.add(visit.first, visit.count), taps - 1), taps);
  Value count = code.sub(end, first);
  code.loop(code.constant(0), code.constant(taps), 1, [&](Value tap) {
    Values at = decode(tapAxes, tap);
    Value start =
        code.add(code.mul(first, stride), offset(tapAxes, at, GemmTensor::B));
    Value target = panelsOfB.at(panel, code.mul(tap, sizes.columns()));
    // The masks of each column's pieces; a single null for a whole vector.
    auto copy = [&](ArrayRef<Values> masks) {
      std::vector<std::vector<ColumnLanes>> lanes;
      for (const Values &ofPieces : masks) {
        auto &own = lanes.emplace_back();
        for (Value mask : ofPieces)
          own.emplace_back(code, sourceOfB, piece.stride, mask);
      }
      SmallVector<ColumnSides> sides;
      for (const PackedColumn &column : columns)
        sides.emplace_back(code, packedPrologue(), column, visit);
      code.loop(code.constant(0), count, 1, [&](Value i) {
        Value row = panelsOfB.at(target, code.mul(i, taps * sizes.columns()));
        Value along = code.add(start, code.mul(i, stride));
        for (auto [v, column] : llvm::enumerate(columns)) {
          Value value;
          for (auto [p, ofPiece] : llvm::enumerate(lanes[v])) {
            Value source = tensors.b.at(column.pieces[p].base, along);
            // The vectors of a point are too few for the processor to foresee
            // those of the next points.
            code.prefetch(tensors.b.at(source, kPrefetchedPoints * stride));
            Value next = ofPiece.load(source);
            value = value ? code.select(masks[v][p], next, value) : next;
          }
          panelsOfB.store(sides[v].compute(value, i),
                          panelsOfB.at(row, column.vector * sizes.lanes));
        }
      });
    };
    const SmallVector<Values> none(columns.size(), Values(1));
    if (!hasMasks)
      return copy(none);
    SmallVector<Values> masks;
    Value areFull;
    for (const PackedColumn &column : columns) {
      Value mask = laneMask(column, tapAxes, at);
      Values &own = masks.emplace_back();
      for (const PackedColumn::Piece &part : column.pieces)
        own.push_back(part.lanes ? code.both(mask, part.lanes) : mask);
      Value isFull = code.isFull(own.front());
      areFull = areFull ? code.both(areFull, isFull) : isFull;
    }
    if (hasPieces && piece.length < sizes.lanes)
      return copy(masks);
    code.when(areFull, [&] { copy(none); }, [&] { copy(masks); });
  });
}

/// The checked indices of vectors of points of a visit, which are contiguous.
class GemmEmitter::PointChecks {
public:
  /// `at`: the axes' values at the first point.
  PointChecks(GemmEmitter &gemm, const Visit &visit, ArrayRef<Value> at)
      : gemm(gemm), code(gemm.code), count(visit.count) {
    ArrayRef<GemmAxis> points(gemm.view.points);
    const int64_t length = contiguousPoints(gemm.view, GemmTensor::B);
    size_t outer = points.size();
    for (int64_t covered = 1; covered < length;)
      covered *= points[--outer].extent;
    axes = points.drop_front(outer);
    first = code.truncate(code.rem(visit.first, length));
    for (unsigned i = 0; i < gemm.view.bChecks.size(); ++i)
      outerParts.push_back(gemm.checkPart(
          points.take_front(outer), at.take_front(outer), GemmTensor::B, i));
  }

  /// Returns the part that all points of the visit have.
  Value fixed(unsigned number) const { return outerParts[number]; }

  /// Returns the other parts of the points from number `point` of the visit on,
  /// out of bounds past the last one.
  Values partsAt(Value point) const {
    Value start = code.truncate(point);
    Value flat = code.add(code.splat(code.add(first, start)), code.iota());
    Values values(axes.size());
    for (size_t i = axes.size(); i-- > 0;) {
      Value extent = code.splat32(axes[i].extent);
      values[i] =
          i == 0 ? flat
                 : code.b.createOrFold<arith::RemUIOp>(code.loc, flat, extent);
      flat = code.b.createOrFold<arith::DivUIOp>(code.loc, flat, extent);
    }
    Value exists = code.firstLanes(code.sub(count, point));
    Values parts;
    for (unsigned number = 0; number < gemm.view.bChecks.size(); ++number) {
      Value part = code.splat32(0);
      for (auto [axis, value] : llvm::zip_equal(axes, values))
        if (number < axis.bChecks.size() && axis.bChecks[number] != 0)
          part = code.add(part,
                          code.mul(value, code.splat32(axis.bChecks[number])));
      parts.push_back(
          code.select(exists, part, code.splat32(int64_t(1) << 30)));
    }
    return parts;
  }

  /// Returns the mask of the points that are within bounds with a lane's own
  /// indices.
  Value mask(ArrayRef<Value> parts, ArrayRef<Value> own) const {
    Value all;
    for (auto [number, check] : llvm::enumerate(gemm.view.bChecks)) {
      Value index = code.add(parts[number], code.splat(own[number]));
      Value isInside = code.compare(arith::CmpIPredicate::ult, index,
                                    code.splat32(check.extent));
      all = all ? code.both(all, isInside) : isInside;
    }
    return all;
  }

private:
  GemmEmitter &gemm;
  CpuBuilder &code;
  Value count;
  ArrayRef<GemmAxis> axes; ///< of contiguous points
  Value first;             ///< point along them (i32)
  Values outerParts;
};

// Vectors are along points, and their squares are transposed. Checks of a
// lane's points take its own index and, for all lanes, the part of the points.
void GemmEmitter::packTransposed(ArrayRef<PackedColumn> columns,
                                 const Visit &visit, Value panel) {
  const auto stride = singleStride(view.run, GemmTensor::B);
  const Values at = decode(view.points, visit.first);
  Value first = offset(view.points, at, GemmTensor::B);
  const PointChecks checks(*this, visit, at);
  for (const PackedColumn &column : columns) {
    const ColumnSides sides(code, packedPrologue(), column, visit);
    // Points beyond the last one are not used, but must be readable.
    Value last = code.sub(visit.count, code.constant(1));
    SmallVector<Value> sources;
    SmallVector<Values> indices; // of each lane, for each check
    for (int64_t lane = 0; lane < sizes.lanes; ++lane) {
      Value position = code.minSigned(code.add(column.position, lane),
                                      code.constant(view.runLength() - 1));
      const Values axes = decode(view.run, position);
      Value along = stride ? code.mul(position, *stride)
                           : offset(view.run, axes, GemmTensor::B);
      sources.push_back(tensors.b.at(column.base, code.add(along, first)));
      Values &own = indices.emplace_back();
      for (unsigned number = 0; number < view.bChecks.size(); ++number)
        own.push_back(code.truncate(
            code.add(code.add(column.checked[number], checks.fixed(number)),
                     checkPart(view.run, axes, GemmTensor::B, number))));
    }
    auto square = [&](Value point, function_ref<Value(int64_t)> maskOf) {
      SmallVector<Value> rows;
      for (auto [lane, from] : llvm::enumerate(sources))
        rows.push_back(
            sourceOfB.load(sourceOfB.at(from, point), maskOf(int64_t(lane))));
      Value target =
          panelsOfB.at(panel, code.add(code.mul(point, sizes.columns()),
                                       column.vector * sizes.lanes));
      for (auto [i, value] : llvm::enumerate(transpose(code, rows)))
        panelsOfB.store(
            sides.compute(value,
                          code.minSigned(code.add(point, int64_t(i)), last)),
            panelsOfB.at(target, int64_t(i) * sizes.columns()));
    };
    if (!view.bChecks.empty()) {
      code.loop(code.constant(0), visit.count, sizes.lanes, [&](Value point) {
        const Values parts = checks.partsAt(point);
        square(point, [&](int64_t lane) {
          return checks.mask(parts, indices[size_t(lane)]);
        });
      });
      continue;
    }
    Value rest = code.b.createOrFold<arith::RemUIOp>(
        code.loc, visit.count, code.constant(sizes.lanes));
    Value whole = code.sub(visit.count, rest);
    code.loop(code.constant(0), whole, sizes.lanes, [&](Value point) {
      square(point, [](int64_t) { return Value(); });
    });
    code.loop(whole, visit.count, sizes.lanes, [&](Value point) {
      Value mask = code.firstLanes(rest);
      square(point, [&](int64_t) { return mask; });
    });
  }
}

void GemmEmitter::packGathered(ArrayRef<PackedColumn> columns,
                               const Visit &visit, Value panel) {
  SmallVector<Value> lanesFrom;
  for (const PackedColumn &column : columns) {
    Value offsets = code.splat32(0);
    for (auto [axis, lanesOf] : llvm::zip_equal(view.run, column.laneAxes))
      offsets = code.add(offsets, code.mul(lanesOf, code.splat32(axis.b)));
    lanesFrom.push_back(offsets);
  }
  code.loop(code.constant(0), visit.count, 1, [&](Value i) {
    Values at = decode(view.points, code.add(visit.first, i));
    Value along = offset(view.points, at, GemmTensor::B);
    for (auto [v, column] : llvm::enumerate(columns)) {
      Value first = tensors.b.at(column.base, along);
      Value mask = laneMask(column, view.points, at);
      // A single column has no vector of addresses (and offsets of 0 would fold
      // to one address): only the first lane is valid.
      Value value =
          view.run.empty()
              ? sourceOfB.load(first, mask)
              : sourceOfB.gather(sourceOfB.at(first, lanesFrom[v]), mask);
      panelsOfB.store(
          ColumnSides(code, packedPrologue(), column, visit).compute(value, i),
          panelsOfB.at(panel, code.add(code.mul(i, sizes.columns()),
                                       column.vector * sizes.lanes)));
    }
  });
}

} // namespace gensyn::cpu
