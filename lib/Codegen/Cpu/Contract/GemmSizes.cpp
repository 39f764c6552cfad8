// The table of matrix-product schedules; docs/Performance.md has measurements.

#include "GemmSizes.h"
#include "../Common/Rounding.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace gensyn::cpu {

namespace {

/// Returns `size` or slightly less, so that the pieces of `whole` have similar
/// sizes.
int64_t balanced(int64_t whole, int64_t size) {
  size = std::clamp<int64_t>(size, 1, std::max<int64_t>(whole, 1));
  return ceilDiv(whole, ceilDiv(whole, size));
}

bool readsRowsInPlace(const GemmView &view) {
  return singleStride(view.rows, GemmTensor::A) &&
         singleStride(view.points, GemmTensor::A) && view.aChecks.empty();
}
bool readsColumnsInPlace(const GemmView &view) {
  const auto run = singleStride(view.run, GemmTensor::B);
  const auto points = singleStride(view.points, GemmTensor::B);
  return run && points && (*run == 1 || *points == 1) && view.bChecks.empty();
}

constexpr int64_t kFewRows = 4;

/// Elements to fetch ahead of a vector of columns. The processor foresees the
/// loads of one row of wide elements; narrow ones take more instructions per
/// line, so that loads are issued later. Measured.
int64_t elementsAhead(int64_t rows, int64_t bytes) {
  if (bytes == 1)
    return 4096;
  constexpr int64_t ahead = 1024; // bytes
  return bytes > 2 && rows == 1 ? 0 : ahead / bytes;
}

/// True if panels of B are copied once for many runs. They take as much memory
/// as B, which products of more rows would get little for: 6 % of the time at
/// 128 rows, 2 % at 197. A copy that transposes takes longer, and reads lines
/// that the processor does not foresee: 3 % at 784 rows. Widened elements would
/// take more memory, and time to read, so one row reads them as they are in
/// memory, or in half a byte. With several instructions for each line, it
/// depends on the processor's foresight, which needs memory's own order. Where
/// a byte takes many instructions, those limit it, and squares that are
/// transposed in registers take fewer; but what computes elements waits for a
/// single chain there. Elements that are not widened take one, and few rows
/// read them as fast in place where columns are contiguous.
bool packsBeforeRuns(const GemmView &view, const GemmMachine &machine) {
  const bool isTransposed = singleStride(view.run, GemmTensor::B) != 1;
  const int64_t mostRows = isTransposed ? 1024 : 160;
  if (!machine.lastsB || view.numBatches() != 1 || view.numPoints() <= 1 ||
      !view.bChecks.empty())
    return false;
  if (machine.convertsB)
    return view.numRows() == 1 &&
           (machine.bytesOfB > 1 || machine.computesB || machine.widensByte ||
            machine.multipliesPairs) &&
           (machine.part == 0 ||
            columnPacking(view) != ColumnPacking::Transposed ||
            contiguousPoints(view, GemmTensor::B) == view.numPoints()) &&
           !joinsBlocks(view);
  return view.numRows() <= mostRows &&
         !(view.numRows() <= kFewRows && readsColumnsInPlace(view) &&
           singleStride(view.run, GemmTensor::B) == 1);
}

/// Sizes for products of few rows by panels that exist: one after another, each
/// from its first point to its last.
void readPanelsOnce(GemmSizes &sizes, const GemmView &view,
                    const GemmMachine &machine) {
  constexpr int64_t tiles = 16;
  // Elements of a byte, and computed ones, take more instructions than memory
  // takes time for: their lines are fetched ahead, and registers are left for
  // what they are computed from.
  const bool isLong =
      machine.convertsB && (machine.bytesOfB == 1 || machine.computesB);
  const int64_t mostVectors = isLong ? 8 : 16;
  constexpr int64_t ahead = 8192; // bytes
  sizes.prefetch = isLong ? ahead / machine.bytesOfB : 0;
  sizes.mr = view.numRows();
  sizes.nv =
      std::clamp<int64_t>(machine.tileVectors / sizes.mr, 1, mostVectors);
  sizes.nv = balanced(numVectors(view, sizes), sizes.nv);
  sizes.packA |= machine.convertsA;
  sizes.rawPanels = machine.convertsB;
  sizes.nibbles = machine.hasNibbles;
  sizes.kc = pointsInTile(view);
  sizes.group = std::max<int64_t>(numColumnPanels(view, sizes) / tiles, 1);
}

/// Sizes for products of few rows, whose time is that of reading B once.
void readColumnsOnce(GemmSizes &sizes, const GemmView &view,
                     const GemmMachine &machine) {
  const int64_t rows = view.numRows();
  sizes.mr = rows;
  sizes.packB = false;
  // A is small.
  sizes.packA |= machine.convertsA && view.numPoints() > 1;
  if (singleStride(view.run, GemmTensor::B) != 1) {
    // As many rows of B at a time as a square has, each to its end.
    sizes.nv = 1;
    sizes.kc = view.longestBlock();
    constexpr int64_t ahead = 512; // bytes
    sizes.prefetch = ahead / machine.bytesOfB;
    return;
  }
  // Some rows of B at a time, along the columns.
  constexpr int64_t mostVectors = 16, mostPanels = 32;
  sizes.nv = std::clamp<int64_t>(machine.tileVectors / rows, 1, mostVectors);
  sizes.nv = balanced(numVectors(view, sizes), sizes.nv);
  const int64_t panels = numColumnPanels(view, sizes);
  if (panels == 1)
    return;
  // Memory is fastest in its own order. Few rows are close to it, and threads
  // join what they get. Sums of one row of wide elements are stored and loaded
  // often then: 128 rows at a time take a twelfth less time in a cache and for
  // 768 x 50257 from memory, and a twentieth more for 8192 columns from memory.
  constexpr int64_t tiles = 16; // enough for all threads
  sizes.kc = rows > 1 ? 16 : machine.convertsB ? 8 : 128;
  sizes.group = std::clamp<int64_t>(panels / tiles, 1, mostPanels);
  sizes.joined = std::max<int64_t>(mostPanels / sizes.group, 1);
  sizes.prefetch = elementsAhead(rows, machine.bytesOfB);
}
} // namespace

