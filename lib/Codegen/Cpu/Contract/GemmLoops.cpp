// The loops around the micro-kernel; see Gemm.h.

#include "../ByteContract/ByteMicroKernel.h"
#include "../Common/Rounding.h"
#include "Gemm.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {
int64_t roundUp(int64_t x, int64_t y) { return ceilDiv(x, y) * y; }
constexpr int64_t kEntryBytes = 8;
} // namespace

GemmLayout::GemmLayout(const GemmView &view, const GemmSizes &sizes,
                       int64_t entries, size_t sides) {
  rowPanels = ceilDiv(view.numRows(), sizes.mr);
  panelsPerBlock = ceilDiv(sizes.rows, sizes.mr);
  rowBlocks = ceilDiv(rowPanels, panelsPerBlock);
  columnPanels = numColumnPanels(view, sizes);
  columnGroups = ceilDiv(columnPanels, sizes.group);
  panelsPerTile = ceilDiv(sizes.tileRows, sizes.mr);
  tilesPerBlock = ceilDiv(panelsPerBlock, panelsPerTile);
  tiles = view.numBatches() * rowBlocks * columnGroups * tilesPerBlock;

  auto table = [&](int64_t count) {
    return roundUp(count * kEntryBytes, kLineBytes) / sizes.sumBytes;
  };
  const int64_t panels = sizes.group * sizes.joined;
  tableEntries = kTableEntries + (sizes.readsStored() ? int64_t(sides) : 0);
  if (isJoined(view))
    tableEntries += kJoinedEntries;
  entryOffset = table(panels * sizes.nv * tableEntries);
  blockOffset = entryOffset + table(panels * sizes.nv * entries);
  tapOffset = blockOffset + table(int64_t(view.blockStarts.size()));
  tapStride = readsWindows(view, sizes) ? *tapsOf(view) * tapEntries(sizes) : 0;
  rowTapOffset = tapOffset + table(panels * tapStride);
  pointerOffset = rowTapOffset;
  if (sizes.rowPointers && hasTapOffsets(view))
    pointerOffset += table(codegen::tapsOfRows(view)->number);
  zeroOffset = pointerOffset;
  panelOffset = zeroOffset;
  if (sizes.rowPointers) {
    const int64_t taps = codegen::tapsOfRows(view)->number;
    zeroOffset += table(rowPointersOf(view, sizes, panelsPerBlock));
    panelOffset = zeroOffset + (view.aChecks.empty()
                                    ? 0
                                    : roundUp(view.numPoints() / taps,
                                              kLineBytes / sizes.sumBytes));
  }
  // Transposed packing writes whole squares, beyond the last point; packing
  // tap by tap begins and ends with whole groups of taps.
  int64_t beyond = sizes.lanes;
  if (packsByTaps(view))
    beyond = 2 * (*tapsOf(view) - 1);
  // Raw panels are read in the order of memory, without gaps.
  const bool isDense = sizes.rawPanels && (sizes.foldsPanels() || beyond > 0);
  scratchOfPanels =
      isDense ? sizes.panelBytes() * (kPointsPerFold + beyond) * sizes.columns()
              : 0;
  // In sums. Panels that are copied once have all points.
  panelStride = roundUp(((sizes.packOnce ? view.numPoints() : sizes.kc) +
                         (isDense ? 0 : beyond) + sizes.perElement() - 1) *
                            sizes.pointStep(),
                        kLineBytes / sizes.panelBytes());
  if (sizes.multipliesBytes())
    panelStride = roundUp(sizes.kc, sizes.pointStepOfBytes()) /
                  sizes.perElement() * sizes.columns();
  const bool packsVisits = sizes.packB && !sizes.packOnce;
  fetchStep = ceilDiv(sizes.columns(), std::min(rowPanels, panelsPerTile));
  partialOffset = panelOffset + (packsVisits ? panels * panelStride : 0);
  // Tile registers are stored there, too.
  bool waits = sizes.kc < pointsInTile(view) ||
               pointsPerSegment(view, sizes) < view.numPoints() ||
               sizes.byteProducts == ByteProducts::Tiles;
  partialStride = panelsPerBlock * sizes.mr * sizes.columns();
  scratchBytes =
      sizes.sumBytes * (partialOffset + (waits ? panels * partialStride : 0));

  int64_t points = view.numPoints();
  if (sizes.multipliesBytes())
    points = roundUp(points, sizes.pointStepOfBytes());
  panelsPerPack = sizes.multipliesBytes() ? 1 : kRowPanelsPerTile;
  pointsPerPack = sizes.multipliesBytes() ? points : kPointsPerTile;
  packTiles = view.numBatches() * ceilDiv(rowPanels, panelsPerPack) *
              ceilDiv(points, pointsPerPack);
  // Slightly more than its rows, so that panels map to different cache sets.
  rowPanelStride = sizes.mr * ceilDiv(points, sizes.perElement()) + sizes.lanes;
  batchPanels = rowPanels * rowPanelStride;
  workspaceBytes = sizes.sumBytes * view.numBatches() * batchPanels;
  columnPanelBytes = sizes.panelBytes() * columnPanels * panelStride;
}