bool joinsBlocks(const GemmView &view) {
  // From there on, reading and writing C once per block is a small part.
  constexpr int64_t shortBlock = 64;
  return view.blockStarts.empty() && view.blockSize <= shortBlock &&
         view.blockSize < view.numPoints();
}

int64_t pointsInTile(const GemmView &view) {
  return joinsBlocks(view) ? view.numPoints() : view.longestBlock();
}

bool hasWindows(const GemmView &view) {
  return !readsColumnsInPlace(view) && !joinsBlocks(view) &&
         view.numPoints() > 0 &&
         columnPacking(view) == ColumnPacking::Contiguous;
}

bool readsWindows(const GemmView &view, const GemmSizes &sizes) {
  return !sizes.packB && !readsColumnsInPlace(view);
}

bool transposesInPlace(const GemmView &view, const GemmSizes &sizes) {
  return !sizes.packB && !readsWindows(view, sizes) &&
         singleStride(view.run, GemmTensor::B) != 1;
}

bool fetchesColumnsAhead(const GemmView &view, const GemmSizes &sizes) {
  return !sizes.packB && sizes.prefetch > 0 && readsColumnsInPlace(view) &&
         !transposesInPlace(view, sizes);
}

bool fetchesPanelsAhead(const GemmSizes &sizes) {
  return sizes.packOnce && !sizes.rawPanels && sizes.mr > 1;
}

bool fetchesPackedColumns(const GemmView &view, const GemmSizes &sizes) {
  return sizes.packB && !sizes.packOnce && view.numPoints() > 0 &&
         packsByTaps(view) && columnPacking(view) != ColumnPacking::Pieces &&
         *tapsOf(view) > 1;
}

int64_t numColumnPanels(const GemmView &view, const GemmSizes &sizes) {
  return ceilDiv(numVectors(view, sizes), sizes.nv);
}

int64_t vectorsPerRun(const GemmView &view, const GemmSizes &sizes) {
  return ceilDiv(view.runLength(), sizes.lanes);
}
int64_t numVectors(const GemmView &view, const GemmSizes &sizes) {
  return product(view.columns) * vectorsPerRun(view, sizes);
}

std::optional<int64_t> tapsOf(const GemmView &view) {
  size_t free = view.points.size();
  for (size_t i = view.points.size(); i-- > 0;)
    if (isChecked(view.points[i], GemmTensor::B))
      free = i;
  llvm::ArrayRef<GemmAxis> points(view.points);
  if (!singleStride(points.take_front(free), GemmTensor::B))
    return std::nullopt;
  constexpr int64_t mostTaps = 1024; // a panel has at least so many points
  int64_t taps = product(points.drop_front(free));
  return taps >= 1 && taps <= mostTaps ? std::optional(taps) : std::nullopt;
}

bool hasSingleRun(const GemmView &view) { return product(view.columns) == 1; }

int64_t pointsPerSegment(const GemmView &view, const GemmSizes &sizes) {
  const bool computesPoints =
      sizes.rawPanels ||
      (!sizes.packB && singleStride(view.run, GemmTensor::B) == 1);
  if (computesPoints && sizes.part > 0)
    return sizes.part;
  return sizes.packB && columnPacking(view) == ColumnPacking::Transposed
             ? contiguousPoints(view, GemmTensor::B)
             : std::max<int64_t>(view.numPoints(), 1);
}

bool packsByTaps(const GemmView &view) {
  const ColumnPacking packing = columnPacking(view);
  return packing == ColumnPacking::Contiguous ||
         packing == ColumnPacking::Strided || packing == ColumnPacking::Pieces;
}

ColumnPacking columnPacking(const GemmView &view) {
  const auto run = singleStride(view.run, GemmTensor::B);
  if (run == 1 && tapsOf(view))
    return ColumnPacking::Contiguous;
  if (run && *run > 1 && *run <= codegen::kMostGap && tapsOf(view))
    return ColumnPacking::Strided;
  // Segments do not end where joined blocks do.
  const bool hasSegments =
      contiguousPoints(view, GemmTensor::B) < view.numPoints();
  if ((view.bChecks.empty() && run ? hasContiguousPoints(view, GemmTensor::B)
                                   : hasContiguousWindows(view)) &&
      !(hasSegments && joinsBlocks(view)))
    return ColumnPacking::Transposed;
  // Fewer columns are gathered as fast.
  constexpr int64_t shortPiece = 4;
  if (tapsOf(view) && pieceInB(view).length >= shortPiece)
    return ColumnPacking::Pieces;
  return ColumnPacking::Gathered;
}

std::optional<llvm::StringRef> checkSizes(const GemmSizes &sizes,
                                          const GemmMachine &machine) {
  if (sizes.lanes < 2 || sizes.lanes > 16 ||
      (sizes.lanes & (sizes.lanes - 1)) != 0)
    return "lanes is not 2, 4, 8 or 16";
  if (sizes.mr < 1 || sizes.nv < 1 || sizes.kc < 1 || sizes.rows < 1 ||
      sizes.tileRows < 1 || sizes.group < 1 || sizes.joined < 1 ||
      sizes.unroll < 1)
    return "a size is not positive";
  if (sizes.prefetch < 0)
    return "prefetch is negative";
  // One register in eight is for operands.
  if (sizes.mr * sizes.nv > machine.registers / 8 * 7)
    return "a register tile of mr x nv vectors does not fit the registers";
  if (sizes.unroll > 16)
    return "unroll is above 16";
  return std::nullopt;
}

/// True if each vector of lanes of points that starts at a multiple of them in
/// its block lies in one part of the prologue, whose sides are fixed there.
static bool fitsSquares(const GemmView &view, const GemmSizes &sizes) {
  if (sizes.hasPointSides || sizes.part == 0)
    return !sizes.hasPointSides;
  auto isStart = [&](int64_t point) { return point % sizes.part == 0; };
  const bool startsBlocks =
      view.blockStarts.empty()
          ? view.blockSize >= view.numPoints() || isStart(view.blockSize)
          : llvm::all_of(view.blockStarts, isStart);
  return sizes.part % sizes.lanes == 0 && startsBlocks;
}

/// True if each visit begins at an even point.
static bool beginsAtPairs(const GemmView &view, const GemmSizes &sizes) {
  auto cutsPairs = [&](int64_t length) {
    return length < view.numPoints() && length % 2 != 0;
  };
  return !joinsBlocks(view) && view.blockStarts.empty() &&
         !cutsPairs(view.blockSize) &&
         !cutsPairs(pointsPerSegment(view, sizes));
}

/// True if bytes of the tensor are read by vectors along the points, or across
/// them along `others`.
static bool hasByteVectors(const GemmView &view, GemmAxes others,
                           GemmTensor tensor) {
  const auto points = singleStride(view.points, tensor);
  return points && (*points == 1 || singleStride(others, tensor) == 1);
}

/// Rows of a tile register.
constexpr int64_t kRowsOfTile = 16;