GemmEmitter::Values GemmEmitter::decode(ArrayRef<GemmAxis> axes, Value flat) {
  Values result(axes.size());
  for (size_t i = axes.size(); i-- > 0;) {
    result[i] = i == 0 ? flat : code.rem(flat, axes[i].extent);
    flat = code.div(flat, axes[i].extent);
  }
  return result;
}

Value GemmEmitter::offset(ArrayRef<GemmAxis> axes, ArrayRef<Value> at,
                          GemmTensor tensor) {
  Value sum = code.constant(0);
  for (auto [axis, value] : llvm::zip_equal(axes, at))
    sum = code.add(sum, code.mul(value, axis.stride(tensor)));
  return sum;
}

Value GemmEmitter::checkPart(ArrayRef<GemmAxis> axes, ArrayRef<Value> at,
                             GemmTensor tensor, unsigned check) {
  Value sum = code.constant(0);
  for (auto [axis, value] : llvm::zip_equal(axes, at)) {
    const auto &steps = tensor == GemmTensor::A ? axis.aChecks : axis.bChecks;
    if (check < steps.size())
      sum = code.add(sum, code.mul(value, steps[check]));
  }
  return sum;
}

void GemmEmitter::emitProduct(Value begin, Value end,
                              const GemmPointers &pointers) {
  if (sizes.rowPointers && !view.aChecks.empty())
    storeZeros(pointers.scratch);
  if (sizes.rowPointers && hasTapOffsets(view))
    storeRowTaps(pointers.scratch);
  const ByteRegisters registers(code, sizes.byteProducts);
  // An empty range may end before it begins.
  const int64_t perBlock = layout.tilesPerBlock;
  Value firstBlock = begin, lastBlock = end;
  if (perBlock > 1) {
    end = code.maxSigned(begin, end);
    firstBlock = code.div(begin, perBlock);
    lastBlock = code.div(code.add(end, perBlock - 1), perBlock);
  }
  code.loop(firstBlock, lastBlock, sizes.joined, [&](Value number) {
    Tile tile;
    tile.firstColumn =
        code.mul(code.rem(number, layout.columnGroups), sizes.group);
    Value joined = code.minSigned(code.sub(lastBlock, number),
                                  code.constant(sizes.joined));
    tile.lastColumn = code.minSigned(
        code.add(tile.firstColumn, code.mul(joined, sizes.group)),
        code.constant(layout.columnPanels));
    Value rest = code.div(number, layout.columnGroups);
    tile.firstPanel =
        code.mul(code.rem(rest, layout.rowBlocks), layout.panelsPerBlock);
    tile.lastPanel =
        code.minSigned(code.add(tile.firstPanel, layout.panelsPerBlock),
                       code.constant(layout.rowPanels));
    tile.number = code.div(rest, layout.rowBlocks);
    tile.batch = decode(view.batch, tile.number);
    if (epilogue)
      tile.tensors = epilogue->locateBatch(tile.batch);
    if (perBlock == 1)
      return emitTile(tile, pointers);
    // The tiles of the block that are in [begin, end). The last block may have
    // fewer rows.
    Value firstTile = code.mul(number, perBlock);
    auto panelOf = [&](Value tileNumber) {
      return code.add(tile.firstPanel, code.mul(code.sub(tileNumber, firstTile),
                                                layout.panelsPerTile));
    };
    Value first = panelOf(code.maxSigned(begin, firstTile));
    Value last = panelOf(code.minSigned(end, code.add(firstTile, perBlock)));
    tile.firstPanel = first;
    tile.lastPanel = code.minSigned(tile.lastPanel, last);
    code.when(code.less(first, tile.lastPanel),
              [&] { emitTile(tile, pointers); });
  });
}

GemmEmitter::Column GemmEmitter::locate(Value vectorNumber) {
  int64_t perRun = vectorsPerRun(view, sizes);
  int64_t all = numVectors(view, sizes);
  // Vectors past the end repeat the last one's addresses, with no valid lanes.
  Value exists =
      code.compare(arith::CmpIPredicate::slt, vectorNumber, code.constant(all));
  Value clamped = code.minSigned(vectorNumber, code.constant(all - 1));
  Column column;
  column.outer = decode(view.columns, code.div(clamped, perRun));
  column.position = code.mul(code.rem(clamped, perRun), sizes.lanes);
  Value left = code.sub(code.constant(view.runLength()), column.position);
  column.count =
      code.select(exists, code.minSigned(left, code.constant(sizes.lanes)),
                  code.constant(0));
  return column;
}

Value GemmEmitter::offsetInB(const Column &column) {
  return code.add(
      offset(view.columns, column.outer, GemmTensor::B),
      code.mul(column.position, *singleStride(view.run, GemmTensor::B)));
}

/// Returns the offset in B of the vector that the tile reads `prefetch`
/// elements later in its order at the same point of a visit.
Value GemmEmitter::offsetAhead(const Tile &tile, Value vectorNumber) {
  Value first = code.mul(tile.firstColumn, sizes.nv);
  Value end = code.minSigned(code.mul(tile.lastColumn, sizes.nv),
                             code.constant(numVectors(view, sizes)));
  Value width = code.sub(end, first);
  Value later = code.add(code.sub(vectorNumber, first),
                         ceilDiv(sizes.prefetch, sizes.lanes));
  Value visits = code.b.createOrFold<arith::DivUIOp>(code.loc, later, width);
  Value column = code.sub(later, code.mul(visits, width));
  const int64_t visit = sizes.kc * *singleStride(view.points, GemmTensor::B);
  return code.add(offsetInB(locate(code.add(first, column))),
                  code.mul(visits, visit));
}

Value GemmEmitter::tableOf(const Tile &tile, Value panel, Value scratch) {
  return code.at(scratch,
                 code.mul(code.sub(panel, tile.firstColumn),
                          sizes.nv * layout.tableEntries),
                 code.i64);
}

Value GemmEmitter::entriesOf(const Tile &tile, Value panel, Value scratch) {
  return code.at(code.at(scratch, layout.entryOffset),
                 code.mul(code.sub(panel, tile.firstColumn),
                          sizes.nv * epilogue->numEntries()),
                 code.i64);
}