/// Sets the rows and vectors of a register tile of bytes. Returns false if the
/// view does not permit it.
static bool fitByteTile(GemmSizes &sizes, const GemmView &view) {
  constexpr int64_t fewestRows = 8;
  const int64_t rows = view.numRows(), line = codegen::lineOfRows(view).rows;
  if (sizes.lanes != sizes.lanesOfBytes || rows < fewestRows ||
      view.numPoints() == 0 || joinsBlocks(view) || !view.blockStarts.empty() ||
      view.blockSize < view.numPoints() || !view.aChecks.empty() ||
      !view.bChecks.empty() || isJoined(view) ||
      !singleStride(view.run, GemmTensor::B) ||
      !hasByteVectors(view, view.rows, GemmTensor::A) ||
      !hasByteVectors(view, view.run, GemmTensor::B))
    return false;
  if (sizes.byteProducts != ByteProducts::Tiles) {
    // What sums start at has room in a vector.
    if (sizes.byteProducts == ByteProducts::UnsignedBySigned)
      sizes.mr = std::min(sizes.mr, sizes.lanes);
    sizes.mr = line < rows ? codegen::largestDivisor(line, sizes.mr)
                           : balanced(rows, sizes.mr);
    return true;
  }
  // Two tiles of A, two of B and four of C.
  constexpr int64_t most = 2;
  const bool takesTwo = sizes.mr > kRowsOfTile && rows > kRowsOfTile;
  sizes.mr = takesTwo ? most * kRowsOfTile : kRowsOfTile;
  sizes.nv = std::min(sizes.nv, most);
  if (line >= rows)
    return true;
  if (line % sizes.mr != 0)
    sizes.mr = kRowsOfTile;
  return line % sizes.mr == 0;
}

GemmSizes fitted(GemmSizes sizes, const GemmView &view) {
  if (sizes.multipliesBytes() && !fitByteTile(sizes, view))
    sizes.byteProducts = ByteProducts::None;
  if (!sizes.multipliesBytes()) {
    sizes.mr = balanced(view.numRows(), sizes.mr);
    // A register tile has one stride of rows in C.
    if (const int64_t line = codegen::lineOfRows(view).rows;
        line < view.numRows())
      sizes.mr = codegen::largestDivisor(line, sizes.mr);
  }
  sizes.nv = balanced(numVectors(view, sizes), sizes.nv);
  sizes.group = balanced(numColumnPanels(view, sizes), sizes.group);
  sizes.rows = std::min(ceilDiv(view.numRows(), sizes.mr),
                        ceilDiv(sizes.rows, sizes.mr)) *
               sizes.mr;
  sizes.tileRows =
      std::min(sizes.rows, ceilDiv(sizes.tileRows, sizes.mr) * sizes.mr);
  // Blocks of the same rows of one batch follow each other, if each is a tile.
  const int64_t blocks = ceilDiv(numColumnPanels(view, sizes), sizes.group);
  sizes.joined = view.numBatches() == 1 && view.numRows() <= sizes.tileRows
                     ? std::min(sizes.joined, blocks)
                     : 1;
  sizes.packA |= sizes.multipliesBytes();
  sizes.packB |= sizes.multipliesBytes();
  sizes.rowPointers &= !readsRowsInPlace(view) && !joinsBlocks(view) &&
                       tapsOfRows(view).has_value() && !sizes.packA;
  sizes.packA |= !readsRowsInPlace(view) && !sizes.rowPointers;
  sizes.packB |= !readsColumnsInPlace(view) && !hasWindows(view);
  const bool hasSquares = singleStride(view.run, GemmTensor::B) != 1;
  // Their loops over points have one form of B.
  sizes.packB |=
      sizes.rowPointers && (hasSquares || !readsColumnsInPlace(view));
  sizes.packB |= hasSquares && !fitsSquares(view, sizes);
  // Squares that are transposed in registers do not end where blocks do.
  sizes.packB |= joinsBlocks(view) && hasSquares;
  sizes.packOnce &= sizes.packB && !sizes.multipliesBytes();
  sizes.rawPanels &= sizes.packOnce;
  sizes.nibbles &= sizes.rawPanels && sizes.nv == kVectorsPerWord;
  sizes.pairs &= sizes.packA && sizes.packB &&
                 (!sizes.packOnce || sizes.rawPanels) &&
                 !sizes.multipliesBytes() && beginsAtPairs(view, sizes);
  const int64_t block =
      std::min(pointsInTile(view), pointsPerSegment(view, sizes));
  sizes.kc = balanced(block, sizes.kc);
  // A visit has whole blocks, and whole groups of taps.
  int64_t unit = joinsBlocks(view) ? view.blockSize : 1;
  if (sizes.multipliesBytes())
    unit = sizes.pointStepOfBytes();
  else if (sizes.packB && packsByTaps(view))
    unit = std::lcm(unit, *tapsOf(view));
  if (!sizes.packB && hasSquares && sizes.part > 0)
    unit = std::lcm(unit, sizes.part);
  unit = std::lcm(unit, sizes.perElement());
  if (sizes.rowPointers)
    unit = std::lcm(unit, codegen::tapsOfRows(view)->number);
  sizes.kc = std::min(block, ceilDiv(sizes.kc, unit) * unit);
  return sizes;
}