void GemmEmitter::emitColumnTables(const Tile &tile, Value scratch) {
  code.loop(tile.firstColumn, tile.lastColumn, 1, [&](Value panel) {
    Value table = tableOf(tile, panel, scratch);
    for (int64_t v = 0; v < sizes.nv; ++v) {
      Column column = locate(code.add(code.mul(panel, sizes.nv), v));
      auto store = [&](int64_t entry, Value value) {
        code.storeEntry(value, table,
                        code.constant(v * layout.tableEntries + entry));
      };
      store(0, column.count);
      const Value outer = offset(view.columns, column.outer, GemmTensor::C);
      if (!isJoined(view))
        store(1, code.add(outer,
                          code.mul(column.position, pieceInC(view).stride)));
      else
        storeJoined(column, outer, store);
      const bool fetchesPacked = fetchesPackedColumns(view, sizes);
      if (!sizes.packB || fetchesPacked || sizes.multipliesBytes())
        store(2, offsetInB(column));
      if (fetchesColumnsAhead(view, sizes))
        store(3, offsetAhead(tile, code.add(code.mul(panel, sizes.nv), v)));
      if (readsWindows(view, sizes))
        store(3, offsetOfNext(code.add(code.mul(panel, sizes.nv), v)));
      if (fetchesPacked)
        store(3, offsetOfLater(code.add(code.mul(panel, sizes.nv), v),
                               sizes.group * sizes.joined));
      if (computesInPlace())
        for (size_t side = 0; side < tensors.numSidesOfB(); ++side)
          store(kTableEntries + int64_t(side),
                tensors.prologueB->offsetOfColumn(side, column.outer,
                                                  column.position));
      if (epilogue)
        epilogue->storeEntries(v, column.outer, column.position,
                               entriesOf(tile, panel, scratch));
    }
  });
}

void GemmEmitter::storeJoined(const Column &column, Value outer,
                              function_ref<void(int64_t, Value)> store) {
  const codegen::ColumnPiece piece = pieceInC(view);
  const auto axes = ArrayRef(view.run).take_front(piece.outerAxes);
  const Value last = code.constant(product(axes) - 1);
  const Value number = code.div(column.position, piece.length);
  const Value left =
      code.sub(code.mul(code.add(number, 1), piece.length), column.position);
  auto startOf = [&](Value of) {
    Value existing = code.minSigned(of, last);
    return code.add(outer, offset(axes, decode(axes, existing), GemmTensor::C));
  };
  store(1,
        code.add(startOf(number), code.sub(code.constant(piece.length), left)));
  store(kTableEntries, code.minSigned(left, column.count));
  store(kTableEntries + 1, code.sub(startOf(code.add(number, 1)), left));
}

void GemmEmitter::forEachPanel(const Tile &tile,
                               function_ref<void(Value, int64_t, bool)> body) {
  const int64_t lastVectors =
      numVectors(view, sizes) - (layout.columnPanels - 1) * sizes.nv;
  const bool isLastDifferent =
      lastVectors != sizes.nv ||
      (hasSingleRun(view) && view.runLength() % sizes.lanes != 0);
  Value whole = tile.lastColumn;
  if (isLastDifferent)
    whole = code.minSigned(whole, code.constant(layout.columnPanels - 1));
  code.loop(tile.firstColumn, whole, 1,
            [&](Value panel) { body(panel, sizes.nv, false); });
  if (isLastDifferent)
    code.loop(whole, tile.lastColumn, 1,
              [&](Value panel) { body(panel, lastVectors, true); });
}