/// True if reading B in place, with masks that are loaded for each tap, takes
/// less time than copying it. Only vectors of 16 lanes have registers of masks;
/// with AVX2, masks that are vectors in the table took 1.0 to 1.7 times as long
/// as copies.
static bool prefersWindows(const GemmView &view, const GemmMachine &machine) {
  constexpr int64_t lanesWithMasks = 16, mostTaps = 64;
  return machine.lanes == lanesWithMasks && !machine.convertsB &&
         *tapsOf(view) <= mostTaps;
}

/// Returns the elements of B that a visit of a panel of columns reads.
static int64_t elementsInVisit(const GemmView &view, const GemmSizes &sizes) {
  const int64_t copied = sizes.kc * sizes.columns();
  if (!readsWindows(view, sizes))
    return copied;
  // The windows of neighbours overlap.
  const int64_t taps = *tapsOf(view);
  int64_t reach = 0, covered = 1;
  for (const GemmAxis &axis : llvm::reverse(view.points)) {
    if (covered == taps)
      break;
    covered *= axis.extent;
    reach += (axis.extent - 1) * std::abs(axis.b);
  }
  return std::min(copied, ceilDiv(sizes.kc, taps) * (sizes.columns() + reach));
}

/// Groups panels of columns, which each panel of rows visits by turns, so that
/// A is read less often from memory and rows of C in longer pieces.
static void groupPanels(GemmSizes &sizes, const GemmView &view) {
  // A part of a usual L2 cache; the rest is for A and C.
  constexpr int64_t cacheBytes = 384 << 10;
  // A that stays in the cache is read often at no cost, and all of it visits a
  // panel of B while that is near.
  constexpr int64_t bytesOfNearA = 256 << 10;
  sizes.group = 1;
  // Bytes are multiplied faster than columns are copied by themselves.
  const bool hasBytes = sizes.multipliesBytes();
  if (!hasBytes &&
      std::min(view.numRows(), sizes.rows) * sizes.kc * sizes.sumBytes <=
          bytesOfNearA)
    return;
  const int64_t panels = numColumnPanels(view, sizes);
  const int64_t bytes = elementsInVisit(view, sizes) * sizes.sumBytes /
                        (hasBytes ? sizes.perElement() : 1);
  // Blocks are divided among threads by rows too, but then each thread copies
  // all of the block's columns.
  constexpr int64_t enoughBlocks = 8;
  const int64_t most = view.numBatches() * panels / enoughBlocks;
  sizes.group = std::max<int64_t>(std::min(cacheBytes / bytes, most), 1);
  sizes.group = balanced(panels, sizes.group);
}

/// Divides blocks into tiles if there are too few for all threads to have the
/// same work. A tile that is executed by itself copies B for its rows alone, so
/// it has several panels.
static void divideBlocks(GemmSizes &sizes, const GemmView &view) {
  constexpr int64_t enoughTiles = 32, fewestPanels = 4;
  const int64_t blocks = view.numBatches() *
                         ceilDiv(view.numRows(), sizes.rows) *
                         ceilDiv(numColumnPanels(view, sizes), sizes.group);
  const int64_t panels = ceilDiv(sizes.rows, sizes.mr);
  const int64_t perTile =
      std::max(fewestPanels, ceilDiv(panels * blocks, enoughTiles));
  sizes.tileRows = std::min(balanced(panels, perTile) * sizes.mr, sizes.rows);
}

void setFixedSizes(GemmSizes &sizes, const GemmMachine &machine) {
  sizes.sumBytes = machine.sumBytes;
  sizes.bytesOfB = machine.bytesOfB;
  sizes.part = machine.part;
  sizes.hasPointSides = machine.hasPointSides;
  sizes.packA |= machine.computesA;
  sizes.pairs = machine.multipliesPairs;
  sizes.byteProducts = machine.byteProducts;
  sizes.lanesOfBytes = machine.lanes;
  sizes.rowPointers = machine.pointsToRows;
}

/// Sizes for products of bytes; std::nullopt if the view does not permit them.
static std::optional<GemmSizes> chooseByteSizes(GemmSizes sizes,
                                                const GemmView &view,
                                                const GemmMachine &machine) {
  const bool hasTiles = sizes.byteProducts == ByteProducts::Tiles;
  constexpr int64_t manyVectors = 24;
  sizes.nv = !hasTiles && machine.tileVectors >= manyVectors ? 3 : 2;
  sizes.mr = hasTiles ? 2 * kRowsOfTile : machine.tileVectors / sizes.nv;
  // Of 256 to 4096 each, the fastest for 1024 x 3072 sums of 3072 products.
  sizes.kc = sizes.rows = 1024;
  sizes = fitted(sizes, view);
  if (!sizes.multipliesBytes())
    return std::nullopt;
  groupPanels(sizes, view);
  divideBlocks(sizes, view);
  return sizes;
}

GemmSizes chooseGemmSizes(const GemmView &view, const GemmMachine &machine) {
  GemmSizes sizes;
  sizes.lanes = machine.lanes;
  setFixedSizes(sizes, machine);
  if (sizes.multipliesBytes()) {
    if (const auto ofBytes = chooseByteSizes(sizes, view, machine))
      return *ofBytes;
    sizes.byteProducts = ByteProducts::None;
  }
  int64_t rows = view.numRows(), vectors = numVectors(view, sizes);
  // As many accumulators as registers allow, with enough of them per broadcast
  // element of A; narrow problems get tall tiles, short ones wide tiles.
  int64_t registers = machine.tileVectors;
  // Blocks of one point need a register for a product, longer ones as many as
  // their sum.
  if (joinsBlocks(view))
    registers = view.blockSize == 1 ? registers - 4 : registers / 2;
  sizes.nv = balanced(vectors, machine.tileColumns);
  if (rows * sizes.nv < registers)
    sizes.nv = std::clamp<int64_t>(registers / rows, 1, vectors);
  sizes.mr = std::clamp<int64_t>(registers / sizes.nv, 1, 12);
  if (const int64_t line = codegen::lineOfRows(view).rows; line < rows) {
    sizes.mr =
        codegen::largestDivisor(line, codegen::mostRowsInTile(sizes.lanes));
    sizes.nv = std::clamp<int64_t>(registers / sizes.mr, 1, sizes.nv);
  }
  if (auto points = singleStride(view.points, GemmTensor::A))
    sizes.packA |= *points != 1 && view.numPoints() > 1;
  // An element of A is converted once per panel of columns, or once in all.
  sizes.packA |= machine.convertsA && vectors > sizes.nv && rows > 1;
  // A panel is reused once per register tile of rows.
  sizes.packB = rows >= (machine.convertsB ? sizes.mr + 1 : 32);
  sizes.packA |= sizes.pairs && sizes.packB;
  if (packsBeforeRuns(view, machine)) {
    sizes.packB = sizes.packOnce = true;
    // Sums of many rows wait for the next visit in the second cache, from which
    // a longer panel is read as fast as a shorter one: 2 % at 197 rows. Rows by
    // pointers gain as much on one thread, and lose it on two.
    constexpr int64_t nearRows = 128, longVisit = 1152;
    if (rows > nearRows && readsRowsInPlace(view))
      sizes.kc = longVisit;
    if (rows <= kFewRows && !joinsBlocks(view))
      readPanelsOnce(sizes, view, machine);
  } else if (rows <= kFewRows && readsColumnsInPlace(view) &&
             !joinsBlocks(view))
    readColumnsOnce(sizes, view, machine);
  else if (singleStride(view.run, GemmTensor::B) != 1)
    sizes.packB = true;
  if (!sizes.packOnce && hasWindows(view))
    sizes.packB = !prefersWindows(view, machine);
  // Copies in pieces take long enough to be made for all rows at once.
  if (columnPacking(view) == ColumnPacking::Pieces)
    sizes.rows = std::max(sizes.rows, rows);
  sizes = fitted(sizes, view);
  if (rows > kFewRows && !sizes.packOnce)
    groupPanels(sizes, view);
  divideBlocks(sizes, view);
  return sizes;
}

} // namespace gensyn::cpu