void GemmEmitter::emitTile(const Tile &tile, const GemmPointers &pointers) {
  emitColumnTables(tile, pointers.scratch);
  auto from = [&](int64_t constant, GemmTensor tensor) {
    return code.add(offset(view.batch, tile.batch, tensor), constant);
  };
  GemmPointers moved = pointers;
  moved.a = tensors.a.at(pointers.a, from(view.aOffset, GemmTensor::A));
  moved.b = tensors.b.at(pointers.b, from(view.bOffset, GemmTensor::B));
  moved.c = tensors.c.at(pointers.c, from(view.cOffset, GemmTensor::C));
  for (auto [side, address] : llvm::enumerate(moved.sidesOfB))
    address = tensors.prologueB->move(
        side, address,
        code.add(tensors.prologueB->startOf(side),
                 tensors.prologueB->offsetOfBatch(side, tile.batch)));
  if (readsWindows(view, sizes))
    emitTapTables(tile, moved);
  if (sizes.rowPointers)
    storeRowPointers(tile, moved);
  if (sizes.packA)
    moved.panels =
        code.at(pointers.panels, code.mul(tile.number, layout.batchPanels));

  int64_t points = view.numPoints();
  auto flag = [&](Value left, Value right, int64_t bit) {
    Value equal = code.compare(arith::CmpIPredicate::eq, left, right);
    return code.select(equal, code.constant(bit), code.constant(0));
  };
  if (points == 0) { // all results are sums of nothing
    const int64_t flags =
        GemmFlags::kFromZero | GemmFlags::kEndsBlock | GemmFlags::kFinal;
    return callMicroKernels(
        tile, {code.constant(0), code.constant(0), code.constant(flags)},
        moved);
  }
  const int64_t segment = pointsPerSegment(view, sizes);
  // Calls `body` for the parts of a block that lie in one segment.
  auto forEachPart = [&](Value block, Value blockEnd,
                         function_ref<void(Value, Value)> body) {
    if (segment >= points)
      return body(block, blockEnd);
    code.loop(code.div(block, segment),
              code.div(code.add(blockEnd, segment - 1), segment), 1,
              [&](Value number) {
                Value begin = code.mul(number, segment);
                body(code.maxSigned(block, begin),
                     code.minSigned(blockEnd, code.add(begin, segment)));
              });
  };
  auto visitPart = [&](Value block, Value blockEnd, Value begin, Value end) {
    code.loop(begin, end, sizes.kc, [&](Value first) {
      Value last = code.minSigned(code.add(first, sizes.kc), end);
      Value adds = code.sub(code.constant(GemmFlags::kAddsToC),
                            flag(block, code.constant(0), GemmFlags::kAddsToC));
      Value flags = code.add(flag(first, block, GemmFlags::kFromZero),
                             flag(last, blockEnd, GemmFlags::kEndsBlock));
      flags = code.add(flags, adds);
      flags =
          code.add(flags, flag(last, code.constant(points), GemmFlags::kFinal));
      emitVisit(tile, {first, code.sub(last, first), flags}, moved);
    });
  };
  forEachBlock(pointers.scratch, [&](Value block, Value blockEnd) {
    forEachPart(block, blockEnd, [&](Value begin, Value end) {
      visitPart(block, blockEnd, begin, end);
    });
  });
}

/// Loops over the blocks of the order. Blocks of different sizes are read from
/// a table in scratch.
void GemmEmitter::forEachBlock(Value scratch,
                               function_ref<void(Value, Value)> body) {
  Value points = code.constant(view.numPoints());
  if (joinsBlocks(view))
    return body(code.constant(0), points);
  if (view.blockStarts.empty()) {
    code.loop(code.constant(0), points, view.blockSize, [&](Value block) {
      body(block, code.minSigned(code.add(block, view.blockSize), points));
    });
    return;
  }
  Value table = code.at(scratch, layout.blockOffset);
  const auto count = int64_t(view.blockStarts.size());
  for (int64_t i = 0; i < count; ++i) {
    Value end = i + 1 < count ? code.constant(view.blockStarts[i + 1]) : points;
    code.storeEntry(end, table, code.constant(i));
  }
  code.loop(code.constant(0), code.constant(count), 1, {code.constant(0)},
            [&](Value i, ValueRange carried) {
              Value end = code.loadEntry(table, i);
              body(carried[0], end);
              return Values{end};
            });
}

Value GemmEmitter::startInPanel(const Visit &visit) {
  return packsByTaps(view)
             ? code.mul(code.rem(visit.first, *tapsOf(view)), sizes.columns())
             : code.constant(0);
}

void GemmEmitter::emitVisit(const Tile &tile, const Visit &visit,
                            const GemmPointers &pointers) {
  GemmPointers moved = pointers;
  if (sizes.packOnce) {
    moved.b =
        panelsOfB.at(pointers.columnPanels,
                     code.add(code.mul(tile.firstColumn, layout.panelStride),
                              code.mul(visit.first, sizes.pointStep())));
    return callMicroKernels(tile, visit, moved);
  }
  if (readsWindows(view, sizes)) {
    const Taps taps = findTaps();
    moved.b = tensors.b.at(
        pointers.b, code.mul(code.div(visit.first, taps.number), taps.stride));
    return callMicroKernels(tile, visit, moved);
  }
  if (!sizes.packB) {
    moved.b = tensors.b.at(
        pointers.b,
        code.mul(visit.first, *singleStride(view.points, GemmTensor::B)));
    return callMicroKernels(tile, visit, moved);
  }
  moved.b = code.at(pointers.scratch, layout.panelOffset);
  moved.source = pointers.b;
  if (sizes.multipliesBytes()) {
    packColumnBytes(tile, visit, pointers, moved.b);
    return callMicroKernels(tile, visit, moved);
  }
  code.loop(tile.firstColumn, tile.lastColumn, 1, [&](Value panel) {
    Value target = code.at(moved.b, code.mul(code.sub(panel, tile.firstColumn),
                                             layout.panelStride));
    packParts(tile, panel, visit, pointers, target);
    if (sizes.pairs)
      joinPairs(code.at(target, startInPanel(visit)), visit.count);
  });
  moved.b = code.at(moved.b, startInPanel(visit));
  callMicroKernels(tile, visit, moved);
}

void GemmEmitter::emitPoints(Value count, Value flags,
                             const GemmPointers &pointers) {
  code.loop(code.constant(0), code.constant(layout.columnPanels), 1,
            [&](Value column) {
              Tile tile;
              tile.firstPanel = code.constant(0);
              tile.lastPanel = code.constant(layout.rowPanels);
              tile.firstColumn = column;
              tile.lastColumn = code.add(column, 1);
              emitColumnTables(tile, pointers.scratch);
              GemmPointers moved = pointers;
              moved.partials = code.at(pointers.partials,
                                       code.mul(column, layout.partialStride));
              emitVisit(tile, {code.constant(0), count, flags}, moved);
            });
}

void GemmEmitter::callMicroKernels(const Tile &tile, const Visit &visit,
                                   const GemmPointers &pointers) {
  const int64_t perElement = sizes.perElement();
  Value count = code.div(code.add(visit.count, perElement - 1), perElement);
  int64_t lastRows = view.numRows() - (layout.rowPanels - 1) * sizes.mr;
  const bool fetchesEpilogue =
      epilogue && epilogue->readsAlongC() && view.numPoints() >= kLeastFetched;
  const bool inRegisters = epilogue && epilogue->isInRegisters();
  auto rowPanel = [&](Value panel, int64_t rows) {
    Value row = code.mul(panel, sizes.mr);
    Value a;
    if (sizes.packA)
      a = code.at(pointers.panels,
                  code.add(code.mul(panel, layout.rowPanelStride),
                           code.mul(code.div(visit.first, sizes.perElement()),
                                    sizes.mr)));
    else if (sizes.rowPointers)
      a = rowPointersAt(tile, panel, pointers.scratch);
    else
      a = tensors.a.at(
          pointers.a,
          code.add(code.mul(row, *singleStride(view.rows, GemmTensor::A)),
                   code.mul(visit.first,
                            *singleStride(view.points, GemmTensor::A))));
    const auto strideInC = singleStride(view.rows, GemmTensor::C);
    Value c = tensors.c.at(
        pointers.c,
        strideInC ? code.mul(row, *strideInC)
                  : offset(view.rows, decode(view.rows, row), GemmTensor::C));
    Value partials = pointers.partials;
    if (!partials)
      partials = code.at(pointers.scratch, layout.partialOffset);
    partials = code.at(partials, code.mul(code.sub(panel, tile.firstPanel),
                                          sizes.mr * sizes.columns()));
    forEachPanel(tile, [&](Value column, int64_t vectors, bool isLast) {
      const RegisterTile at{row, rows, column, vectors};
      if (fetchesPackedColumns(view, sizes))
        fetchColumns(tile, visit, pointers, panel, column);
      if (fetchesEpilogue)
        callEpilogue(tile, visit, pointers, at, &GemmEpilogue::fetch);
      Value number = code.sub(column, tile.firstColumn);
      Value b = sizes.packB ? panelsOfB.at(pointers.b,
                                           code.mul(number, layout.panelStride))
                            : pointers.b;
      Value partial = code.at(partials, code.mul(number, layout.partialStride));
      Values arguments = {a,
                          b,
                          c,
                          partial,
                          tableOf(tile, column, pointers.scratch),
                          count,
                          visit.flags};
      if (readsWindows(view, sizes)) {
        arguments.push_back(code.at(code.at(pointers.scratch, layout.tapOffset),
                                    code.mul(number, layout.tapStride),
                                    code.i64));
        arguments.push_back(code.rem(visit.first, findTaps().number));
      }
      if (sizes.rowPointers)
        arguments.append(
            {visit.first, code.at(pointers.scratch, layout.rowTapOffset)});
      if (fetchesPanelsAhead(sizes)) {
        // The points of the next visit follow; each panel of rows fetches a
        // part of them.
        Value part =
            code.mul(code.sub(panel, tile.firstPanel), layout.fetchStep);
        arguments.push_back(panelsOfB.at(
            b, code.mul(visit.count, code.add(part, sizes.columns()))));
      }
      if (computesInPlace()) {
        arguments.append(pointers.sidesOfB);
        arguments.push_back(visit.first);
      }
      if (inRegisters) {
        const GemmEpilogue::Block block = epilogueBlock(tile, pointers, at);
        arguments.append(block.tensors);
        arguments.append({block.entries, block.row});
      }
      func::CallOp::create(code.b, code.loc, microKernel(rows, vectors, isLast),
                           arguments);
      if (epilogue && !inRegisters)
        callEpilogue(tile, visit, pointers, at, &GemmEpilogue::call);
    });
  };
  Value whole = tile.lastPanel;
  if (lastRows != sizes.mr)
    whole = code.minSigned(whole, code.constant(layout.rowPanels - 1));
  code.loop(tile.firstPanel, whole, 1,
            [&](Value panel) { rowPanel(panel, sizes.mr); });
  if (lastRows != sizes.mr)
    code.loop(whole, tile.lastPanel, 1,
              [&](Value panel) { rowPanel(panel, lastRows); });
}

GemmEpilogue::Block GemmEmitter::epilogueBlock(const Tile &tile,
                                               const GemmPointers &pointers,
                                               const RegisterTile &at) {
  GemmEpilogue::Block block;
  block.tensors = tile.tensors;
  block.c = pointers.c;
  block.table = tableOf(tile, at.column, pointers.scratch);
  block.entries = entriesOf(tile, at.column, pointers.scratch);
  block.row = at.row;
  block.rows = code.constant(at.rows);
  block.vectors = at.vectors;
  block.tableStep = layout.tableEntries;
  return block;
}

void GemmEmitter::callEpilogue(const Tile &tile, const Visit &visit,
                               const GemmPointers &pointers,
                               const RegisterTile &at,
                               EpilogueFunction function) {
  Value isFinal =
      code.compare(arith::CmpIPredicate::ne,
                   code.both(visit.flags, code.constant(GemmFlags::kFinal)),
                   code.constant(0));
  code.when(isFinal,
            [&] { (epilogue->*function)(epilogueBlock(tile, pointers, at)); });
}

} // namespace gensyn::cpu
